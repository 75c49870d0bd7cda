#!/usr/bin/env python3
"""Compares the answers of two builds of semirec, each in its own tree: results.csv of every shipped model in every shipped
scenario that suits it, by all four formulations.

  tests/regression/compare_answers.py OLD [--new NEW] [--only WORD] [--until SECONDS] [--jobs N] [--verbose]

OLD and NEW (default: the tree of this script) hold vehicles/ and build/release/bin/semirec. Names of OLD that NEW calls otherwise
are in renamed.txt beside this script: 'old new' a line, applied to file names, arguments and channels.

Two runs agree when every channel does: to the bit, or within ten times what one unit in the last place of the chassis' mass
changes in OLD and 1e-9 of the channel's peak, whichever is less; below 1e-9 (in the channel's unit) everything is noise. energy.error is
not compared. In runs named in END_ONLY, where contact with edges amplifies the last bit, only the last row is.

Exit code: 0 all agree, 1 some do not, 2 the command line."""

import argparse
import concurrent.futures
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FORMULATIONS = ["hybrid", "global", "topological", "recursive", "cartesian"]
END_ONLY = ("ramp_and_stairs",)
NOISE = 1e-9
ULP = "*1.0000000000000002220446049250313"


def read_names():
    path = HERE / "renamed.txt"
    pairs = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {old: new for old, new in pairs}


def rename(text, names):
    return re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))), lambda m: names[m.group()], text) if names else text


def run(tree, model, scenario, formulation, until, out, more=()):
    """The columns of results.csv (names, then units) by name, or the last line of what it says."""
    command = [str(tree / "build/release/bin/semirec"), "run", f"vehicles/models/{model}", f"vehicles/scenarios/{scenario}",
               "--formulation", formulation, "--out", str(out), *more]
    if until:
        command += ["--until", str(until)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    path = out / "results.csv"
    if done.returncode == 3 or not path.exists():
        lines = done.stderr.strip().splitlines()
        return lines[-1] if lines else f"exit code {done.returncode}", done.returncode
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[2:]] for k, name in enumerate(rows[0])}, done.returncode


def shake(tree, model, scenario, formulation, until, out):
    """The run of OLD with the last bit of the chassis' mass changed; of a mechanism without one, of every mass."""
    for body in ("chassis", "*"):
        result, _ = run(tree, model, scenario, formulation, until, out / body.replace("*", "all"), ("--set", f"{body}.mass={ULP}"))
        if not isinstance(result, str):
            return result
    return {}


def largest_difference(a, b):
    if len(a) != len(b):
        return math.inf
    return max((abs(x - y) if not (math.isnan(x) and math.isnan(y)) else 0.0 for x, y in zip(a, b)), default=0.0)


def compare(old, new, model, scenario, formulation, until, names):
    """A line about one run: state, text."""
    label = f"{model} {scenario} {formulation}"
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        before, code_before = run(old, model, scenario, formulation, until, at / "a")
        after, code_after = run(new, rename(model, names), rename(scenario, names), formulation, until, at / "b")
        if isinstance(before, str) or isinstance(after, str):
            if isinstance(before, str) and isinstance(after, str) and code_before == code_after:
                return "refused", label
            return "DIFFERS", f"{label}: {before if isinstance(before, str) else 'runs'} / {after if isinstance(after, str) else 'runs'}"
        if code_before != code_after:
            return "DIFFERS", f"{label}: exit codes {code_before}, {code_after}"
        before = {rename(name, names): values for name, values in before.items()}
        if set(before) != set(after):
            return "DIFFERS", f"{label}: channels {sorted(set(before) ^ set(after))[:6]}"
        if END_ONLY and any(word in scenario for word in END_ONLY):
            before = {name: values[-1:] for name, values in before.items()}
            after = {name: values[-1:] for name, values in after.items()}
        different = {name: largest_difference(before[name], after[name]) for name in before if name != "energy.error"}
        different = {name: d for name, d in different.items() if d != 0.0}
        if not different:
            return "same", label
        shaken = shake(old, model, scenario, formulation, until, at)
        shaken = {rename(name, names): values for name, values in shaken.items()}
        worst = (0.0, "")
        for name, d in different.items():
            peak = max(abs(v) for v in before[name])
            reference = shaken.get(name)
            if reference is not None and any(word in scenario for word in END_ONLY):
                reference = reference[-1:]
            allowed = 10.0 * largest_difference(before[name], reference) if reference else 0.0
            if not any(word in scenario for word in END_ONLY):
                allowed = min(allowed, 1e-9 * peak)
            allowed = max(allowed, NOISE)
            worst = max(worst, (d / allowed if allowed else math.inf, f"{name} by {d:.2g}, peak {peak:.3g}, allowed {allowed:.2g}"))
        return ("DIFFERS" if worst[0] > 1.0 else "close"), f"{label}: {worst[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("--new", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--only", default="")
    parser.add_argument("--until", type=float, default=0.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    old, new = options.old.resolve(), options.new.resolve()
    names = read_names()
    cases = [(old, new, model.name, scenario.name, formulation, options.until, names)
             for model in sorted((old / "vehicles/models").glob("*.xml"))
             for scenario in sorted((old / "vehicles/scenarios").glob("*.xml"))
             for formulation in FORMULATIONS
             if options.only in f"{model.name} {scenario.name} {formulation}"]
    if not cases:
        print("nothing to compare", file=sys.stderr)
        return 2
    count = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for state, text in pool.map(lambda case: compare(*case), cases):
            count[state] = count.get(state, 0) + 1
            if state == "DIFFERS" or options.verbose:
                print(f"{state:8} {text}", flush=True)
    print(", ".join(f"{count[state]} {state}" for state in sorted(count)))
    return 1 if count.get("DIFFERS") else 0


if __name__ == "__main__":
    sys.exit(main())
