#!/usr/bin/env python3
"""Writes the C++ of pages as sources, and prints which pages have any.

    extract.py FOLDER PAGE...

The ```cpp blocks of a page, in their order, are one source FOLDER/<page>.cpp: its #include lines first, the rest in
namespace page_<page>, or as it stands where the page writes `namespace semirec {` itself. A block behind `<!-- in path -->` belongs into the file `path`: its lines, one after the other, are
in that file, and it is not compiled. Compilers name lines of the page (#line).

A ```diff block names a file in its first line (`--- a/path`) and changes it; hunks are separated by @@. The changed copies
of all blocks of a page are written to FOLDER/<page>/path.
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
    if "namespace semirec {" in rest:
        return "\n".join([*includes, *rest, ""])
    return "\n".join([*includes, f"namespace page_{page.stem} {{", *rest, f"}}  // namespace page_{page.stem}", ""])


def write(target, text):
    """Leaves a file alone that is as it should be: it need not be compiled again."""
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def changed_files(page):
    """Path and text of each file that the ```diff blocks of a page change."""
    texts = {}
    for block in re.findall(r"(?ms)^```diff\n--- a/(\S+)\n(.*?)^```$", page.read_text(encoding="utf-8")):
        path, hunks = block[0], re.split(r"(?m)^@@.*\n", block[1])
        if not (ROOT / path).is_file():
            sys.exit(f"{page.name}: no file {path}")
        text = texts.get(path) or (ROOT / path).read_text(encoding="utf-8")
        for hunk in hunks:
            lines = hunk.rstrip("\n").split("\n")
            old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
            new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
            if text.count(old) != 1:
                sys.exit(f"{page.name}: these lines are in {path} {text.count(old)} times, expected once:\n{old}")
            text = text.replace(old, new)
        texts[path] = text
    return texts


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for page in map(pathlib.Path, sys.argv[2:]):
    for path, text in changed_files(page).items():
        write(folder / page.stem / path, f'#line 1 "{path} of {page.name}"\n' + text)
    text = source_of(page.resolve())
    if text:
        write(folder / f"{page.stem}.cpp", text)
        print(page.stem)
