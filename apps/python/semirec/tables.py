"""Tables of numbers under names with units."""
from __future__ import annotations

from collections.abc import Iterator, KeysView, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Table:
    """Rows of numbers, a column a name.

    names, units: a string each column
    rows:         float64 array, rows x columns
    labels:       a word each row, or an empty list
    """

    def __init__(self, names: Sequence[str], units: Sequence[str], rows: NDArray[np.float64],
                 labels: Sequence[str] = ()):
        self.names, self.units, self.rows, self.labels = list(names), list(units), rows, list(labels)
        self._index = {name: k for k, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def keys(self) -> KeysView[str]:
        """The names of the columns; len() is that of the rows."""
        return self._index.keys()

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """The column of this name: a view of `rows`."""
        try:
            return self.rows[:, self._index[name]]
        except KeyError:
            raise KeyError(f"there is no column '{name}'") from None

    def unit(self, name: str) -> str:
        """The unit of a column, SI."""
        return self.units[self._index[name]]

    def to_dict(self) -> dict[str, Any]:
        """Columns by name: what pandas.DataFrame() takes."""
        columns = {"label": self.labels} if self.labels else {}
        return columns | {name: self[name] for name in self.names}

    def __repr__(self):
        return f"<Table of {len(self.rows)} rows x {len(self.names)} columns>"

    def __array__(self, dtype=None):
        return np.asarray(self.rows, dtype)
