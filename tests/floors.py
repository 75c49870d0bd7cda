#!/usr/bin/env python3
"""Checks that a room includes only lower rooms, that the folders inside a room include only lower folders, that a package
stays in the room that owns it, that nobody outside of the formulations asks which one a model has, that no force element
reaches the workspace, that the lanes stay behind the sweeps, and that files which are compiled together share no hidden name."""
import pathlib
import re
import sys

import lint

ROOMS = ["topology", "recursive", "natural_coords", "penalty", "integrator", "vehicles", "apps"]
ABOVE_OWN_NEEDS = {"penalty": {"natural_coords"}}  # lower, yet none of its business
# Inside of a room, from the ground floor up. A file belongs to the longest entry that its path begins with, the entries of
# one line stand on one floor, and every file of these rooms has one.
FLOORS = {
    "natural_coords": ["closure", "rows/", "global/ euler_parameters/"],
    "penalty": ["row_products factors/", "dynamic_terms", "augmented_lagrangian projection saddle loop_group", "loop_split",
                "independent_solver"],
    "integrator": [
        "state same_time",
        "scheme/",
        "report",
        "formulation/ model workspace initial_state",
        "method/",
        "compile iteration_plan newton accept_step step",
        "batch/",
        "outputs/",
        "statics/",
        "event contact_ first_crossing",
        "simulation run_in_progress",
        "batch/run_side_by_side",
    ],
    "vehicles": [
        "expressions/",
        "road/",
        "tyre/",
        "driveline/",
        "parts/",
        "equations/",
        "description/",
        "drawing/",
        "files/csv files/old_names files/json_file",
        "files/mesh/",
        "files/xml/",
        "files/chrono/",
        "session/",
        "analysis/metrics/",
        "analysis/ driver/manual_gearbox",
        "analysis/kc/ analysis/bicycle/",
        "driver/",
        "manoeuvre/",
        "study/",
        "fleet/",
    ],
}
# how the sweeps run side by side is known to the sweeps, to what lies in their lanes, and to nobody else
LANES = re.compile(r"recursive/((lanes|cars)/.*|.*\.cpp)|natural_coords/closure.*|penalty/factors/.*|integrator/batch/.*"
                   r"|integrator/formulation/(global|cartesian|tangent_pattern)\.cpp")
PACKAGES = [  # include, files that may have it, in words
    (r"tinyxml2\.h", r"vehicles/files/xml/xml_parser\.cpp|apps/seat/seat_scenario\.cpp", "vehicles/files/xml/xml_parser.cpp and apps/seat/seat_scenario.cpp"),
    (r"boost/(asio|beast)/.*", r"apps/seat/seat_server\.cpp", "apps/seat/seat_server.cpp"),
    (r"boost/(?!asio/|beast/).*", r"topology/.*\.cpp", "topology/*.cpp"),
    (r"(suitesparse/)?cholmod.*\.h|Eigen/CholmodSupport", r"penalty/factors/sparse_factor\.cpp", "penalty/factors/sparse_factor.cpp"),
    (r"muParser.*\.h", r"tests/.*\.cpp", "tests/*.cpp"),
    (r"CLI/.*", r"apps/cli/command\.cpp", "apps/cli/command.cpp"),
    (r"fmt/.*", r"apps/.*", "apps"),
    (r"unsupported/Eigen/FFT", r"vehicles/analysis/metrics/spectrum\.cpp", "vehicles/analysis/metrics/spectrum.cpp"),
    (r"pybind11/.*", r"apps/python/bindings/.*", "apps/python/bindings"),
    (r"nlohmann/.*", r"apps/.*|vehicles/files/json_file\.cpp", "apps and vehicles/files/json_file.cpp"),
]
# the formulation of a model is asked for in its own room; elsewhere it may be chosen, printed and called
FORMULATION = "integrator/formulation/"
ASKS = re.compile(r"(?:[!=]=\s*|case\s+)(?:semirec::)?Formulation::\w+|(?:semirec::)?Formulation::\w+\s*[!=]=|"
                  r"formulation->name\(\)\)?\s*[!=]=|[!=]=\s*\S*formulation->name\(\)|"
                  r"_cast<[^;]*>\(\*?[\w.>-]*formulation\b|\b(?:model|ws)(?:_)?\.(?:global|topological|relative)\b|"
                  r"\b(?:global|cartesian)_model_of\(|"
                  r'#include "integrator/formulation/(?:global|hybrid|recursive|topological|cartesian|twin_formulation|articulated_solver|'
                  r'matrix_workspace|relative_coordinates)\.hpp"')
CHOICE = re.compile(r"\bFormulation::\w+")  # a default, a command that needs no matrix, a method of a comparison
CHOOSES = {"integrator/compile.hpp", "vehicles/session/shared_reactions.cpp", "apps/cli/info.cpp", "apps/cli/compare_cell.cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)



def floor_of(name):
    """The room of a file, its floor there and the floor's words; no floor (-1) where FLOORS has none for it."""
    room, _, inside = name.partition("/")
    best, floor, words = "", -1, ""
    for index, line in enumerate(FLOORS.get(room, ())):
        for entry in line.split():
            if inside.startswith(entry) and len(entry) > len(best):
                best, floor, words = entry, index, line
    return room, floor, words


def include_faults(name, include):
    """What is wrong with a room's file `name` that includes a room's file `include`: a line each."""
    top, first = name.split("/")[0], include.split("/")[0]
    if ROOMS.index(first) > ROOMS.index(top) or first in ABOVE_OWN_NEEDS.get(top, ()):
        return [f"{name}: includes {include}, which is not a lower room"]
    if top != first or top not in FLOORS:
        return []
    (_, own, words), (_, other, upper) = floor_of(name), floor_of(include)
    return [f"{name}: includes {include}, but {upper} stands above {words} in {top}"] if other > own else []


# the rules bite: each of these pairs is one fault, and turned round none
for upper, lower in [
    ("vehicles/session/drive.hpp", "topology/mechanism.hpp"),
    ("vehicles/description/vehicle.hpp", "vehicles/tyre/wheel.hpp"),
    ("vehicles/files/xml/reader.hpp", "vehicles/description/scenario.hpp"),
    ("vehicles/analysis/kc/kc.hpp", "vehicles/analysis/answer.hpp"),
    ("integrator/statics/equilibrium.hpp", "integrator/outputs/energy.hpp"),
    ("integrator/step.cpp", "integrator/formulation/evaluate.hpp"),
    ("penalty/dynamic_terms.hpp", "penalty/factors/linear_solver.hpp"),
    ("penalty/projection.hpp", "penalty/factors/tangent_solver.hpp"),
]:
    assert not include_faults(upper, lower) and len(include_faults(lower, upper)) == 1, (upper, lower)

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
        if top in FLOORS and floor_of(name)[1] < 0:
            faults.append(f"{name}: has no floor, expected an entry in FLOORS")
        text = path.read_text(encoding="utf-8")
        if top in ("integrator", "vehicles", "apps") and not name.startswith(FORMULATION):
            asked = [match.group() for match in ASKS.finditer(text)]
            if name not in CHOOSES:
                asked += CHOICE.findall(text)
            faults.extend(f"{name}: {what!r}: which formulation it is, {FORMULATION} alone asks" for what in asked)
        for bracket, include in INCLUDE.findall(text):
            first = include.split("/")[0]
            if include.startswith("recursive/lanes/") and not LANES.fullmatch(name):
                faults.append(f"{name}: {include} belongs to the sweeps alone")
            if first in ROOMS:
                faults += include_faults(name, include)
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
for top in ("vehicles", "apps/cli", "apps/results"):
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
