#!/usr/bin/env python3
"""Writes the pages and the public headers as Doxygen wants them.

    docs/doxygen_input.py FOLDER

Doxygen reads every `<`, `\\` and `@` in a comment as its own and knows no links to sections of other pages. The sources
stay plain text: this copies them to FOLDER with such signs escaped, formulas (indented lines) set apart, and links
between pages written as Doxygen's references. A link to a section that does not exist is an error.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ["topology", "recursive", "natural_coords", "penalty", "integrator", "vehicles"]
HEADERS = [f"{room}/**/*.hpp" for room in ROOMS] + ["apps/capi/*.h", "apps/exchange/*.h"]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md", "apps/**/README.md", "tests/README.md"]
PAGES += [f"{room}/**/README.md" for room in ROOMS]

faults = []


def page_id(path):
    return "mainpage" if path == "README.md" else "page_" + re.sub(r"\W", "_", path.removesuffix(".md"))


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def section_id(path, anchor):
    return page_id(path) + "__" + re.sub(r"\W", "_", anchor)


def plain(text):
    """Text in which no sign is a command of Doxygen's."""
    text = re.sub(r"([\\@<])", r"\\\1", text)
    text = re.sub(r"(?<![\w&])([#%])(?=\w)", r"\\\1", text)
    return re.sub(r"(?<!-)--(?=\w)", r"\\--", text)


def code(text):
    """A code span: no emphasis, reference, table's bar or end of a sentence in it."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "<code>" + re.sub(r"([\\@#%.])", r"\\\1", text) + "</code>"


def escape(text, state):
    """Escapes a line; state[0] says whether a code span is open, as it may go on from line to line."""
    if text.endswith("\\"):  # a line that ends here
        return escape(text[:-1], state) + "<br>"
    parts = text.split("`")
    out = []
    for k, part in enumerate(parts):
        if k:
            state[0] = not state[0]
        if state[0]:
            out.append(code(part) if part.strip() else part)
        else:
            out.append(plain(part))
    return "".join(out)


def linked(text, path, anchors):
    """Links of a page as references; to what is no page, the bare words."""
    def replace(match):
        image, words, target = match[1], re.sub(r"\s+", " ", match[2]), match[3]
        if re.match(r"[a-z]+:", target):
            return match[0]
        file, _, anchor = target.partition("#")
        file = (ROOT / path).parent.joinpath(file).resolve().relative_to(ROOT).as_posix() if file else path
        if image:
            return f"\x00image html {pathlib.Path(file).name} \"{words}\""
        if file + "/README.md" in anchors:
            file += "/README.md"
        if file not in anchors:
            if not (ROOT / file).exists():
                faults.append(f"{path}: link to {target}, which does not exist")
            return words if "`" in words else f"`{words}`"
        if anchor and anchor not in anchors[file]:
            faults.append(f"{path}: link to {target}, a page without such a section")
        words = words.replace("`", "")
        return f"[{words}](\x00ref {section_id(file, anchor) if anchor else page_id(file)})"
    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", replace, text, flags=re.S)


FENCE = re.compile(r"^(\s*)```\s*(\w*)")


def page(path, text, anchors):
    out = []
    paragraph = []
    used = set()

    def flush():
        if not paragraph:
            return
        state = [False]
        lines = linked("\n".join(paragraph), path, anchors).split("\n")
        out.extend(escape(line, state).replace("\x00", "@") for line in lines)
        paragraph.clear()

    fence = None
    lines = text.split("\n")
    for k, line in enumerate(lines):
        match = FENCE.match(line)
        if fence is not None:
            if line.strip() == "```":
                out.append("@endcode")
                fence = None
            else:
                out.append(line)
        elif match:
            flush()
            fence = match[2]
            out += ["", "@code{%s}" % {"cpp": ".cpp", "c": ".c", "xml": ".xml", "python": ".py"}.get(fence, ".unparsed")]
        elif re.match(r"    \s*\S", line) and (k == 0 or not lines[k - 1].strip() or out and out[-1] == "\x01"):
            flush()
            # a formula: to the end of the indented lines
            out += ["@code{.unparsed}", line, "@endcode", "\x01"]
        elif re.match(r"#{1,6} ", line):
            flush()
            marks, heading = line.split(" ", 1)
            anchor = slug(heading)
            identity = page_id(path) if marks == "#" else section_id(path, anchor)
            label = "" if identity in used else " {#%s}" % identity
            used.add(identity)
            out += [f"{marks} {escape(re.sub(r'`', '', heading), [False])}{label}"]
        elif line.strip():
            if out and out[-1] == "\x01":
                out.append("")
            paragraph.append(line)
            continue
        else:
            flush()
            out.append("")
        if line.strip() == "" or re.match(r"#{1,6} ", line):
            flush()
    flush()
    joined = "\n".join(line for line in out if line != "\x01")
    return joined.replace("@endcode\n@code{.unparsed}\n", "")


DOCSTRING = re.compile(r"^(\s*)/// ?(.*)$")
TRAILING = re.compile(r"^(.*\S\s*///<) ?(.*)$")
KINDS = re.compile(r"(Needs|Writes|Units?|Frame|Throws|Cost|Order)  +(.*)$")


def sentence_end(words, in_code):
    """Where the first sentence ends in a line, outside of code; -1 where it goes on."""
    for match in re.finditer(r"`|(?<!Eq)(?<!Eqs)\.(?=\s|$)", words):
        if match[0] == "`":
            in_code = not in_code
        elif not in_code:
            return match.end()
    return -1


def docstring(indent, lines):
    """A comment of `///` lines: its first sentence as the brief one, indented lines as formulas."""
    mark = indent + "/// "
    out = []
    state = [False]
    in_list = formula = False
    brief = True
    first = True
    for words in lines:
        if not re.match(r"\s", words):
            in_list = bool(re.match(r"[*-] ", words))
        if re.match(r"\s+\S", words) and not (in_list or state[0] or first):
            if brief:
                out.append(mark)
                brief = False
            out.append(mark + ("" if formula else "@code{.unparsed} ") + words)
            formula = True
            continue
        if formula:
            out[-1] += " @endcode"
            formula = False
        if not words.strip():
            brief = False
        kind = KINDS.match(words)
        head = ""
        if first:
            head = "@brief "
        elif kind:
            head, words = f"@n <b>{kind[1]}</b> ", kind[2]
        first = False
        end = sentence_end(words, state[0]) if brief else -1
        if end >= 0:
            brief = False
            out += [mark + head + escape(words[:end], state), mark]
            head, words = "", words[end:].strip()
            if not words:
                continue
        out.append(mark + head + escape(words, state))
    if formula:
        out[-1] += " @endcode"
    return out


def header(text):
    out = []
    open_lines, indent = [], ""
    trailing = [False]
    for line in text.split("\n"):
        match = DOCSTRING.match(line) if not line.lstrip().startswith("///<") else None
        if match:
            open_lines.append(match[2])
            indent = match[1]
            continue
        if open_lines:
            out += docstring(indent, open_lines)
            open_lines = []
        begun = TRAILING.match(line)
        goes_on = re.match(r"^(\s*///<) ?(.*)$", line)
        if begun:
            trailing = [False]
        begun = begun or goes_on
        out.append(f"{begun[1]} {escape(begun[2], trailing)}" if begun else line)
    return "\n".join(out)


def c_header(text):
    """Comments of the C headers as documentation: behind code of what stands before, else of what follows."""
    def replace(match):
        body = match[2]
        state = [False]
        lines = [escape(line, state) for line in body.split("\n")]
        return match[1] + ("/**< " if match[1].strip() else "/** ") + "\n".join(lines).strip() + " */"
    head, _, rest = text.partition("*/")  # of the whole file, with a program in it
    lines = [re.sub(r"^ \* ?", "", line) for line in head.removeprefix("/*").split("\n")]
    text = "\n".join(re.sub(r"^  (?=\s*\S)", "    ", line) for line in lines)
    return "/** @file\n" + page("a C header", text, {}) + "\n*/" + re.sub(
        r"(?ms)^([^\n]*?)/\*(.*?)\*/", replace, rest)


def main():
    target = pathlib.Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    pages = sorted({p.relative_to(ROOT).as_posix() for pattern in PAGES for p in ROOT.glob(pattern) if "node_modules" not in p.parts})
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in pages}
    anchors = {}
    for path, text in texts.items():
        bare = re.sub(r"(?ms)^\s*```.*?^\s*```", "", text)
        anchors[path] = {slug(h) for h in re.findall(r"(?m)^#{1,6} (.*)$", bare)}
    written = {path: page(path, text, anchors) for path, text in texts.items()}
    for pattern in HEADERS:
        for file in ROOT.glob(pattern):
            text = file.read_text(encoding="utf-8")
            written[file.relative_to(ROOT).as_posix()] = header(text) if file.suffix == ".hpp" else c_header(text)
    for path, text in written.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    sys.exit(bool(faults))


main()
