# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""DataFrames out and in, and streams."""

from __future__ import annotations

import csv

import pandas
import polars
import pyarrow
import pytest

import uproar


def test_find(client: uproar.Client, people: str) -> None:
    table = client.find(people, "all", fields=["city", "age", "likes"], sort=["age"])
    assert isinstance(table, pyarrow.Table)
    assert table.column("key").to_pylist()[:4] == ["ann", "bob", "cid", "dee"]
    assert table.column("age").to_pylist() == [30, 40, 50, 60, None]
    assert table.column("likes").to_pylist()[0] == ["tea", "cake"]
    frame = client.find(people, "age > 35", fields=["age"], as_="pandas")
    assert isinstance(frame, pandas.DataFrame) and frame["age"].sum() == 150
    wide = client.find(people, "all", as_="polars")
    assert isinstance(wide, polars.DataFrame) and wide["age"].sum() == 180
    assert client.find(people, "likes = milk", as_="arrow").num_rows == 0
    assert client.find(people, "all", limit=2).num_rows == 2
    with pytest.raises(ValueError, match="want one of arrow"):
        client.find(people, "all", as_="excel")  # type: ignore[arg-type]


def test_find_keys(client: uproar.Client, people: str) -> None:
    assert client.find_keys(people, "likes = tea").column(0).to_pylist() == ["ann", "bob", "dee"]
    both = client.find_keys(people, "likes = tea", answer="records", as_="polars")
    assert both["key"].to_list() == ["ann", "bob", "dee"] and both["id"].dtype.is_integer()
    top = client.answer(people, "all", {"name": "likes", "answer": "top", "field": "likes"}, as_="pandas")
    assert dict(zip(top[top.columns[0]], top["count"])) == {"tea": 3, "cake": 3, "coffee": 2}


def test_stream(client: uproar.Client, people: str) -> None:
    asked = {"index": people, "q": "likes = tea", "fields": ["city"]}
    with client.stream("records/find", "text/csv", asked) as pieces:
        rows = list(csv.DictReader(b"".join(pieces).decode().splitlines()))
    assert [(r["key"], r["city"]) for r in rows] == [("ann", "Oslo"), ("bob", "Rome"), ("dee", "Oslo")]
    named = {"index": people, "keys": ["bob", "zoe", "ann"], "fields": ["city"]}
    with client.stream("records/get", "text/csv", named) as pieces:
        assert b"".join(pieces).decode().split() == ["key,city", "bob,Rome", "ann,Oslo"]


ROWS = {"name": ["x", "y", "z"], "n": [1, None, 3], "tags": [["a", "b"], [], ["b"]], "city": ["Oslo", "Rome", None]}


@pytest.mark.parametrize("kind", ["arrow", "pandas", "polars"])
def test_import_frame(client: uproar.Client, kind: str) -> None:
    table = pyarrow.table(ROWS)
    frame = {"arrow": table, "pandas": pandas.DataFrame(ROWS).convert_dtypes(), "polars": polars.from_arrow(table)}[kind]
    index = "frame_" + kind
    assert client.import_frame(index, frame, key="name")["records"] == 3
    back = client.find(index, "all", as_="arrow")
    assert back.column("key").to_pylist() == ROWS["name"]
    assert back.column("n").to_pylist() == ROWS["n"]
    assert [sorted(r or []) for r in back.column("tags").to_pylist()] == ROWS["tags"]
    assert back.column("city").to_pylist() == ROWS["city"]
    client.indexes().drop(index)


def test_import_frame_with_an_index(client: uproar.Client) -> None:
    frame = pandas.DataFrame({"name": ["ann", "bob"], "age": [31, 42]}).set_index("name")
    client.import_frame("indexed", frame)
    assert client.keys("indexed", "age > 40")["keys"] == ["bob"]


def test_import_frame_of_no_kind(client: uproar.Client) -> None:
    with pytest.raises(TypeError, match="got a list"):
        client.import_frame("x", [1])
