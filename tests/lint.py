#!/usr/bin/env python3
"""clang-tidy on the rooms and the program, many files at a time.

Most of clang-tidy's time goes into Eigen's headers, which every file includes. Files that are compiled alike and
define no name twice are therefore read as one; a unit that does not compile is taken apart and read file by file.

  tests/lint.py BUILD FILE...     BUILD: a folder with compile_commands.json

A header among the files stands for one source that includes it, its own where it has one: findings in headers are
shown with every file that includes them.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

LARGEST_UNIT = 12
HIDDEN = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^(?:struct|class|enum|enum class) (\w+)|^using (\w+) =|^(?!using)\S[^;={]*?\b(\w+)(?:\(|\s*=|\{)", re.MULTILINE)


def hidden_names(path):
    """Names that the file defines for itself: two files of a unit may not share one."""
    names = set()
    for block in HIDDEN.findall(path.read_text()):
        names.update("".join(found) for found in NAME.findall(block))
    return names


def flags_of(build):
    """Compiler's words of each file, without the file itself."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])[1:]
        for word in ("-o", "-c"):
            at = words.index(word)
            del words[at : at + 2]
        flags[entry["file"]] = tuple(words)
    return flags


INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def with_readers_of_headers(files, flags):
    """The sources among the files, and for each header one source that reaches it if none of them does."""
    root = pathlib.Path(__file__).resolve().parent.parent
    sources = [path for path in files if str(path) in flags]
    headers = [path for path in files if path.suffix != ".cpp"]
    if not headers:
        return sources
    included = {}  # what each file of ours includes itself
    def includes(path):
        if path not in included:
            names = INCLUDE.findall(path.read_text(errors="replace")) if path.is_file() else []
            included[path] = [found for name in names for found in (root / name, path.parent / name) if found.is_file()]
        return included[path]

    def reached(source):
        seen, todo = {source}, [source]
        while todo:
            for path in includes(todo.pop()):
                if path not in seen:
                    seen.add(path)
                    todo.append(path)
        return seen

    seen = set()
    for source in sources:
        seen |= reached(source)
    everything = sorted(pathlib.Path(name) for name in flags)
    for header in headers:
        if header in seen:
            continue
        own = header.with_suffix(".cpp")
        for source in ([own] if str(own) in flags else []) + everything:
            if header in reached(source):
                sources.append(source)
                seen |= reached(source)
                break
    return sources


def group(files, flags):
    """Lists of files that can be read as one; of one folder's neighbours first."""
    units = []
    for path in files:
        names = hidden_names(path)
        for unit in units:
            if unit["flags"] == flags[str(path)] and len(unit["files"]) < LARGEST_UNIT and not names & unit["names"]:
                break
        else:
            unit = {"flags": flags[str(path)], "files": [], "names": set()}
            units.append(unit)
        unit["files"].append(path)
        unit["names"] |= names
    return units


def run_tidy(source, flags, *options):
    command = ["clang-tidy", "-quiet", *options, str(source), "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def lint(unit, number, build):
    """Findings of a unit, empty if there are none."""
    if len(unit["files"]) > 1:
        # beside the sources, so that their .clang-tidy holds
        source = build / f"unit_{number}.cpp"
        source.write_text("".join(f'#include "{path}"\n' for path in unit["files"]))
        status, text = run_tidy(source, unit["flags"], "--checks=-bugprone-suspicious-include")
        if status == 0:
            return ""
        if "clang-diagnostic-error" not in text:
            return text
    findings = ""
    for path in unit["files"]:
        status, text = run_tidy(path, unit["flags"])
        if status:
            findings += text
    return findings


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    files = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    flags = flags_of(build)
    files = with_readers_of_headers(files, flags)
    units = group(files, flags)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(lint, unit, k, build) for k, unit in enumerate(units)]
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                failed = True
                print(job.result(), flush=True)
    print(f"{len(files)} files in {len(units)} units")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
