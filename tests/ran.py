#!/usr/bin/env python3
"""Prints how many tests the last run of CTest executed, which were skipped, and which suites took longest.

  tests/ran.py BUILD      BUILD: the folder that ctest ran in

CTest runs a suite as one test (tests/suites.cmake); this counts the tests inside. Fails when there is none.
"""
import pathlib
import re
import sys

RAN = re.compile(r"^\[==========\] (\d+) tests? from \d+ test suites? ran", re.MULTILINE)
SKIPPED = re.compile(r"^\[  SKIPPED \] (\S+?),? .*\(\d+ ms\)$", re.MULTILINE)
ENTRY = re.compile(r"^\d+/\d+ Testing: (\S+)$|^Test time = +([\d.]+) sec$", re.MULTILINE)


def main():
    text = (pathlib.Path(sys.argv[1]) / "Testing/Temporary/LastTest.log").read_text(errors="replace")
    count = sum(int(number) for number in RAN.findall(text))
    skipped = SKIPPED.findall(text)
    times = []
    name = ""
    for entry, seconds in ENTRY.findall(text):
        if entry:
            name = entry
        else:
            times.append((float(seconds), name))
    print(f"{count} tests ran in {len(times)} suites or scripts, {len(skipped)} of them skipped"
          + "".join(f"\n  skipped: {test}" for test in skipped))
    longest = sorted(times, reverse=True)[:5]
    print("longest: " + ", ".join(f"{suite} {seconds:.1f} s" for seconds, suite in longest))
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
