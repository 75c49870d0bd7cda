#!/usr/bin/env python3
"""A processor of 2008, without AVX: python3 tests/older_processor.py EMULATOR CORE FMU PROGRAM SET

libsemirec_core.so (CORE) drives there as it does here, the library of FMUs is loaded; the program, where it is compiled for a later one (SET), says so."""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def drive(core, fmu, folder):
    """Runs in a process of its own: prints the instruction set and the outputs after 200 steps."""
    library = ctypes.CDLL(core)
    library.semirec_instructions.restype = library.semirec_create_error.restype = ctypes.c_char_p
    car = ctypes.c_void_p()
    files = [os.fsencode(f"{folder}/{file}") for file in ("models/sedan.xml", "scenarios/step_steer.xml")]
    if library.semirec_create(*files, None, ctypes.byref(car)):
        sys.exit(library.semirec_create_error().decode())
    for _ in range(200):
        if library.semirec_step(car):
            sys.exit("a step failed")
    version = ctypes.CDLL(fmu).fmi3GetVersion
    version.restype = ctypes.c_char_p
    if version() != b"3.0":
        sys.exit(f"the library of FMUs is of version {version()}")
    count = library.semirec_output_count(car)
    values = (ctypes.c_double * count)()
    library.semirec_get_outputs(car, values, count)
    print(library.semirec_instructions().decode(), *values)


def main(emulator, core, fmu, program, own_set):
    old = [emulator, "-cpu", "Nehalem"]
    with tempfile.TemporaryDirectory() as folder:
        models = SOURCE / "vehicles"
        subprocess.run([program, "export", "car", models / "models/sedan.xml", models / "scenarios/step_steer.xml", "--out", f"{folder}/car"],
                       check=True, stdout=subprocess.DEVNULL)
        call = [sys.executable, __file__, "drive", core, fmu, f"{folder}/car"]
        answers = []
        for command in (call, old + call):
            environment = {name: value for name, value in os.environ.items() if name != "SEMIREC_INSTRUCTIONS"}
            run = subprocess.run(command, capture_output=True, text=True, env=environment)
            if run.returncode != 0:
                sys.exit(f"{command[0]}: exit code {run.returncode}: {run.stdout}{run.stderr}")
            answers.append(run.stdout.split())
    here, there = answers
    if there[0] != "x86-64":
        sys.exit(f"on the old processor: {there[0]} is used, expected x86-64")
    # the mathematics of the C library are chosen by the processor, too
    worst = max(abs(float(a) - float(b)) / max(1.0, abs(float(a))) for a, b in zip(here[1:], there[1:], strict=True))
    print(f"{len(here) - 1} outputs after 200 steps with {here[0]} and {there[0]} differ by {worst:.1e}")
    if not worst < 1e-9:
        return 1
    if own_set != "x86-64":
        run = subprocess.run([*old, program, "--version"], capture_output=True, text=True)
        print(run.stderr, end="")
        if run.returncode != 126 or run.stderr.count("\n") != 1 or not run.stderr.startswith(f"semirec: compiled for processors of the kind {own_set},"):
            print(f"{program}: exit code {run.returncode}, expected 126 and one line")
            return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "drive":
        drive(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
