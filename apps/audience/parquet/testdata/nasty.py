# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes nasty.parquet and twice.parquet: types and rows that readers stumble over. Needs pyarrow."""

import datetime

import pyarrow as pa
import pyarrow.parquet as pq

utc = datetime.timezone.utc
table = pa.table(
    {
        "id": pa.array(["a", "b", "c"]),
        "seen": pa.array([datetime.datetime(2026, 1, 2, 3, 4, 5, 6, utc), None, datetime.datetime(1969, 12, 31, 23, 59, 59, 0, utc)], pa.timestamp("us", "UTC")),
        "struct": pa.array([{"x": 1, "y": 2}, None, {"x": 3, "y": 4}], pa.struct([("x", pa.int64()), ("y", pa.int64())])),
        "single": pa.array([{"x": 1}, None, {"x": 3}], pa.struct([("x", pa.int64())])),
        "structs": pa.array([[{"x": 1}], None, []], pa.list_(pa.struct([("x", pa.int64())]))),
        "lists": pa.array([[[1]], None, [[]]], pa.list_(pa.list_(pa.int64()))),
        "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())),
        "maps": pa.array([[[("k", 1)]], None, []], pa.list_(pa.map_(pa.string(), pa.int64()))),
        "age": pa.array(["39.0", None, "3.9e1"]),
        "float": pa.array([39.0, None, 1e300]),
        "list": pa.array([["x", None], None, []], pa.list_(pa.string())),
    }
)
pq.write_table(table, "nasty.parquet", use_deprecated_int96_timestamps=True, compression="none")
twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["x"]), pa.array(["y"])], ["id", "city", "city"])
pq.write_table(twice, "twice.parquet", compression="none")
