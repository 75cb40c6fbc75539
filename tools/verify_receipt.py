#!/usr/bin/env python3
"""Verifies the receipt of a batch without Docket, from Python's standard library alone.

usage: verify_receipt.py RECEIPT --keys FILE ...

RECEIPT is what GET /v1/batches/{id}/receipt answers; keys are lines `name+id+key` as `docket audit keys` prints them.
Exit status 0: everything holds; 1: something does not; 2: it was called wrongly. What is checked, and in which words, is
told in docs/proof.md.
"""
import argparse
import base64
import hashlib
import json
import sys

sys.dont_write_bytecode = True

from verify_audit import (KEPT, UUID, Table, Tree, canonical, decode64, judge, key_of, leaf_hash, parse_entry,  # noqa: E402
                          read_checkpoint, read_key, read_note, read_object, read_text)

OPENING = ',"sections":['
STATES = ("accepted", "quarantined", "rejected")
NEUTRAL = ("downloaded", "hold_placed", "hold_lifted")
COUNTED = ("accepted", "duplicate", "quarantined", "rejected")


def root_by_path(leaf, index, size, path):
    """The root that a path leads to (RFC 9162 section 2.1.3.2), or None."""
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < size:
        return None
    fn, sn, root = index, size - 1, leaf
    for step in path:
        if sn == 0:
            return None
        if fn & 1 or fn == sn:
            root = hashlib.sha256(b"\1" + step + root).digest()
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            root = hashlib.sha256(b"\1" + root + step).digest()
        fn, sn = fn >> 1, sn >> 1
    return root if sn == 0 else None


def when(entry, name):
    for step in entry["transitions"]:
        if step[0] == name:
            return step[1]
    return None


def text_or_none(value):
    return value if isinstance(value, str) else None


def fate_of(chain):
    """What became of a record, told by its entries from the first to the last."""
    fate = dict.fromkeys(("state", "key", "duplicate_of", "follows", "replaced_by", "erased_at"))
    fate["codes"] = []
    for entry in chain:
        fate["key"] = entry.get("idempotency_key", fate["key"])
        erased = when(entry, "erased")
        if erased is not None:
            fate["erased_at"] = fate["erased_at"] or erased
            continue
        steps = [step[0] for step in entry["transitions"] if step[0] not in NEUTRAL]
        if not steps or steps[-1] not in STATES:
            continue
        detail = entry.get("detail", {})
        fate["state"], fate["codes"] = steps[-1], entry["reasons"]
        for name in ("duplicate_of", "follows", "replaced_by"):
            fate[name] = text_or_none(detail.get(name))
    return fate


class Receipt:
    def __init__(self, keys):
        self.keys = keys
        self.faults, self.fault_count, self.lines = [], 0, 0
        self.part, self.digest = "header", hashlib.sha256()
        self.header, self.head, self.batch = {}, None, {}
        self.received = self.ended = self.files = None
        self.totals = {"files": 0, "records": 0, **dict.fromkeys(COUNTED, 0)}
        self.seen, self.sent, self.last = Table(), 0, (0,)

    def report(self, check, place, message):
        self.fault_count += 1
        if len(self.faults) < KEPT:
            self.faults.append(f"FAILED {check}: {place}: {message}")

    def take(self, line):
        self.lines += 1
        if self.part == "sections" and line.startswith(b"]"):
            self.part = "totals"
        if self.part not in ("signature", "end"):
            self.digest.update(line + b"\n")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        if self.part == "end":
            return self.report("receipt-form", f"line {self.lines}", "does not belong here")
        part = self.part
        getattr(self, "on_" + part)(text)
        self.part = {"header": "sections", "totals": "signature", "signature": "end"}.get(part, part)
        return None

    def on_header(self, text):
        told = read_object(text[:-len(OPENING)] + "}") if text.endswith(OPENING) else None
        batch = told.get("batch") if told else None
        if (not told or told.get("form") != "docket-receipt/1" or not isinstance(told.get("jurisdiction"), str)
                or not isinstance(told.get("checkpoint"), str)
                or not isinstance(batch, dict) or not UUID.fullmatch(str(batch.get("id")))):
            return self.report("receipt-form", f"line {self.lines}", "is not the beginning of a receipt")
        self.header, self.batch = told, batch
        note = told.get("checkpoint")
        parts = read_note(note) if isinstance(note, str) else None
        head = read_checkpoint(parts[0]) if parts else None
        worth = judge(note, self.keys) if parts else "invalid"
        if head is None:
            self.report("checkpoint-form", "checkpoint", "is no signed checkpoint")
        elif worth != "valid":
            self.report("checkpoint-signature", "checkpoint",
                        "is signed by none of the keys" if worth == "unknown" else "has a false signature")
        elif not head[0].endswith("/" + told["jurisdiction"]):
            self.report("checkpoint-origin", "checkpoint", f"is of the log {head[0]}")
        else:
            self.head = head
        return None

    def on_sections(self, text):
        section = read_object(text[:-1] if text.endswith(",") else text)
        subjects, commits = (section or {}).get("subjects"), (section or {}).get("commits")
        if not self.header or not isinstance(subjects, list) or not isinstance(commits, list) or not subjects:
            return self.report("receipt-form", f"line {self.lines}", "is no section")
        chains = {}
        for commit in commits:
            for entry, digest in self.check_commit(commit if isinstance(commit, dict) else {}):
                chains.setdefault(entry["subject"], []).append((entry["seq"], entry, digest))
        for subject in subjects:
            name = subject.get("id") if isinstance(subject, dict) else None
            if not isinstance(name, str) or not UUID.fullmatch(name):
                self.report("receipt-form", f"line {self.lines}", "is no section")
                continue
            chain = sorted(chains.pop(name, []), key=lambda one: one[0])
            self.check_subject(subject, [(entry, digest) for _, entry, digest in chain])
            self.count(subject)
        for name in chains:
            self.report("chain-stray", f"subject {name}", "entries of what the section does not name")
        return None

    def check_commit(self, value):
        text = value.get("leaf") if isinstance(value.get("leaf"), str) else ""
        leaf = read_object(text) or {}
        name, entries = leaf.get("commit"), value.get("entries")
        if (len(leaf) != 6 or leaf.get("form") != 1 or canonical(leaf) != text or not isinstance(name, str)
                or not isinstance(leaf.get("entries"), int) or not isinstance(entries, list)):
            self.report("commit-form", "commit ?", "its leaf is not one of a commit")
            return []
        if leaf.get("jurisdiction") != self.header["jurisdiction"]:
            self.report("commit-form", f"commit {name}", "is of another jurisdiction")
        if self.head is not None:
            path = value.get("path")
            steps = [decode64(step) if isinstance(step, str) else None for step in path] if isinstance(path, list) else [None]
            fits = all(step is not None and len(step) == 32 for step in steps)
            root = root_by_path(leaf_hash(text.encode()), value.get("index"), self.head[1], steps) if fits else None
            if root != self.head[2]:
                self.report("log-path", f"commit {name}", "its path does not lead to the root that was signed")
        tree, proved = Tree(), []
        for one in entries:
            if isinstance(one, str):
                data = one.encode("utf-8", "surrogatepass")
                digest = hashlib.sha256(data).digest()
                entry = self.read_entry(data, name)
                if entry is not None:
                    proved.append((entry, digest))
            else:
                told = one.get("hash") if isinstance(one, dict) else None
                digest = bytes.fromhex(told) if isinstance(told, str) and len(told) == 64 and told.isalnum() else b""
            tree.append(leaf_hash(digest))
        if tree.size != leaf["entries"] or tree.root().hex() != leaf.get("root"):
            self.report("commit-root", f"commit {name}", "its root is not that of its entries")
        return proved

    def read_entry(self, data, commit):
        entry = parse_entry(data)
        if entry is None:
            self.report("entry-form", f"commit {commit}", "an entry is not in canonical form")
            return None
        if (entry["jurisdiction"] != self.header["jurisdiction"] or entry.get("commit") != commit
                or not isinstance(entry.get("reasons"), list)):
            self.report("entry-subject", f"entry {entry['subject']}/{entry['seq']}",
                        "was written for another commit or jurisdiction")
        return entry

    def check_subject(self, subject, chain):
        kind, place = subject.get("kind"), f"{subject.get('kind')} {subject['id']}"
        if not chain:
            return self.report("chain-missing", place, "no entry of it is shown")
        entries = [entry for entry, _ in chain]
        if kind == "batch":
            self.check_batch(entries, chain[0][1])
        before = None if kind == "batch" else self.received or entries[0]["previous"]
        for number, (entry, digest) in enumerate(chain):
            linked = entry["previous"] == before or (number == 0 and kind == "file" and entry["previous"] is None)
            if entry["seq"] != number + 1 or entry["kind"] != kind or not linked:
                self.report("entry-link", place, "its entries are not a chain")
                break
            before = digest.hex()
        detail = entries[0].get("detail", {})
        if kind == "file" and (detail.get("sha256"), detail.get("bytes"), detail.get("archive")) != (
                subject.get("sha256"), subject.get("size"), subject.get("archive_id")):
            self.report("file-facts", place, "its digest, size or archive is not that of its entry")
        if kind == "record":
            fate = fate_of(entries)
            if fate["duplicate_of"] is None:
                fate["duplicate_of"] = subject.get("duplicate_of")
            if any(name not in subject or subject[name] != fate[name] for name in fate):
                self.report("record-fate", place, "its entries tell of another fate")
        return None

    def check_batch(self, entries, first):
        detail, batch = entries[0].get("detail", {}), self.batch
        place = f"batch {batch['id']}"
        self.received, self.files = first.hex(), detail.get("files")
        end = next((one for one in entries if when(one, batch.get("state")) is not None), None)
        self.ended = end.get("detail", {}) if end else {}
        if entries[0].get("actor") != batch.get("submitter"):
            self.report("batch-facts", place, "its submitter is not who its first entry names")
        if detail.get("profile") != batch.get("profile") or detail.get("digest") != batch.get("digest"):
            self.report("batch-facts", place, "its profile or digest is not that of its first entry")
        if when(entries[0], "received") != batch.get("received_at"):
            self.report("batch-facts", place, "was received at another time")
        if end is None or when(end, batch["state"]) != batch.get("finished_at"):
            self.report("batch-facts", place, "ended otherwise, or at another time")

    def count(self, subject):
        kind, place = subject.get("kind"), f"{subject.get('kind')} {subject['id']}"
        if self.seen.get(key_of(subject["id"])):
            return self.report("subject-twice", place, "stands here twice")
        self.seen.set(key_of(subject["id"]), 1, bytes(32), bytes(32))
        order = (0,)
        if kind == "batch" and subject["id"] != self.batch["id"]:
            self.report("batch-facts", place, "is another batch")
        elif kind == "file":
            self.totals["files"] += 1
            self.sent += subject.get("archive_id") is None
            order = (1, int(subject.get("number") or 0))
        elif kind == "record":
            self.totals["records"] += 1
            state = subject.get("state")
            if state == "accepted" and subject.get("duplicate_of") is not None:
                state = "duplicate"
            if state in COUNTED:
                self.totals[state] += 1
            order = (2, int(subject.get("file") or 0), int(subject.get("row") or 0))
        if order <= self.last and kind != "batch":
            self.report("receipt-form", place, "is out of order")
        self.last = order
        return None

    def on_totals(self, text):
        told = text[len('],"totals":'):-1]
        if text != f'],"totals":{told},' or told != json.dumps(self.totals, separators=(",", ":")):
            self.report("totals", f"line {self.lines}", "are not those of the receipt")
        if self.received is None:
            return self.report("chain-missing", "batch", "no section is about it")
        if self.files != self.sent:
            self.report("totals", "files", f"{self.sent} are told of, and others were sent")
        if self.batch.get("state") == "completed":
            ended = sum(self.ended.get(name, 0) for name in COUNTED)
            if ended != self.totals["records"]:
                self.report("totals", "records", f"{self.totals['records']} are told of, the batch ended with {ended}")
        return None

    def on_signature(self, text):
        note = (read_object("{" + text) or {}).get("signature")
        parts = read_note(note) if isinstance(note, str) else None
        if parts is None:
            return self.report("receipt-signature", f"line {self.lines}", "is no signature")
        origin = parts[0].split("\n")[0]
        if not origin.endswith("/" + self.header.get("jurisdiction", "")) or (self.head and self.head[0] != origin):
            self.report("receipt-origin", "signature", "is of another log than the receipt")
        digest = base64.b64encode(self.digest.digest()).decode()
        if parts[0] != f"{origin}\nreceipt {self.batch.get('id', '')}\n{digest}\n":
            return self.report("receipt-signature", "signature", "was made over another text: the receipt was altered")
        worth = judge(note, self.keys)
        if worth == "unknown":
            self.report("receipt-signature", "signature", "is of none of the keys")
        if worth == "invalid":
            self.report("receipt-signature", "signature", "is false")
        return None

    def close(self):
        if self.part != "end":
            self.report("receipt-form", f"line {self.lines}", "the receipt is cut off")


def main():
    parser = argparse.ArgumentParser(description="Verifies the receipt of a batch.")
    parser.add_argument("receipt")
    parser.add_argument("--keys", action="append", nargs="+", required=True)
    options = parser.parse_args()
    keys = []
    for path in sum(options.keys, []):
        for line in (line.strip() for line in read_text(path).split("\n")):
            if line != "" and not line.startswith("#"):
                key = read_key(line)
                if key is None:
                    sys.exit(f"{path} holds a line that is not a verifier key (name+id+key).")
                keys.append(key)
    receipt = Receipt(keys)
    with open(options.receipt, "rb") as file:
        for line in file:
            receipt.take(line.rstrip(b"\n"))
    receipt.close()
    covered = receipt.head[1] if receipt.head else 0
    totals = receipt.totals
    print(f"Batch {receipt.batch.get('id', '?')}: {totals['files']} files, {totals['records']} records, "
          f"under a log of {covered} commits.")
    for fault in receipt.faults:
        print(fault)
    if receipt.fault_count > len(receipt.faults):
        print(f"and {receipt.fault_count - len(receipt.faults)} more")
    if receipt.fault_count > 0:
        sys.exit(1)
    print("Every check passed.")


if __name__ == "__main__":
    main()
