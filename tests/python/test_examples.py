"""The examples run as they are shipped, and do what they say."""
import os
import pathlib
import re
import runpy
import subprocess
import sys

import numpy as np
import pytest

import semirec

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "apps/examples/python"
PACKAGE = pathlib.Path(semirec.__file__).resolve().parents[1]


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.py")), ids=lambda script: script.stem)
def test_a_script_runs_from_any_folder(script, tmp_path):
    done = subprocess.run([sys.executable, "-B", str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, PYTHONPATH=str(PACKAGE)))
    assert done.returncode == 0 and done.stdout and not done.stderr, done.stderr
    assert not list(tmp_path.iterdir())


def test_the_tutorial_steers_to_the_yaw_rate_that_it_wants(capsys):
    runpy.run_path(str(FOLDER / "tutorial_1_drive.py"))
    reached = re.search(r"steered to ([\d.]+) rad/s", capsys.readouterr().out)[1]
    assert float(reached) == pytest.approx(0.15, rel=0.02)


def load(name):
    return runpy.run_path(str(FOLDER / f"{name}.py"))


def test_the_anti_lock_brake_keeps_wheels_rolling_and_stops_shorter():
    (way, _, slip), (held_way, _, held_slip) = load("anti_lock")["main"]()
    assert slip > 0.99 and held_slip < 0.2  # locked; around the limit of 0.12
    assert held_way < way
    # no shorter than friction allows: the law's largest longitudinal force over load is below 1.3
    assert held_way > (22.222**2 - 2.0**2) / (2 * 1.3 * 9.81)


def test_randomized_cars_differ_and_are_the_same_again():
    main = load("randomized_batch")["main"]
    first, again, other = main(6, 7), main(6, 7), main(6, 8)
    assert first.shape == (6, 125, 2) and np.isfinite(first).all()
    assert (first == again).all() and (first != other).any()
    assert len(np.unique(first[:, -1, 0])) == 6


def test_the_learners_environment_resets_single_cars_and_reaches_its_goal():
    module = load("gym_style")
    environment = module["YawRateEnvironment"](count=3, rows=5)
    start = environment.reset()
    for k in range(5):
        observations, rewards, terminated, truncated = environment.step(np.array([0.1, -0.1, 0.0]))
        assert observations.shape == (3, 3) and rewards.shape == (3,) and not terminated.any()
        assert truncated.all() == (k == 4)
    assert observations[0, 2] == 0.1 and observations[0, 0] > 0 > observations[1, 0]
    again = environment.reset([1])
    assert (again[1] == start[1]).all() and (again[0] == observations[0]).all()
    assert (environment.row == [5, 0, 5]).all()
    assert np.abs(module["main"]()).max() < 1e-4  # within 0.01 rad/s of the wanted rate
