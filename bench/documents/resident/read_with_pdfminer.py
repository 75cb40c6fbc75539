"""Reads the PDF files whose paths come line by line, every word with its place; prints the processor seconds of each."""
import sys
import time

from pdfminer.high_level import extract_pages

print("ready", flush=True)
for line in sys.stdin:
    before = time.process_time()
    try:
        for _ in extract_pages(line.strip()):
            pass
    except Exception:  # What a file does to it is no concern of the measure: it costs what it costs.
        pass
    print(time.process_time() - before, flush=True)
