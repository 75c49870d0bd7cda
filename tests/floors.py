#!/usr/bin/env python3
"""Checks that a room includes only lower rooms, that a package stays in the room that owns it, that files which are
compiled together share no hidden name, and that no force element reaches the workspace."""
import pathlib
import re
import sys

import lint

ROOMS = ["topology", "recursive", "natural_coords", "penalty", "integrator", "vehicles", "apps"]
ABOVE_OWN_NEEDS = {"penalty": {"natural_coords"}}  # lower, yet none of its business
PACKAGES = [  # include, files that may have it, in words
    (r"tinyxml2\.h", r"vehicles/files/xml/.*", "vehicles/files/xml"),
    (r"boost/.*", r"topology/.*\.cpp", "topology/*.cpp"),
    (r"(suitesparse/)?cholmod.*\.h|Eigen/CholmodSupport", r"penalty/.*\.cpp", "penalty/*.cpp"),
    (r"muParser.*\.h", r"vehicles/.*\.cpp", "vehicles/*.cpp"),
    (r"CLI/.*", r"apps/cli/command\.cpp", "apps/cli/command.cpp"),
    (r"fmt/.*", r"apps/.*", "apps"),
    (r"unsupported/Eigen/FFT", r"vehicles/analysis/metrics/spectrum\.cpp", "vehicles/analysis/metrics/spectrum.cpp"),
    (r"nlohmann/.*", r"apps/.*|vehicles/files/chrono/.*\.cpp", "apps and vehicles/files/chrono/*.cpp"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)

root = pathlib.Path(__file__).resolve().parent.parent
faults = []
files = 0
for top in ROOMS + ["tests"]:
    for path in sorted(root.glob(f"{top}/**/*.[hc]pp")):
        files += 1
        name = path.relative_to(root).as_posix()
        if path.suffix == ".hpp" and set(path.relative_to(root).parts[1:-1]) & set(ROOMS):
            faults.append(f"{name}: a folder with headers bears a room's name")
        if top == "tests":
            continue
        for bracket, include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            first = include.split("/")[0]
            if first in ROOMS:
                if ROOMS.index(first) > ROOMS.index(top) or first in ABOVE_OWN_NEEDS.get(top, ()):
                    faults.append(f"{name}: includes {include}, which is not a lower room")
            elif bracket == '"':
                faults.append(f'{name}: "{include}" is not written from the repository root')
            for package, owners, words in PACKAGES:
                if re.fullmatch(package, include) and not re.fullmatch(owners, name):
                    faults.append(f"{name}: {include} belongs to {words} alone")

# a force element is given a ForceInput and writes to a ForceSink: its files do not name the workspace, and no force's function
# in these rooms takes one that it could write to
HANDS_OUT_VIEWS = {f"recursive/forces/{stem}{end}" for stem in ("force_input", "force_sink", "evaluate_forces")
                   for end in (".hpp", ".cpp")}
elements = 0
for top in ("recursive/forces", "integrator", "vehicles", "apps", "tests"):
    for path in sorted(root.glob(f"{top}/**/*.[hc]pp")):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        header = path.with_suffix(".hpp")
        declares = [f for f in {path, header} if f.exists() and ": public ForceElement" in f.read_text(encoding="utf-8")]
        elements += bool(declares)
        if top != "tests" and declares and re.search(r"\bTreeWorkspace\b", text):
            faults.append(f"{name}: a force element names TreeWorkspace, expected ForceInput and ForceSink alone")
        if top in ("recursive/forces", "vehicles") and name not in HANDS_OUT_VIEWS:
            if re.search(r"(?<!const )\bTreeWorkspace\s*&", text):
                faults.append(f"{name}: takes a TreeWorkspace that it could write to")
        if re.search(r"\b(add_forces|report|update_states|settle_states)\([^)]*TreeWorkspace[^)]*\) const override", text):
            faults.append(f"{name}: a force element is handed a TreeWorkspace")
if elements == 0:
    faults.append("floors: no force element found")

# rooms that are compiled some files at a time (cmake/Room.cmake): no constant or type of one file bears the name of
# another's or of a public type
PUBLIC = re.compile(r"^(?:struct|class|enum|enum class) (\w+)", re.M)
seen = {}
for room in ROOMS:
    for path in sorted(root.glob(f"{room}/**/*.hpp")):
        if "/cli/" not in str(path):
            seen.update(dict.fromkeys(PUBLIC.findall(path.read_text()), path.relative_to(root)))
for top in ("vehicles", "apps/cli"):
    owners = dict(seen)
    for path in sorted(root.glob(f"{top}/**/*.cpp")):
        for hidden in sorted(lint.hidden_names(path)):
            if not re.match(r"k?[A-Z]", hidden) or hidden == "Json":
                continue
            if hidden in owners:
                faults.append(f"{path.relative_to(root)}: {hidden} is a name of {owners[hidden]} too")
            owners.setdefault(hidden, path.relative_to(root))

print("\n".join(faults) if faults else f"floors: {files} files, no fault")
sys.exit(bool(faults) or files == 0)
