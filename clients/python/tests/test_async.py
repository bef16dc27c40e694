# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""AsyncClient: the same calls, awaited."""

from __future__ import annotations

import asyncio

import pytest

import uproar
from uproar import errors


def test_async(url: str, people: str) -> None:
    async def story() -> None:
        async with uproar.AsyncClient(url) as client:
            counts = await asyncio.gather(*(client.count(people, f"likes = {x}") for x in ("tea", "cake", "coffee")))
            assert counts == [3, 3, 2]
            assert [k async for k in client.all_keys(people, "likes = tea")] == ["ann", "bob", "dee"]
            everybody = [r["key"] async for r in client.all_records(people, "all", limit=2)]
            assert everybody == ["ann", "bob", "cid", "dee", "eve"]
            assert (await client.audience(people, "likes = tea").size())["records"] == 3
            assert (await client.find(people, "all", as_="pandas")).shape[0] == 5
            with pytest.raises(errors.UnknownField):
                await client.count(people, "colour = red")
            async with client.stream("query", "text/csv", {"index": people, "q": "likes = tea"}) as pieces:
                assert b"".join([p async for p in pieces]).split() == [b"key", b"ann", b"bob", b"dee"]
            reply = await client.import_table("later", iter([b"id,n\n", b"a,1\n", b"b,2\n"]), key="id")
            assert reply["records"] == 2
            following = client.follow("later", await last(client, "later"), wait=5)
            waiting = asyncio.ensure_future(following.__anext__())
            await asyncio.sleep(0.2)
            assert not waiting.done()
            sequence = await client.write_records("later", deletes=["a"])
            assert (await waiting)["sequence"] == sequence
            await client.indexes().drop("later")

    asyncio.run(story())


async def last(client: uproar.AsyncClient, index: str) -> int:
    return (await client.indexes().describe(index))["sequence"]
