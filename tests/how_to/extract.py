#!/usr/bin/env python3
"""Writes the C++ of pages as sources, and prints which pages have any.

    extract.py FOLDER PAGE...

The ```cpp blocks of a page, in their order, are one source FOLDER/<page>.cpp: its #include lines first, the rest in
namespace page_<page>. A block behind `<!-- in path -->` belongs into the file `path`: its lines, one after the other, are
in that file, and it is not compiled. Compilers name lines of the page (#line).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def blocks(page):
    """(first line, file that the block is of or None, lines) of each block."""
    owner = fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if fence is not None:
            if line.strip() == "```":
                yield fence, owner, body
                owner = fence = None
            else:
                body.append(line)
        elif line.strip() == "```cpp":
            fence, body = number + 1, []
        elif re.fullmatch(r"<!-- in (\S+) -->", line.strip()):
            owner = re.fullmatch(r"<!-- in (\S+) -->", line.strip())[1]
        elif line.strip():
            owner = None


def is_in(lines, path):
    """Whether the lines stand in the file one after the other, blanks and indentation aside."""
    wanted = [line.strip() for line in lines if line.strip()]
    there = [line.strip() for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return any(there[k:k + len(wanted)] == wanted for k in range(len(there) - len(wanted) + 1))


def source_of(page):
    includes, rest = [], []
    name = page.relative_to(ROOT).as_posix()
    for first, owner, lines in blocks(page):
        if owner is not None:
            if not (ROOT / owner).is_file():
                sys.exit(f"{name}:{first}: no file {owner}")
            if not is_in(lines, ROOT / owner):
                sys.exit(f"{name}:{first}: these lines are not in {owner}")
            continue
        rest.append(f'#line {first} "{name}"')
        for number, line in enumerate(lines, first):
            if line.startswith("#include"):
                includes += [f'#line {number} "{name}"', line]
                rest.append("")
            else:
                rest.append(line)
    if not rest:
        return ""
    return "\n".join([*includes, f"namespace page_{page.stem} {{", *rest, f"}}  // namespace page_{page.stem}", ""])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for page in map(pathlib.Path, sys.argv[2:]):
    text = source_of(page.resolve())
    if not text:
        continue
    target = folder / f"{page.stem}.cpp"
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")
    print(page.stem)
