#!/usr/bin/env python3
"""scripts/bench compares made-up results: what it prints and how it exits."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "bench")
REFERENCE = "BM_DenseReference26"


def result(times, llt=2000.0, rounds=(1.0,)):
    """A file of Google Benchmark: `times` ns by name, each times the factors of `rounds`."""
    rows = []
    for turn, factor in enumerate(rounds):
        for name, ns in {REFERENCE: llt, **times}.items():
            own = ns if name == REFERENCE else ns * factor
            rows.append({"name": name, "run_name": name, "run_type": "iteration", "repetition_index": turn,
                         "iterations": 100, "cpu_time": own, "real_time": own, "time_unit": "ns"})
    return {"context": {"commit": "made up"}, "benchmarks": rows}


class Comparison(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def bench(self, new, old=None, *options):
        command = [sys.executable, BENCH, "--result", self.write("new.json", new)]
        if old is not None:
            command += ["--baseline", self.write("old.json", old)]
        return subprocess.run(command + list(options), capture_output=True, text=True, check=False)

    def row(self, done, name):
        return next(line.split() for line in done.stdout.splitlines() if line.startswith(name + " "))

    def test_a_machine_of_half_the_speed_changes_no_ratio(self):
        done = self.bench(result({"a": 20000.0}, llt=4000.0), result({"a": 10000.0}), "--fail-above", "1.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        # 20 us where the LLT takes 4 us: 10 us where it takes 2; ratio 1
        self.assertEqual(self.row(done, "a"), ["a", "20.00", "-", "10.00", "1.000"])

    def test_what_got_slower_is_marked_and_fails(self):
        done = self.bench(result({"a": 13000.0, "b": 9000.0}, rounds=(0.99, 1.0, 1.01)),
                          result({"a": 10000.0, "b": 10000.0}, rounds=(0.99, 1.0, 1.01)), "--fail-above", "1.2")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.row(done, "a")[-2:], ["1.300", "!"])
        self.assertEqual(self.row(done, "b")[-1], "0.900")
        self.assertEqual(done.stderr,
                         "scripts/bench: benchmark 'a': is 1.300 times the baseline, expected at most 1.2\n")

    def test_a_mark_is_no_failure_below_the_limit(self):
        done = self.bench(result({"a": 11500.0}), result({"a": 10000.0}), "--fail-above", "1.2")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.row(done, "a")[-2:], ["1.150", "!"])

    def test_the_spread_of_the_rounds_excuses(self):
        # median absolute deviation 20 %: 1.5 times that, twice, is a spread of 1.3 * 42 % = 0.55
        wide = (0.6, 0.8, 1.0, 1.2, 1.4)
        done = self.bench(result({"a": 13000.0}, rounds=wide), result({"a": 10000.0}, rounds=wide), "--fail-above",
                          "1.2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done, "a")[-1], "1.300")
        self.assertEqual(self.row(done, "a")[2], "30.0%")

    def test_each_row_is_scaled_by_the_reference_of_its_block(self):
        new = result({"a": 10000.0, "b": 10000.0})
        new["benchmarks"][1]["dense_llt_us"] = 4.0
        done = self.bench(new)
        self.assertEqual(self.row(done, "a")[3], "5.00")
        self.assertEqual(self.row(done, "b")[3], "10.00")

    def test_units_and_aggregates_of_other_results_are_understood(self):
        new = result({"a": 5.0})
        new["benchmarks"][1]["time_unit"] = "ms"
        new["benchmarks"].append({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "cpu_time": 1.0,
                                  "real_time": 1.0, "time_unit": "ns"})
        self.assertEqual(self.row(self.bench(new), "a")[1], "5000.00")

    def test_new_and_lost_benchmarks_are_named(self):
        done = self.bench(result({"a": 1000.0}), result({"b": 1000.0}))
        self.assertEqual(self.row(done, "a")[-1], "new")
        self.assertEqual(self.row(done, "b"), ["b", "only", "in", "the", "baseline"])

    def test_a_failed_benchmark_fails_the_suite(self):
        new = result({"a": 1000.0})
        new["benchmarks"].append({"name": "c", "run_name": "c", "run_type": "iteration", "error_occurred": True,
                                  "error_message": "iteration limit"})
        done = self.bench(new)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "scripts/bench: benchmark 'c': failed (iteration limit)\n")

    def test_the_exponent_is_the_slope_of_the_logarithms(self):
        sizes = (10, 100, 200, 500, 1000)
        done = self.bench(result({f"four_bars/planar/{n}": 100.0 * n**1.25 for n in sizes}), None, "--scaling")
        self.assertIn("four_bars/planar: cost grows as the power 1.25 of the number of four-bars, 100 to 1000", done.stdout)

    def test_files_that_are_no_result_are_refused_in_one_line(self):
        no_reference = {"benchmarks": result({"a": 1.0})["benchmarks"][1:]}
        for content, words in (("{", "is not JSON"), ("[]", "has no list 'benchmarks'"),
                               (no_reference, "holds no BM_DenseReference26")):
            done = self.bench(content)
            self.assertEqual(done.returncode, 3)
            self.assertIn(words, done.stderr)
            self.assertIn("new.json: ", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        done = subprocess.run([sys.executable, BENCH, "--result", os.path.join(self.folder.name, "none.json")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("No such file", done.stderr)

    def test_a_limit_without_a_baseline_is_not_understood(self):
        self.assertEqual(self.bench(result({"a": 1.0}), None, "--fail-above", "1.2").returncode, 2)

    def program(self, name, times, llt):
        """A program that answers as Google Benchmark would, with made-up times in ns."""
        times = {REFERENCE: llt, **times}
        path = self.write(name, f"""#!{sys.executable}
import json, re, sys
times = {times!r}
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:])
names = [name for name in times if re.search(options["benchmark_filter"], name)]
if options.get("benchmark_list_tests") == "true":
    print("\\n".join(names))
else:
    rows = [dict(name=name, run_name=name, run_type="iteration", repetition_index=0, iterations=100,
                 cpu_time=times[name], real_time=times[name], time_unit="ns") for name in names]
    print(json.dumps(dict(context=dict(), benchmarks=rows)))
""")
        os.chmod(path, 0o755)
        return path

    def test_programs_side_by_side_are_compared_by_their_times_not_by_their_references(self):
        new = self.program("new", {"a": 10000.0, "b": 12000.0}, llt=1600.0)
        old = self.program("old", {"a": 10000.0, "b": 10000.0}, llt=2000.0)
        done = subprocess.run([sys.executable, BENCH, "--binary", new, "--baseline-binary", old, "--rounds", "3",
                               "--out", os.path.join(self.folder.name, "out.json")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1.000", self.row(done, "a"))
        self.assertIn("1.200", self.row(done, "b"))
        # scaled: 10 us where the LLT takes 1.8 us, the mean of both
        self.assertIn("11.11", self.row(done, "a"))

    def test_what_is_no_benchmark_program_is_refused_in_one_line(self):
        for program in (os.path.join(self.folder.name, "none"), "/bin/false"):
            done = subprocess.run([sys.executable, BENCH, "--binary", program], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 3)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
