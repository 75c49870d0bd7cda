#!/usr/bin/env python3
"""Checks that what people read uses the field's words: help texts, messages, docstrings, pages, files of models.

A string literal or a comment that runs over several lines is read as one. History (CHANGELOG.md, docs/decisions/) and the
file of the old names keep the words that they are about.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = {  # not to be used: what stands in its place
    "hand wheel": "steering wheel (ISO 8855)",
    "handwheel": "steering wheel (ISO 8855)",
    "mass centre": "centre of mass (ISO 8855)",
    "center of mass": "centre of mass, as the others",
    "freedoms": "degrees of freedom",
    "crew": "thread pool",
}
SKIPPED = ("build", ".git", "apps/viewer/node_modules", "docs/decisions", "CHANGELOG.md", "vehicles/files/old_names.cpp", "tests")
SUFFIXES = {".cpp", ".hpp", ".h", ".md", ".xml", ".xsd"}


def is_read(path):
    name = path.relative_to(ROOT).as_posix()
    return path.suffix in SUFFIXES and not any(name == s or name.startswith(s + "/") for s in SKIPPED)


def on_one_line(text):
    """The text with the breaks inside literals, comments and paragraphs made blanks of the same length."""
    blank = lambda match: "\0" * len(match[0])
    text = re.sub(r'"[ \t]*\n\s*"', blank, text)
    return re.sub(r"[ \t]*\n[ \t]*(?:///?|#|\*)?[ \t]*", lambda match: " " * len(match[0]), text)


faults = []
pages = 0
for path in sorted(p for p in ROOT.rglob("*") if p.is_file() and is_read(p)):
    pages += 1
    text = path.read_text(encoding="utf-8", errors="replace")
    joined = on_one_line(text)
    for word, better in WORDS.items():
        pattern = r"\b" + r"[ \0]+".join(re.escape(part) for part in word.split()) + r"\b"
        for match in re.finditer(pattern, joined, re.IGNORECASE):
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path.relative_to(ROOT)}:{line}: '{word}', expected {better}")
print("\n".join(faults) if faults else f"words: {pages} files use the field's words")
sys.exit(1 if faults else 0)
