#!/usr/bin/env python3
"""Verifies an export of Docket's audit log without Docket, from Python's standard library alone.

usage: verify_audit.py EXPORT --checkpoints FILE|FOLDER ... --keys FILE ... [--payloads FOLDER]

EXPORT is what GET /v1/audit/export answers. Checkpoints are signed notes that somebody outside has kept; keys are
lines `name+id+key` as `docket audit keys` prints them. Exit status 0: everything holds; 1: something does not, or no
checkpoint covers the log; 2: it was called wrongly. What is checked, and in which words, is told in docs/proof.md.
"""
import argparse
import base64
import binascii
import hashlib
import json
import os
import re
import struct
import sys

KEPT = 20

# --- Ed25519 (RFC 8032 section 5.1), verification only ---

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * ROOT % P
    if (x * x - x2) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


def add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    q, r, s, t = f - e, h - g, h + g, f + e
    return q * r % P, s * t % P, r * s % P, q * t % P


def multiply(n, point):
    result = (0, 1, 1, 0)
    while n > 0:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def decode_point(data):
    value = int.from_bytes(data, "little")
    y = value & (2 ** 255 - 1)
    x = recover_x(y, value >> 255)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519_verify(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    public, point = decode_point(key), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or point is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = multiply(s, BASE), add(point, multiply(h, public))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# --- Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint) ---


def decode64(text):
    """Bytes of base64 in its one canonical spelling, else None."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def read_key(line):
    parts = line.split("+", 2)
    data = decode64(parts[2]) if len(parts) == 3 else None
    if data is None or len(data) != 33 or data[0] != 1 or parts[0] == "":
        return None
    key_id = hashlib.sha256(parts[0].encode() + b"\n" + data).digest()[:4]
    return (parts[0], key_id, data[1:]) if key_id.hex() == parts[1] else None


def read_note(note):
    """Text and signatures [(name, id, signature)], or None."""
    end = note.rfind("\n\n")
    if end < 0 or not note.endswith("\n") or len(note) > 100_000:
        return None
    signatures = []
    for line in note[end + 2:-1].split("\n"):
        parts = line.split(" ")
        data = decode64(parts[2]) if len(parts) == 3 else None
        if data is None or parts[0] != "\u2014" or parts[1] == "" or len(data) < 5:
            return None
        signatures.append((parts[1], data[:4], data[4:]))
    return note[:end + 1], signatures


def read_checkpoint(text):
    """(origin, size, root), or None."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[0] == "" or lines[-1] != "" or not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]):
        return None
    root = decode64(lines[2])
    size = int(lines[1])
    return (lines[0], size, root) if root is not None and len(root) == 32 and size < 2 ** 53 else None


def judge(note, keys):
    """'valid', 'invalid' or 'unknown'."""
    parts = read_note(note)
    if parts is None:
        return "invalid"
    known = 0
    for name, key_id, signature in parts[1]:
        for key in keys:
            if key[0] == name and key[1] == key_id:
                known += 1
                if not ed25519_verify(key[2], parts[0].encode(), signature):
                    return "invalid"
    return "valid" if known > 0 else "unknown"


# --- Merkle trees (RFC 6962 section 2.1) ---


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


class Tree:
    """A tree that grows by leaves and keeps the roots of its whole subtrees: one for each bit of its size."""

    def __init__(self):
        self.size = 0
        self.stack = []

    def append(self, digest):
        rest = self.size
        while rest & 1:
            digest = hashlib.sha256(b"\1" + self.stack.pop() + digest).digest()
            rest >>= 1
        self.stack.append(digest)
        self.size += 1

    def root(self):
        if not self.stack:
            return hashlib.sha256().digest()
        digest = self.stack[-1]
        for left in reversed(self.stack[:-1]):
            digest = hashlib.sha256(b"\1" + left + digest).digest()
        return digest


# --- Chains ---

SLOT = struct.Struct(">16sI32s32s")
SEEN = 2 ** 31
NONE = bytes(32)


class Part:
    """Ends of the chains of subjects whose ids end alike, in one block of memory with open addressing."""

    def __init__(self):
        self.capacity, self.count = 16, 0
        self.slots = bytearray(16 * SLOT.size)

    def find(self, key):
        place = int.from_bytes(key[10:14], "big") % self.capacity
        slots, size = self.slots, SLOT.size
        while True:
            at = place * size
            if slots[at + 16:at + 20] == b"\0\0\0\0" or slots[at:at + 16] == key:
                return at
            place = (place + 1) % self.capacity

    def set(self, key, seq, digest, fingerprint):
        if (self.count + 1) * 10 > self.capacity * 9:
            self.grow()
        at = self.find(key)
        if self.slots[at + 16:at + 20] == b"\0\0\0\0":
            self.count += 1
        SLOT.pack_into(self.slots, at, key, seq, digest, fingerprint)

    def grow(self):
        old = self.slots
        self.capacity = -(-self.capacity * 5 // 4)
        self.slots = bytearray(self.capacity * SLOT.size)
        for slot in SLOT.iter_unpack(old):
            if slot[1]:
                SLOT.pack_into(self.slots, self.find(slot[0]), *slot)


class Table:
    """Ends of all chains in parts that grow by themselves, so that what grows at once is small."""

    def __init__(self):
        self.parts = [Part() for _ in range(1024)]

    def part(self, key):
        return self.parts[int.from_bytes(key[14:], "big") % 1024]

    def get(self, key):
        part = self.part(key)
        _, seq, digest, fingerprint = SLOT.unpack_from(part.slots, part.find(key))
        return (seq % SEEN, digest, fingerprint) if seq else None

    def set(self, key, seq, digest, fingerprint):
        self.part(key).set(key, seq, digest, fingerprint)

    def mark(self, key):
        part = self.part(key)
        at = part.find(key) + 16
        seq = struct.unpack_from(">I", part.slots, at)[0]
        struct.pack_into(">I", part.slots, at, seq % SEEN + SEEN)

    def unmarked(self):
        left = [key for part in self.parts for key, seq, _, _ in SLOT.iter_unpack(part.slots) if 0 < seq < SEEN]
        return (min(left) if left else None), len(left)


def key_of(subject):
    return bytes.fromhex(subject.replace("-", ""))


def show(key):
    text = key.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def digest_of(told):
    try:
        data = bytes.fromhex(told) if isinstance(told, str) else b""
    except ValueError:
        return None
    return data if len(data) == 32 else None


class Chains:
    """Follows all chains; an entry that came before the one it follows waits for it."""

    def __init__(self, report):
        self.report = report
        self.table, self.waiting, self.batches, self.claims, self.payloads = Table(), {}, {}, {}, {}

    def take(self, facts, digest):
        subject, seq = facts["subject"], facts["seq"]
        key = key_of(subject)
        end = self.table.get(key)
        last = end[0] if end else 0
        if seq <= last:
            return self.report("chain-fork", f"entry {subject}/{seq}", f"the chain has entry {seq} already")
        if seq > last + 1:
            others = self.waiting.setdefault(subject, {})
            if seq in others:
                self.report("chain-fork", f"entry {subject}/{seq}", f"the chain has entry {seq} already")
            others[seq] = (facts, digest)
            return None
        self.follow(key, end, facts, digest)
        others = self.waiting.get(subject)
        if others and seq + 1 in others:
            waiting = others.pop(seq + 1)
            if not others:
                del self.waiting[subject]
            self.take(*waiting)
        return None

    def follow(self, key, end, facts, digest):
        kind, seq, previous = facts["kind"], facts["seq"], facts["previous"]
        place = f"entry {facts['subject']}/{seq}"
        if end is None:
            if kind in ("batch", "export"):
                if previous is not None:
                    self.report("entry-link", place, "a first entry names one before it")
            elif not (kind == "file" and previous is None):
                self.claims.setdefault((facts["batch"], previous), place)
        elif previous != end[1].hex():
            self.report("entry-link", place, "does not name the entry before it")
        told = None
        if kind == "record":
            told = facts.get("idempotency_key")
        elif kind == "file" and seq == 1:
            told = facts.get("detail", {}).get("sha256")
        self.table.set(key, seq, digest, digest_of(told) or (end[2] if end else NONE))
        if kind == "file" and isinstance(facts.get("detail", {}).get("payload", 0), (str, type(None))):
            self.payloads[facts["subject"]] = facts["detail"]["payload"]
        if kind == "batch" and seq == 1:
            self.batches[facts["subject"]] = digest.hex()

    def take_subject(self, row, fingerprint):
        place = f"{row['kind']} {row['id']}"
        key = key_of(row["id"])
        end = self.table.get(key)
        if end is None:
            return self.report("chain-missing", place, "there is no entry of it")
        if end[0] != row["seq"] or end[1].hex() != row["hash"]:
            self.report("chain-end", place, f"its chain ends at entry {end[0]}, its row knows entry {row['seq']}")
        if fingerprint is not None and end[2].hex() != fingerprint:
            self.report("content-digest", place, "its content has another digest than its entries say")
        self.table.mark(key)
        return None

    def end(self):
        for subject, others in self.waiting.items():
            seq = min(others)
            self.report("chain-gap", f"entry {subject}/{seq}", f"the chain lacks entry {seq - 1}")
        for (batch, previous), place in self.claims.items():
            if previous is None or self.batches.get(batch) != previous:
                self.report("entry-link", place, "does not name its batch's first entry")
        first, count = self.table.unmarked()
        if first is not None:
            self.report("chain-stray", f"subject {show(first)}", f"{count} chains are of no batch, file or record")


# --- Entries and the export ---

TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z", re.ASCII)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def utf16(name):
    return name.encode("utf-16-be", "surrogatepass")


def refuse(_):
    raise ValueError("not canonical")


def by_name(value):
    """Members in the order of RFC 8785, where that is not Python's own order of texts."""
    if isinstance(value, dict):
        return {name: by_name(value[name]) for name in sorted(value, key=utf16)}
    return [by_name(one) for one in value] if isinstance(value, list) else value


ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True).encode
DECODE = json.JSONDecoder(parse_constant=refuse).decode


def canonical(value):
    return ENCODE(value)


def read_object(text):
    try:
        value = DECODE(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_canonical(value, text):
    try:
        if canonical(value) == text:
            return True
        ordered = json.dumps(by_name(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return ordered == text
    except (ValueError, RecursionError):
        return False


def parse_entry(data):
    """Members of an entry in canonical form, or None."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    value = read_object(text)
    if value is None or not is_canonical(value, text):
        return None
    for name in ("batch", "jurisdiction", "kind", "subject"):
        if not isinstance(value.get(name), str):
            return None
    seq = value.get("seq")
    if not isinstance(seq, int) or isinstance(seq, bool) or not 0 < seq < SEEN:
        return None
    if not UUID.fullmatch(value["subject"]) or not isinstance(value.get("detail", {}), dict):
        return None
    if "previous" not in value or not isinstance(value["previous"], (str, type(None))):
        return None
    if not isinstance(value.get("idempotency_key"), (str, type(None))):
        return None
    steps = value.get("transitions")
    if not isinstance(steps, list) or not steps:
        return None
    for step in steps:
        if not isinstance(step, list) or len(step) != 2 or not isinstance(step[0], str):
            return None
        if not isinstance(step[1], str) or not TIME.fullmatch(step[1]):
            return None
    return value


class Verification:
    def __init__(self, notes, keys, payloads):
        self.notes, self.keys, self.payloads = notes, keys, payloads
        self.faults, self.fault_count = [], 0
        self.commits = self.entries = self.subjects = self.good = self.lines = self.section = 0
        self.tree, self.heads, self.commit = Tree(), [], None
        self.last_subject = ""
        self.jurisdiction, self.is_past_log, self.is_ended = "", False, False
        self.chains = Chains(self.report)

    def report(self, check, place, message):
        self.fault_count += 1
        if len(self.faults) < KEPT:
            self.faults.append(f"FAILED {check}: {place}: {message}")

    def take(self, line):
        self.lines += 1
        try:
            value = read_object(line.decode("utf-8"))
        except UnicodeDecodeError:
            value = None
        kind = value.get("type") if value else None
        sections = {"export": 0, "commit": 2, "entry": 2, "subject": 3, "end": 4}
        section = sections.get(kind) if isinstance(kind, str) else None
        if section is None or (section == 0) != (self.lines == 1) or self.is_ended:
            return self.report("export-form", f"line {self.lines}", "does not belong here")
        if section < self.section:
            return self.report("export-form", f"line {self.lines}", "comes too late")
        self.section = section
        return getattr(self, "on_" + kind)(value)

    def on_export(self, value):
        if value.get("form") != 1 or not isinstance(value.get("jurisdiction"), str):
            return self.report("export-form", "line 1", "is of another form")
        self.jurisdiction = value["jurisdiction"]
        for name, text in self.notes:
            parts = read_note(text)
            head = read_checkpoint(parts[0]) if parts else None
            worth = judge(text, self.keys)
            if head is None:
                self.report("checkpoint-form", name, "is no signed checkpoint")
            elif worth != "valid":
                self.report("checkpoint-signature", name,
                            "is signed by none of the keys" if worth == "unknown" else "has a false signature")
            elif not head[0].endswith("/" + self.jurisdiction):
                self.report("checkpoint-origin", name, f"is of the log {head[0]}")
            else:
                self.heads.append(head)
        self.heads.sort(key=lambda head: head[1])
        return None

    def on_commit(self, value):
        self.close_commit()
        self.commits += 1
        leaf = value.get("leaf")
        text = leaf if isinstance(leaf, str) else ""
        told = read_object(text) or {}
        name = told.get("commit")
        whole = (set(told) == {"commit", "committed_at", "entries", "form", "jurisdiction", "root"}
                 and told["form"] == 1 and isinstance(told["committed_at"], str) and isinstance(name, str)
                 and isinstance(told["entries"], int) and isinstance(told["root"], str) and canonical(told) == text)
        if not whole:
            self.report("commit-form", f"line {self.lines}", "its leaf is not one of a commit")
        elif told["jurisdiction"] != self.jurisdiction:
            self.report("commit-form", f"commit {name}", "is of another jurisdiction")
        else:
            self.commit = {"id": name, "entries": told["entries"], "root": told["root"], "tree": Tree(), "last": ("", 0)}
        index = value.get("index")
        if index is None and "index" in value:
            self.is_past_log = True
            return
        if index != self.tree.size or self.is_past_log:
            self.report("leaf-gap", f"commit {name}", f"stands at place {index if isinstance(index, int) else '?'}, expected {self.tree.size}")
        self.tree.append(leaf_hash(text.encode()))
        while self.heads and self.heads[0][1] == self.tree.size:
            _, size, root = self.heads.pop(0)
            if root == self.tree.root():
                self.good += 1
            else:
                self.report("checkpoint-root", f"checkpoint {size}", f"the first {size} commits have another root")

    def close_commit(self):
        commit, self.commit = self.commit, None
        if commit is None:
            return
        found = commit["tree"].size
        if found != commit["entries"]:
            self.report("commit-root", f"commit {commit['id']}", f"counts {commit['entries']} entries and has {found}")
        elif commit["tree"].root().hex() != commit["root"]:
            self.report("commit-root", f"commit {commit['id']}", "its root is not that of its entries")

    def on_entry(self, value):
        self.entries += 1
        subject, seq, text = value.get("subject"), value.get("seq"), value.get("entry")
        name = subject if isinstance(subject, str) else "?"
        number = seq if isinstance(seq, int) else 0
        place = f"entry {name}/{number}"
        try:
            data = text.encode() if isinstance(text, str) else base64.b64decode(str(value.get("base64", "")))
        except (ValueError, binascii.Error):
            data = b""
        commit = self.commit
        if commit is None:
            return self.report("export-form", place, "stands under no commit")
        digest = hashlib.sha256(data).digest()
        commit["tree"].append(leaf_hash(digest))
        order = (name, number)
        if order <= commit["last"]:
            self.report("entry-order", place, "is out of order in its commit")
        commit["last"] = order
        facts = parse_entry(data)
        if facts is None:
            return self.report("entry-form", place, "is not an entry in canonical form")
        if (facts["subject"] != subject or facts["seq"] != seq or facts["jurisdiction"] != self.jurisdiction
                or facts.get("commit") != commit["id"]):
            return self.report("entry-subject", place, "was written for another subject, place, commit or jurisdiction")
        return self.chains.take(facts, digest)

    def on_subject(self, value):
        self.close_commit()
        self.subjects += 1
        texts = all(isinstance(value.get(name), str) for name in ("id", "kind", "hash"))
        if not texts or not isinstance(value.get("seq"), int) or not UUID.fullmatch(value["id"]):
            return self.report("export-form", f"line {self.lines}", "is no subject")
        told = value.get("sha256" if value["kind"] == "file" else "key")
        needs_digest = value["kind"] in ("file", "record")
        known = value["kind"] in ("batch", "file", "record", "export")
        if not known or needs_digest != isinstance(told, str) or value["id"] <= self.last_subject:
            self.report("export-form", f"line {self.lines}", "is no subject, or out of order")
        self.last_subject = value["id"]
        self.chains.take_subject(value, told if isinstance(told, str) else None)
        if value["kind"] == "file" and self.payloads is not None:
            self.check_payload(value["id"], self.chains.payloads.get(value["id"], value.get("sha256")))
        return None

    def check_payload(self, name, expected):
        digest = hashlib.sha256()
        try:
            with open(os.path.join(self.payloads, name), "rb") as payload:
                for block in iter(lambda: payload.read(1 << 20), b""):
                    digest.update(block)
        except OSError:
            if expected is None:
                return None
            return self.report("payload-missing", f"file {name}", "its payload is not there")
        if expected is None:
            self.report("payload-kept", f"file {name}", "its payload was to be removed and is there")
        elif digest.hexdigest() != expected:
            self.report("payload-digest", f"file {name}", "its payload is not what its entries say")
        return None

    def on_end(self, value):
        self.close_commit()
        self.is_ended = True
        if (value.get("commits"), value.get("entries"), value.get("subjects")) != (
                self.commits, self.entries, self.subjects):
            self.report("export-form", f"line {self.lines}", "the export has other counts than it says")

    def close(self):
        self.close_commit()
        if not self.is_ended:
            self.report("export-form", f"line {self.lines + 1}", "the export is cut off")
        self.chains.end()
        for _, size, _ in self.heads:
            self.report("checkpoint-root", f"checkpoint {size}", f"the log has only {self.tree.size} commits")


def files_of(paths):
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        names = (os.path.join(path, name) for name in os.listdir(path) if not name.startswith("."))
        found.extend(name for name in names if os.path.isfile(name) and not os.path.islink(name))
    return sorted(found)


def read_text(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description="Verifies an export of Docket's audit log.")
    parser.add_argument("export")
    parser.add_argument("--checkpoints", action="append", nargs="+", default=[])
    parser.add_argument("--keys", action="append", nargs="+", required=True)
    parser.add_argument("--payloads")
    options = parser.parse_args()
    keys = []
    for path in sum(options.keys, []):
        for line in (line.strip() for line in read_text(path).split("\n")):
            if line != "" and not line.startswith("#"):
                key = read_key(line)
                if key is None:
                    sys.exit(f"{path} holds a line that is not a verifier key (name+id+key).")
                keys.append(key)
    notes = [(path, read_text(path)) for path in files_of(sum(options.checkpoints, []))]
    verification = Verification(notes, keys, options.payloads)
    with open(options.export, "rb") as export:
        for line in export:
            verification.take(line.rstrip(b"\n"))
    verification.close()
    v = verification
    print(f"Checked {v.commits} commits, {v.entries} entries, {v.subjects} subjects, {v.good} checkpoints.")
    for fault in v.faults:
        print(fault)
    if v.fault_count > len(v.faults):
        print(f"and {v.fault_count - len(v.faults)} more")
    if v.fault_count == 0 and v.good == 0:
        print("NOT PROVED: no checkpoint was found, and a log that was made anew as a whole looks like this too.")
    if v.fault_count > 0 or v.good == 0:
        sys.exit(1)
    print("Every check passed.")


if __name__ == "__main__":
    main()
