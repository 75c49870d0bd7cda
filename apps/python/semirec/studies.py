"""Many cars of one file, and many methods on one car, as tables."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from semirec import _core
from semirec._call import Overrides, Path, call, file, names
from semirec.answers import Answer
from semirec.files import Source
from semirec.tables import Table


class Sweep(Table):
    """A row a car: the parameters that were varied, then the responses; NaN where a car has none.

    status: a word a row, 'ok' or why responses are missing
    words:  {name: list}: parameters whose levels are words; their column counts the levels
    answer: Answer with mean, std, min, max, correlations and effects of each response
    """

    def __init__(self, parts):
        names, units, rows, self.words, self.status, answer = parts
        super().__init__(names, units, rows)
        self.answer = Answer(answer)

    def to_dict(self) -> dict[str, Any]:
        """Columns by name with their words, and the status: what pandas.DataFrame() takes."""
        return super().to_dict() | self.words | {"status": self.status}


class Comparison(Table):
    """A row a run of one formulation (its label) at one step.

    status:  a word a row: 'good', 'poor', 'wrong', 'failed' or 'refused'; reasons: why, '' where it ran
    largest: {formulation: s or None}, the largest good steps where they were asked for
    measure, criterion, limit: what the error is, and up to where it is good
    notes:   what files and start ask for and do not get, and formulations say of their schemes, a line each
    """

    def __init__(self, parts):
        names, units, rows, methods, self.status, self.reasons, self.largest, about = parts
        super().__init__(names, units, rows, methods)
        self.measure, self.criterion, self.limit = about["measure"], about["criterion"], about["limit"]
        self.reference_failure, self.notes = about["reference_failure"], about["notes"]

    def to_dict(self) -> dict[str, Any]:
        """Columns by name, the formulation as 'label', and the status: what pandas.DataFrame() takes."""
        return super().to_dict() | {"status": self.status}


def sweep(study: Path | None = None, *, text: str | None = None, threads: int = 0) -> Sweep:
    """Makes the cars of a study file, or of its text, and asks each of them, as `semirec sweep` does.

    study:   path; with text its name in messages, and other files are relative to its folder
    threads: without it one a processor; what comes out does not depend on it

    Returns a Sweep. Nothing is written, so that an interrupted one begins anew. Raises ModelError.
    """
    if study is None and text is None:
        raise TypeError("neither a path nor a text is given, expected one of them")
    return Sweep(call(_core._sweep, "study.xml" if study is None else os.fspath(study), text, threads))


def compare(vehicle: Source, scenario: Source, *, formulations: Sequence[str] = (), steps: Sequence[float] = (),
            measure: str = "reference", good: float = 0.0, until: float = 0.0, largest_step: bool = False,
            repeat: int = 3, overrides: Overrides = None) -> Comparison:
    """Runs formulations side by side, as `semirec compare` does: error, CPU time, largest good step.

    formulations: names; empty: all five. steps: s; empty: the scenario's, 3 and 10 times that
    measure:      what is called the error: reference, reference:CHANNEL, energy, balance, ...
    good:         largest error that is good, in its unit; 0: the measure's own
    until:        s; 0: the scenario's
    repeat:       the CPU time is the smallest of so many runs

    >>> table = compare(models / "double_four_bar.xml", scenarios / "free_10s.xml", until=0.2, steps=[0.01],
    ...                 formulations=["hybrid", "recursive"], measure="energy", repeat=1)
    >>> table.labels, table.unit("error"), len(table)
    (['hybrid', 'recursive'], 'J', 2)
    """
    return Comparison(call(_core._compare, file(vehicle, overrides), file(scenario), names(formulations, "formulations"), list(steps),
                           measure, good, until, largest_step, repeat))
