"""Runs and questions: what the commands of the program answer, as Python objects."""
from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Callable, Iterator, KeysView, Sequence
from typing import Any

import numpy as np

from semirec import _core
from semirec._call import Overrides, Path, call, file, names, replaced
from semirec.files import Source
from semirec.functions import Force
from semirec.tables import Table

Quantity = namedtuple("Quantity", "value unit uncertainty about")
Quantity.__doc__ = """A number of an answer: value in `unit` (SI; '1' without dimension), how far it may be off (NaN: not known),
and what it is."""

Mode = namedtuple("Mode", "name value uncertainty")
Mode.__doc__ = """An eigenvalue (complex, 1/s; of a pair the one with the positive frequency), what moves in it, and how far the
eigenvalue may be off."""


class Run(Table):
    """The rows of a run, a column a channel, and what happened.

    status:         'finished', 'stopped', or why a step failed; `message` then says when and where
    notes:          what is not as one would expect, a line each
    halved:         how many steps were halved because they did not converge
    energy:         J at the end, by part; energy_error: the largest imbalance
    balance_broken: whether that is too much to trust the run
    """

    def __init__(self, names, units, rows, about):
        super().__init__(names, units, rows)
        self.status, self.message, self.notes = about["status"], about["message"], about["notes"]
        self.steps, self.iterations, self.closure = about["steps"], about["iterations"], about["closure"]
        self.halved = about["halved"]
        self.energy, self.energy_error = about["energy"], about["energy_error"]
        self.balance_broken = about["balance_broken"]


class Answer:
    """What an analysis says.

    title:      which vehicle, what was asked
    quantities: {name: Quantity}; answer['name'] is its value, dict(answer) all of them
    tables:     {name: Table}
    notes:      what a reader must know, a line each
    """

    def __init__(self, parts):
        self.title, quantities, tables, self.notes = parts
        self.quantities = {name: Quantity(*rest) for name, *rest in quantities}
        self.tables = {name: Table(*rest) for name, *rest in tables}

    def __getitem__(self, name: str) -> float:
        try:
            return self.quantities[name].value
        except KeyError:
            raise KeyError(f"the answer has no quantity '{name}'") from None

    def __contains__(self, name: str) -> bool:
        return name in self.quantities

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def keys(self) -> KeysView[str]:
        """The names of the quantities."""
        return self.quantities.keys()

    def __repr__(self):
        return f"<Answer: {self.title}; {len(self.quantities)} quantities, {len(self.tables)} tables>"


class Modes(Answer):
    """An Answer with the linear system  x' = A x + B u,  y = C x + D u.

    modes:                   list of Mode by rising magnitude
    A, B, C, D:              float64 arrays; states, inputs, outputs: names of their rows and columns
    """

    def __init__(self, parts):
        answer, modes, system = parts
        super().__init__(answer)
        self.modes = [Mode(*mode) for mode in modes]
        self.A, self.B, self.C, self.D = (system[name] for name in "ABCD")
        self.states, self.inputs, self.outputs = (system[name] for name in ("states", "inputs", "outputs"))


def run(vehicle: Source, scenario: Source, *, until: float = 0.0, step: float = 0.0, record: float = 0.0,
        iterations: int = 0, overrides: Overrides = None, formulation: str = "hybrid", forces: Sequence[Force] = (),
        driver: Callable[[Any], None] | None = None) -> Run:
    """Drives a vehicle through a scenario, as `semirec run` does, and returns a Run.

    vehicle, scenario:   paths, or Vehicle and Scenario
    until, step, record: s; iterations: Newton iterations of every step; each instead of the scenario's, which 0 leaves
    formulation: hybrid, recursive, global, topological or cartesian

    forces:              of one's own, in Python
    driver:              a function of the car, called before each step, with time, output(name) and set_input(name, value)
                         as a Car has them; what it raises is raised here

    A step that fails ends the run: its status and message say so, the rows so far are there.

    >>> drive = run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.5)
    >>> drive.status, drive.unit("chassis.wz"), drive["time"][-1]
    ('finished', 'rad/s', 0.5)
    """
    return Run(*call(_core._run, file(vehicle, overrides), file(scenario), until, step, record, iterations,
                     formulation, list(forces), driver))


def equilibrium(vehicle: Source, scenario: Source = None, *, speed: float = 0.0,
                lateral_acceleration: float | Sequence[float] = (), hold: str = "force",
                overrides: Overrides = None) -> Answer:
    """The car at rest, straight on at a speed (m/s), or in steady turns (m/s^2, to the left; one number or several).

    hold: what holds the speed, 'force' or 'throttle'. Returns an Answer; raises AnalysisError where there is no such
    state.

    >>> round(equilibrium(models / "sedan.xml")["chassis.roll"], 6) == 0.0
    True
    """
    several = np.atleast_1d(lateral_acceleration).tolist()
    return Answer(call(_core._equilibrium, file(vehicle, overrides), file(scenario), speed, several, hold))


def modes(vehicle: Source, scenario: Source = None, *, speed: float = 0.0, lateral_acceleration: float = 0.0,
          hold: str = "force", inputs: Sequence[str] = (), outputs: Sequence[str] = (),
          overrides: Overrides = None) -> Modes:
    """Eigenvalues and the linear system about rest, a speed or a steady turn. Returns Modes.

    >>> car = modes(models / "sedan.xml", speed=20.0)
    >>> car.A.shape == (len(car.states), len(car.states))
    True
    """
    return Modes(call(_core._modes, file(vehicle, overrides), file(scenario), speed, lateral_acceleration, hold,
                      names(inputs, "inputs"), names(outputs, "outputs")))


def kc(vehicle: Source, *, position: str = "drawn", travel: float = 0.08, steering: float = 7.0, load: float = 2000.0,
       points: int = 21, unit: str = "", axle: str = "", tests: Sequence[str] = (),
       overrides: Overrides = None) -> Answer:
    """Kinematics and compliance on the suspension rig. Returns an Answer with a table a test.

    position: 'drawn' or 'rest'; travel: m, steering: rad of the steering wheel, load: N, each way
    points:   of a curve, odd; unit, axle, tests: names; empty: the first unit, all axles, all tests
    """
    return Answer(call(_core._kc, file(vehicle, overrides), position, travel, steering, load, points, unit, axle,
                       names(tests, "tests")))


def manoeuvre(vehicle: Source, path: Path, *, overrides: Overrides = None, quick: bool = False, **values: float) -> Answer:
    """Drives the manoeuvre of an XML file (path) and judges it. Returns an Answer.

    values: numbers of the manoeuvre that are replaced (speed=20); quick: without the second drive that tells how sure
    the numbers are
    """
    return Answer(call(_core._manoeuvre, file(vehicle, overrides), os.fspath(path), replaced(values), quick))
