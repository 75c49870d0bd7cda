#!/usr/bin/env python3
"""Checks that object files define no weak symbol of a decomposition or a large product of Eigen.

    tests/symbols.py OBJECT...

The linker keeps one copy of a function that several objects have. Objects of the folders that are optimised little
(cmake/Room.cmake, SELDOM) must not bring one of a numerical kernel: the engine would run it, slower, and its last bits
would hang on which copy came first.
"""
import re
import subprocess
import sys

KERNELS = re.compile(r"Eigen::(?:internal::)?\w*(?:LLT|LDLT|LU|QR|SVD|Solver|tridiagonal|Tridiagonal|householder|"
                     r"general_matrix|gebp|gemm_pack|triangular_solve|selfadjoint_matrix|llt_inplace)\w*")


ACCESSORS = {"operator=", "rank", "threshold"}


def function_of(name):
    """`Eigen::internal::compute` of a demangled name with its result, template arguments and parameters."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return (name.split("(")[0].split() or [""])[-1]


def computes(function):
    """Not those that make, copy, destroy or read: their arithmetic, if any, stands in functions that they call."""
    *_, owner, own = ["", *function.split("::")]
    return own not in ACCESSORS and own.lstrip("~") != owner


if len(sys.argv) < 2:
    sys.exit("symbols: no object given")
listing = subprocess.run(["nm", "--demangle", "--defined-only", *sys.argv[1:]], capture_output=True, text=True, check=True).stdout
names = re.findall(r"^[0-9a-f]* [WVu] (.*)$", listing, re.MULTILINE)
faults = sorted({name for name in names if KERNELS.match(function_of(name)) and computes(function_of(name))})
for name in faults:
    print(f"symbols: {name[:160]}")
if not faults:
    print(f"symbols: {len(names)} weak symbols in {len(sys.argv) - 1} objects, none a kernel of a decomposition")
sys.exit(1 if faults else 0)
