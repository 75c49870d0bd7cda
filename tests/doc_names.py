#!/usr/bin/env python3
"""Checks that what the pages name exists: files, folders, functions and scripts in backticks, and links.

A path with a folder counts from the root, or from the page's own folder. A bare file name stands in the page's own folder,
in that of the path before it in the same line, or, on the pages of docs/, anywhere. A name with () is a word of the sources. History (CHANGELOG.md) is left alone.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = {"build", ".git", "node_modules"}
SUFFIXES = r"(?:hpp|cpp|h|c|py|xsd|md|cmake)"
CODE_SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")

files, folders, words = set(), set(), set()
for folder, below, names in os.walk(ROOT):
    below[:] = [name for name in below if name not in SKIPPED]
    inside = pathlib.Path(folder).relative_to(ROOT)
    folders.add(inside.as_posix())
    for name in names:
        path = (inside / name).as_posix()
        files.add(path)
        if re.search(r"\.(hpp|cpp|h|c|py)$|^scripts/|^\.ci/", path) or name == "CMakeLists.txt" or name.endswith(".cmake"):
            words |= set(re.findall(r"\w+", (ROOT / path).read_text(encoding="utf-8", errors="replace")))
basenames = {path.rsplit("/", 1)[-1] for path in files}
tops = {path.split("/")[0] for path in files if "/" in path}


def expand(text):
    """`a.{hpp,cpp}` and `a/<room>/` as the paths that they stand for."""
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    return [e for part in match[1].split(",") for e in expand(text[:match.start()] + part + text[match.end():])]


def exists(path):
    path = path.removeprefix("./").rstrip("/")
    if "*" in path or "<" in path:
        pattern = re.compile("".join(".*" if part in ("*", "**") else "[^/]+" if part.startswith("<") else re.escape(part)
                                     for part in re.split(r"(\*+|<\w+>)", path)))
        return any(pattern.fullmatch(p) for p in files | folders)
    return path in files or path in folders


def fault_of(token, page, beside):
    own = pathlib.PurePosixPath(page).parent
    docs = own.parts[:1] == ("docs",) or page in ("README.md", "CONTRIBUTING.md")
    call = re.fullmatch(r"(?:\w+::)*(\w+)\(\)", token)
    if call:
        return None if call[1] in words else "no source knows this function"
    if re.search(r"[\s\"'=\\$&|;@~]", token) or token.startswith(("-", "http", "build/", "semirec_", ".", "/")):
        return None if not token.startswith(".ci/") or exists(token.split()[0]) else "does not exist"
    here = [(own / part).as_posix() for part in expand(token)]
    near = [(beside / part).as_posix() for part in expand(token)]
    if "/" in token.rstrip("/") or token.endswith("/"):
        if all(exists(part) for part in expand(token)) or all(exists(part) for part in here):
            return None
        first = token.split("/")[0]
        inside = (own / first).as_posix()
        known = first in tops or inside in folders or re.search(rf"\.{SUFFIXES}$", token)
        return "does not exist" if known else None
    if re.fullmatch(rf"[\w{{}},.-]+\.{SUFFIXES}", token):
        if any(all(exists(part) for part in places) for places in (here, near, [token])):
            return None
        if docs and all(part in basenames for part in expand(token)):
            return None
        return "no such file here"
    return None


def check(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    prose = re.sub(r"(?ms)^\s*```.*?^\s*```\s*$", lambda m: "\n" * m[0].count("\n"), text)
    line, beside = -1, pathlib.PurePosixPath(page).parent
    for match in CODE_SPAN.finditer(prose):
        if prose.count("\n", 0, match.start()) != line:
            line, beside = prose.count("\n", 0, match.start()), pathlib.PurePosixPath(page).parent
        token = re.sub(r"\s+", " ", match[1]).strip()
        why = fault_of(token, page, beside)
        if why:
            yield line + 1, f"`{token}`: {why}"
        if "/" in token and "." in token:
            base = pathlib.PurePosixPath(expand(token)[0])
            beside = base.parent if exists(base.as_posix()) else pathlib.PurePosixPath(page).parent / base.parent
    for match in re.finditer(r"\]\(([^)\s#]+)[^)\s]*\)", prose):
        target = match[1]
        if re.match(r"[a-z]+:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if not exists(path):
            yield prose.count("\n", 0, match.start()) + 1, f"link to {target}: does not exist"


pages = sorted(p for p in files if p.endswith(".md") and p != "CHANGELOG.md" and not p.startswith("tests/data/"))
faults = [f"{page}:{line}: {what}" for page in pages for line, what in check(page)]
print("\n".join(faults) if faults else f"doc_names: {len(pages)} pages, no fault")
sys.exit(bool(faults) or len(pages) < 30)
