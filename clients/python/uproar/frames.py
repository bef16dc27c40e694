# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""DataFrames out of streams of Arrow, and Parquet out of DataFrames. The libraries are imported when needed."""

from __future__ import annotations

import io
from typing import Any, Callable, Literal

As = Literal["arrow", "pandas", "polars", "bytes"]

ARROW = "application/vnd.apache.arrow.stream"
PARQUET = "application/vnd.apache.parquet"


def arrow(data: bytes) -> Any:
    """Return a pyarrow.Table over a stream of Arrow IPC. It shares the bytes."""
    import pyarrow.ipc

    with pyarrow.ipc.open_stream(pyarrow.py_buffer(data)) as stream:
        return stream.read_all()


def pandas(data: bytes) -> Any:
    """Return a pandas.DataFrame; its columns are those of Arrow, so that integers stay integers."""
    import pandas as pd

    return arrow(data).to_pandas(types_mapper=pd.ArrowDtype)


def polars(data: bytes) -> Any:
    """Return a polars.DataFrame."""
    import polars as pl

    return pl.from_arrow(arrow(data))


READERS: dict[str, Callable[[bytes], Any]] = {"arrow": arrow, "pandas": pandas, "polars": polars, "bytes": bytes}


def reader(kind: As) -> Callable[[bytes], Any]:
    """Return what reads a stream as a kind of frame."""
    if kind not in READERS:
        raise ValueError(f"uproar: as_ is {kind!r}, want one of {', '.join(READERS)}")
    return READERS[kind]


def table(frame: Any) -> Any:
    """Return a pyarrow.Table of a frame of any of the three libraries."""
    import pyarrow

    if isinstance(frame, pyarrow.Table):
        return frame
    if isinstance(frame, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([frame])
    if type(frame).__module__.split(".")[0] == "polars":
        return frame.to_arrow()
    if type(frame).__module__.split(".")[0] == "pandas":
        if any(name is not None for name in frame.index.names):
            frame = frame.reset_index()  # keys often are there
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    raise TypeError(f"uproar: got a {type(frame).__name__}, want a pandas or polars DataFrame or a pyarrow.Table")


def parquet(frame: Any) -> bytes:
    """Return a frame as a file of Parquet."""
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(table(frame), out, compression="zstd")
    return out.getvalue()
