#!/usr/bin/env python3
"""Whether engines for several kinds of processors share nothing: python3 tests/instruction_sets.py NM ENGINE BEGINNING [ENGINE BEGINNING]...

Of each object the functions that others see have names with its BEGINNING, and whatever it has of C++, inline functions and
templates among them, it has itself: it looks for none of that elsewhere but in the libraries of the system. Read by nm."""
import re
import subprocess
import sys

OURS = re.compile(r"\b(?:semirec|Eigen|boost|nlohmann)(?:::|_)")


def names(nm, which, file):
    listing = subprocess.run([nm, "--extern-only", which, "--format=posix", file], check=True, capture_output=True, text=True).stdout
    found = [line.split()[0] for line in listing.splitlines() if line.strip()]
    demangled = subprocess.run(["c++filt"], input="\n".join(found), check=True, capture_output=True, text=True).stdout.splitlines()
    return list(zip(found, demangled, strict=True))


def main(nm, *engines):
    faults = []
    for file, beginning in zip(engines[::2], engines[1::2], strict=True):
        seen, wanted = (names(nm, which, file) for which in ("--defined-only", "--undefined-only"))
        if not seen or not wanted:
            faults.append(f"{file}: {len(seen)} functions are seen, {len(wanted)} looked for, expected some")
        faults += [f"{file}: shows {name}, expected {beginning}... alone" for _, name in seen if not name.startswith(beginning)]
        faults += [f"{file}: looks elsewhere for {name}" for _, name in wanted if OURS.search(name)]
        print(f"{file}: {len(seen)} functions are seen, {len(wanted)} looked for in the libraries of the system")
    for fault in faults[:20]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
