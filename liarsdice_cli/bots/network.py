"""Neural networks in ONNX files, run on thousands of rows at once, for a user's policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.system.packages import optional

ROWS = 1 << 15
"""The number of rows in a batch."""
_ALIKE = 1e-4
"""The largest difference between the outputs for one row and for many."""


class Network:
    """A network in an ONNX file; needs onnxruntime.

    file : its name

    A network that was exported for one row is changed to take many, and checked to give the same outputs. This needs the
    package onnx too. Raises LiarsDiceError with the name of a file that cannot be read or run.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._runtime = optional("onnxruntime")
        self._session = self._made(file)

    def __call__(self, **inputs: Any) -> Floats:
        """Return the first output of the network, with a row for each row of the inputs.

        inputs : an array for each input name of the network; converted to float32
        """
        rows = {name: np.ascontiguousarray(array, np.float32) for name, array in inputs.items()}
        count = len(next(iter(rows.values())))
        wanted = {one.name: len(one.shape) for one in self._session.get_inputs()}
        if rows.keys() != wanted.keys():
            raise LiarsDiceError(f"{self.file} takes {', '.join(wanted)}, not {', '.join(rows)}")
        if any(array.ndim == wanted[name] + 1 for name, array in rows.items()):
            self._take_many(rows)
        parts = [
            self._run(self._session, {name: array[first : first + ROWS] for name, array in rows.items()})
            for first in range(0, count, ROWS)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _take_many(self, rows: Mapping[str, Any]) -> None:
        """Change a network for one row so that it takes many."""
        onnx, alone = optional("onnx"), self._session
        model = onnx.load(self.file)
        for one in (*model.graph.input, *model.graph.output):
            sizes = [size.dim_value for size in one.type.tensor_type.shape.dim]
            del one.type.tensor_type.shape.dim[:]
            one.type.tensor_type.shape.dim.add().dim_param = "rows"
            for size in sizes:
                one.type.tensor_type.shape.dim.add().dim_value = size
        del model.graph.value_info[:]
        self._session = self._made(model.SerializeToString())
        few = {name: array[:8] for name, array in rows.items()}
        together = self._run(self._session, few)
        each = [self._run(alone, {name: array[row] for name, array in few.items()}) for row in range(len(together))]
        if not np.allclose(np.stack(each), together, atol=_ALIKE):
            raise LiarsDiceError(f"{self.file} takes one row at a time: export it with a free batch size")

    def _made(self, model: Any) -> Any:
        """Return an inference session for a file name, or for the bytes of a file."""
        options = self._runtime.SessionOptions()
        options.log_severity_level = 4
        try:
            return self._runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise LiarsDiceError(f"cannot read {self.file} as a network: {_line(error)}") from error

    def _run(self, session: Any, rows: Mapping[str, Any]) -> Floats:
        try:
            found: Floats = session.run(None, rows)[0]
        except Exception as error:
            raise LiarsDiceError(f"{self.file} cannot be run: {_line(error)}") from error
        return found


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
