"""Cars that are stepped from outside."""
from __future__ import annotations

import operator
from collections import namedtuple
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from semirec import _core
from semirec._call import Overrides, call, file, names
from semirec.files import Source
from semirec.functions import Force
from semirec.tables import Table


Report = namedtuple("Report", "iterations correction closure_error settled")
Report.__doc__ = """What a step of a Car did: Newton iterations; the root mean square of the last correction, m and rad; the
largest opening of a loop after it, m or rad; whether it was taken and both are below 1e-6. A step that has not settled is
taken all the same, and the next ones make up for it; where such steps keep coming, every second one say, what comes out is
wrong: more iterations or a shorter step are needed."""


class Car:
    """A vehicle in a scenario, stepped at a fixed rate: inputs in, steps, outputs out.

    vehicle, scenario: paths of XML files, or Vehicle and Scenario; without a scenario the car stands in its design position
                       on flat ground
    step:              length of a step, s; without it the scenario's
    iterations:        Newton iterations of every step; its work does not vary; without it 2, or 1 with a scheme that
                       does not iterate
    overrides:         {'element.attribute': value}: numbers of the vehicle that are replaced
    outputs:           names of those wanted, in this order; without it all. Nothing else is evaluated, so
                       that few cost little
    forces:            of one's own, in Python

    driver: a function of the car, called before each step with the outputs of that moment: it writes inputs.
            What it raises ends the call of step(); the car stands at its last good state. None: nobody.

    Raises ModelError with file, line and element. Use it in one thread at a time.

    >>> car = Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["time", "chassis.wz"])
    >>> car.step(1500)
    >>> car.output_names, car.output_units
    (('time', 'chassis.wz'), ('s', 'rad/s'))
    >>> bool(car.outputs[1] > 0.1)  # it turns to the left
    True
    """

    def __init__(self, vehicle: Source, scenario: Source = None, *, step: float = 0.0, iterations: int = 0,
                 overrides: Overrides = None, outputs: Sequence[str] = (), forces: Sequence[Force] = ()):
        self._car = call(_core._Car, file(vehicle, overrides), file(scenario), step, iterations,
                         names(outputs, "outputs"), list(forces))
        self.driver = None
        self.input_names = tuple(self._car._input_list(False))
        self.input_units = tuple(self._car._input_list(True))
        self.output_names = tuple(self._car._output_list(False))
        self.output_units = tuple(self._car._output_list(True))

    @property
    def inputs(self) -> NDArray[np.float64]:
        """float64 array, one number an input, on the car's own memory: what is written here holds from the
        coming step on, reached at its end. NaN: the input follows its own curve, as all do at first."""
        return self._car.inputs

    @property
    def outputs(self) -> NDArray[np.float64]:
        """float64 array, one number an output, on the car's own memory: of the state after the last step
        that was taken with read=True."""
        return self._car.outputs

    def set_input(self, name: str, value: float) -> None:
        """Writes an input by name; NaN returns it to its own curve. Beyond the range of a pedal or a gear its end acts."""
        self.inputs[self._place(self.input_names, name, "input")] = value

    def output(self, name: str) -> float:
        """The number of an output by name."""
        return float(self.outputs[self._place(self.output_names, name, "output")])

    @staticmethod
    def _place(names, name, what):
        try:
            return names.index(name)
        except ValueError:
            raise KeyError(f"there is no {what} '{name}'") from None

    def step(self, steps: int = 1, read: bool = True) -> None:
        """Takes steps with the inputs as they are, then evaluates the outputs (unless read=False, which
        saves the time; a driver finds them evaluated before each step). Other Python threads run meanwhile.

        Raises ValueError for an infinite input, before any step; StepError where a step fails: the car then
        stands where it stood before that step, and its outputs are those of there. So it is where a force or
        tyre in Python raises, in the step or as outputs are evaluated after it."""
        if self.driver is None or steps < 1:
            self._car.step(steps, read)
            return
        self._car.step(0, True)
        for left in reversed(range(steps)):
            self.driver(self)
            self._car.step(1, read or left > 0)

    def drive(self, seconds: float, every: int = 1) -> Table:
        """Steps for so long, to the nearest step, and returns a Table of the outputs: those at hand, then a row each
        `every` steps, and one at the end.

        >>> car = Car(models / "sedan.xml", outputs=["time", "chassis.z"])
        >>> len(car.drive(0.1, every=10))
        11
        """
        if every < 1:
            raise ValueError(f"every is {every}, expected 1 or more")
        rows = [self.outputs.copy()]
        left = round(seconds / self.step_size)
        while left > 0:
            self.step(min(every, left))
            left -= every
            rows.append(self.outputs.copy())
        return Table(self.output_names, self.output_units, np.array(rows))

    @property
    def time(self) -> float:
        """s"""
        return self._car.time

    @property
    def step_size(self) -> float:
        """s"""
        return self._car.step_size

    @property
    def report(self) -> Report:
        """Of the last step, also of one that failed.

        >>> car = Car(models / "sedan.xml", scenarios / "step_steer.xml")
        >>> car.step()
        >>> car.report.iterations, car.report.settled
        (2, True)
        """
        return Report(*self._car.report)

    @property
    def unsettled_steps(self) -> int:
        """How many steps were taken without having settled (Report), since the car was made, also as a copy, or restored."""
        return self._car.unsettled_steps

    @property
    def notes(self) -> list[str]:
        """What is not as one would expect of the files and the start, a line each."""
        return self._car.notes

    def save(self) -> bytes:
        """The state as bytes: going on from it gives the same bits, in this car or in one made of the same
        files and settings, also in another process."""
        return self._car.save()

    def restore(self, state: bytes) -> None:
        """Back to a saved state, its inputs and outputs too. Raises ValueError where it is none of this car;
        the car is then as before. What a force or tyre in Python raises as outputs are evaluated comes when
        all else is restored."""
        self._car.restore(state)

    def clone(self) -> Car:
        """Another car at the same state with the same inputs, on memory of its own. It shares the model and
        has no driver."""
        other = object.__new__(Car)
        other.__dict__.update(self.__dict__, driver=None)
        other._car = _core._Car(self._car)
        return other

    def __copy__(self) -> Car:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> Car:
        return self.clone()


class Batch:
    """Cars of like inputs and outputs side by side, stepped in threads: each row of the arrays is a car.

    cars:    a Car, of which n clones are made, or a list of cars (of other numbers, say), which are cloned
             without their drivers
    threads: without it one a processor; what comes out does not depend on it
    side_by_side: steps the cars in the lanes of vector registers, eight with AVX-512, else four, for a half to a
             quarter of the time. What comes out is what each car does by itself up to round-off (over seconds typically
             1e-11 of each quantity, over obstacles 1e-9 and seldom 1e-7: the motion multiplies
             round-off), not to the bit. The cars must be
             alike in all but numbers, gravity the same; a scheme with a history, a formulation other than
             hybrid, the closings multipliers and independent, closures that depend on one another and
             closures that events switch are refused.

    One thread of Python uses it at a time: step(), rollout() and reset() raise RuntimeError while another does.

    >>> cars = [Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["chassis.wz"],
    ...             overrides={"chassis.mass": m}) for m in (1400, 1500)]
    >>> batch = Batch(cars)
    >>> batch.step(1500)
    >>> batch.outputs.shape
    (2, 1)
    >>> bool(batch.outputs[0, 0] != batch.outputs[1, 0])
    True
    """

    def __init__(self, cars: Car | Iterable[Car], n: int = 1, *, threads: int = 0,
                 side_by_side: bool = False):
        listed = [cars] * n if isinstance(cars, Car) else list(cars)
        if not isinstance(cars, Car) and n != 1 and n != len(listed):
            raise ValueError(f"n is {n} and the list has {len(listed)} cars, expected one Car or a list without n")
        if threads < 0:
            raise ValueError(f"threads is {threads}, expected 0 or more")
        self._batch = call(_core._Batch, [car._car for car in listed], threads, side_by_side)
        for name in ("input_names", "input_units", "output_names", "output_units"):
            setattr(self, name, getattr(listed[0], name))

    def __len__(self) -> int:
        return len(self._batch)

    def __copy__(self) -> Batch:
        raise TypeError("a Batch cannot be copied, expected a new one of its cars")

    def __deepcopy__(self, memo: dict[int, object]) -> Batch:
        return self.__copy__()

    @property
    def inputs(self) -> NDArray[np.float64]:
        """float64 array, cars x inputs, on the cars' own memory; as Car.inputs."""
        return self._batch.inputs

    @property
    def outputs(self) -> NDArray[np.float64]:
        """float64 array, cars x outputs, on the cars' own memory; NaN in the row of a car that has failed."""
        return self._batch.outputs

    @property
    def times(self) -> NDArray[np.float64]:
        """float64 array, one number a car, s."""
        return self._batch.times

    @property
    def status(self) -> list[str]:
        """A word a car: '' or why its step failed. It stands still until it is reset."""
        return self._batch.status

    @property
    def settled(self) -> NDArray[np.bool_]:
        """A bool a car: whether its last step has settled, as Car.report has it; False for one that has failed."""
        return self._batch.settled

    @property
    def unsettled_steps(self) -> NDArray[np.int64]:
        """An int a car: how many of its steps have not settled since the batch was made or the car was reset."""
        return self._batch.unsettled_steps

    def step(self, steps: int = 1) -> None:
        """Takes steps of all cars, then evaluates their outputs. Other Python threads run meanwhile. Ctrl-C raises
        KeyboardInterrupt between steps: all cars that have not failed have then taken the same number, and the outputs are those of there.

        Raises ValueError for an infinite input (or one that changes too fast for a number), and for one that equations
        of the vehicle compute, before any step."""
        self._batch.step(steps)

    def rollout(self, controls: NDArray[np.float64], *, every: int = 1,
                outputs: Sequence[str] | None = None) -> NDArray[np.float64]:
        """Drives all cars through rows of inputs and gives the outputs after each row. Ctrl-C raises
        KeyboardInterrupt, as step(); the rows up to there are lost.

        controls: rows x inputs, the same for all, or cars x rows x inputs
        every:    steps a row
        outputs:  names among `output_names`, in the order wanted; None: all
        returns   cars x rows x outputs

        Raises KeyError for a name that is not there, before any step."""
        if np.iscomplexobj(controls):
            raise TypeError("controls are complex, expected real numbers")
        if outputs is None:
            return self._batch.rollout(controls, every)
        places = [Car._place(self.output_names, name, "output") for name in names(outputs, "outputs")]
        return np.ascontiguousarray(self._batch.rollout(controls, every)[:, :, places])

    def reset(self, cars: Iterable[int] | None = None) -> None:
        """Brings cars, by index or by a mask of all cars, back to where they were when the batch was made.

        Without either all.
        """
        if cars is not None:
            chosen = np.asarray(cars if isinstance(cars, np.ndarray) else list(cars))
            if chosen.dtype == bool:
                if chosen.shape != (len(self),):
                    raise ValueError(f"a mask of shape {chosen.shape}, expected ({len(self)},)")
                cars = np.flatnonzero(chosen)
        self._batch.reset([operator.index(car) for car in (range(len(self)) if cars is None else cars)])
