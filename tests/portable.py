#!/usr/bin/env python3
"""Whether a shared library loads on other machines: python3 tests/portable.py LIBRARY EXPORTS HEADER...

It needs glibc's own libraries alone, in versions up to 2.28, and exports what begins with one of the EXPORTS (separated by commas)
and nothing else; every function that a HEADER declares with such a name is there. Read by binutils, which share no code with the
linker's script."""
import re
import subprocess
import sys

GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}
NEWEST = (2, 28)


def read(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(library, exports, headers):
    faults = []
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", read("readelf", "-dW", library)))
    if "libc.so.6" not in needed:
        faults.append(f"needs {sorted(needed)}, expected libc.so.6 among them")
    faults += [f"needs {name}, expected glibc's own libraries alone" for name in sorted(needed - GLIBC)]
    symbols = [line.split() for line in read("readelf", "--dyn-syms", "-W", library).splitlines() if re.match(r"\s*\d+:", line)]
    names = {}  # undefined or not
    for symbol in symbols:
        if len(symbol) >= 8 and symbol[6] != "ABS":  # not the name of a version
            names[symbol[7]] = symbol[6] == "UND"
    for name, undefined in sorted(names.items()):
        version = re.search(r"@+GLIBC_(\d+)\.(\d+)", name)
        if undefined and version and tuple(map(int, version.groups())) > NEWEST:
            faults.append(f"needs {name}, expected no version above {'.'.join(map(str, NEWEST))}")
        if undefined and "@" in name and not version and "GLIBC_PRIVATE" in name:
            faults.append(f"needs {name}, which is glibc's own")
        if not undefined and not name.split("@")[0].startswith(tuple(exports)):
            faults.append(f"exports {name}, expected names with {' or '.join(exports)} alone")
    present = {name.split("@")[0] for name, undefined in names.items() if not undefined}
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.S)
        declared = {name for name in re.findall(r"\b(\w+)\s*\(", text) if name.startswith(tuple(exports))}
        if not declared:
            faults.append(f"{header} declares nothing of {exports}")
        faults += [f"does not export {name}, which {header} declares" for name in sorted(declared - present)]
    for fault in faults:
        print(f"{library}: {fault}")
    versions = [tuple(map(int, v)) for n, u in names.items() if u for v in re.findall(r"@+GLIBC_(\d+)\.(\d+)", n)]
    print(f"{library}: needs {', '.join(sorted(needed))}; glibc {'.'.join(map(str, max(versions)))}; {len(present)} exported")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2].split(","), sys.argv[3:]))
