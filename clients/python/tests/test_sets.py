# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Bitmaps of a server and of pyroaring, both ways."""

from __future__ import annotations

import base64
import random

import pyroaring
import pytest
from conftest import REPOSITORY

import uproar
from uproar import sets


def test_find_set(client: uproar.Client, people: str) -> None:
    found = client.find_set(people, "likes = tea")
    assert isinstance(found, pyroaring.BitMap64)
    assert list(found) == client.ids(people, "likes = tea")["ids"]
    cake = client.find_set(people, "likes = cake")
    assert client.count(people, sets.query(found & cake)) == client.count(people, "likes = tea and likes = cake") == 2
    assert client.count(people, {"and": [sets.query(found | cake), "all"]}) == 4
    assert client.count(people, sets.query([])) == 0


def test_bitmaps_of_every_kind(client: uproar.Client) -> None:
    """A server of 300 000 records reads what encode wrote, and decode reads what the server wrote."""
    n, seed = 300_000, random.randrange(1 << 30)
    client.import_table("wide", b"id,n\n" + b"".join(b"k%d,%d\n" % (i, i % 7) for i in range(n)), key="id")
    rng = random.Random(seed)
    wanted = [
        {5}, {299_999}, set(range(n)), set(range(100, 70_000)), set(range(0, n, 2)), set(range(0, n, 1000)),
        *({rng.randrange(n) for _ in range(k)} for k in (2, 10, 100, 300, 3_000, 9_000, 12_000, 30_000, 200_000)),
        *({i for s in rng.sample(range(n - 50), k) for i in range(s, s + 50)} for k in (3, 30, 300)),
    ]
    for ids in wanted:
        asked = sets.query(ids)
        assert client.count("wide", asked) == len(ids), seed
        assert set(sets.decode(client.bitmap_bytes("wide", asked))) == ids, seed
        assert set(client.find_set("wide", asked)) == ids, seed
    for x in range(7):
        assert set(sets.decode(client.bitmap_bytes("wide", f"n = {x}"))) == set(range(x, n, 7))
    client.indexes().drop("wide")


def test_no_bitmaps() -> None:
    ids = {1, 2, 3, 70_000, 1 << 40, (1 << 64) - 1}
    data = sets.encode(ids)
    assert set(sets.decode(data)) == ids
    for size in range(len(data)):
        with pytest.raises(ValueError, match="uproar"):
            sets.decode(data[:size])
    rng = random.Random(1)
    for _ in range(2000):
        body = bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
        try:
            sets.decode(b"\xb5\x01" + bytes([len(body)]) + body)
        except ValueError:
            pass


def test_a_server_refuses_what_is_none(client: uproar.Client, people: str) -> None:
    with pytest.raises(uproar.ServerError):
        client.count(people, {"bitmap": base64.b64encode(b"none").decode()})


def test_portable_sets() -> None:
    values = [0, 1, 65_535, 65_536, 1 << 32, (1 << 40) + 7, *range(1_000_000, 1_100_000)]
    data = sets.to_portable(values)
    assert list(sets.of_portable(data)) == sorted(values)
    assert sets.to_portable(sets.of_portable(data)) == data


def test_portable_sets_of_go() -> None:
    """A file of the tests of package interop, which other libraries wrote."""
    data = (REPOSITORY / "bitmap" / "interop" / "testdata" / "interchange" / "portable_bitmap64.bin").read_bytes()
    found = sets.of_portable(data)
    assert len(found) > 0
    assert set(sets.decode(sets.encode(found))) == set(found)
