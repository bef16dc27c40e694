# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The social graph and catalogs, asked of a real server."""

from __future__ import annotations

import pytest

import uproar
from uproar import errors

SCHEMA = {"key": "id", "attributes": [
    {"name": "country"}, {"name": "size", "rule": True}, {"name": "price", "type": "number", "info": True}]}


def test_graph(client: uproar.Client) -> None:
    graph = client.graph()
    first = {"op": "set", "relation": "follows", "account": "ann"}
    assert graph.write([{**first, "target": "bob", "key": "3m6i4wtqkuf2l"},
                        {**first, "target": "dee", "key": "3m6i4wtqkuf3l"}]) == 1
    assert graph.following("ann").by_time("newest").page()["keys"] == ["3m6i4wtqkuf3l", "3m6i4wtqkuf2l"]
    assert list(graph.following("ann").by_time("oldest").all()) == ["bob", "dee"]
    edges = graph.edges("ann", targets=["dee", "zoe"], lists=["friends"])
    assert [e["following"] for e in edges["edges"]] == ["3m6i4wtqkuf3l", ""] and edges["lists"] == [""]
    assert graph.follow([("ann", "bob"), ("cid", "bob"), ("bob", "ann"), ("cid", "ann"), ("ann", "dee")]) > 0
    assert list(graph.followers("bob").all()) == ["ann", "cid"]
    assert graph.following("ann").count() == 2
    page = graph.followers("bob").page(limit=1)
    assert graph.followers("bob").page(cursor=page["cursor"])["accounts"] == ["cid"]
    assert list(graph.mutuals("ann").all()) == ["bob"]
    assert list(graph.follows_following("cid", "bob").all()) == ["ann"]
    assert list(graph.mutuals_following("ann", "ann").all()) == ["bob"]
    assert list(graph.intersect_followers("ann", "bob").all()) == ["cid"]
    assert list(graph.intersect_following("ann", "cid").all()) == ["bob"]
    assert graph.reach("bob").count() > 0
    assert graph.follows("ann", "bob") and not graph.follows("bob", "cid")
    assert graph.unfollow([("ann", "bob")]) > 0 and not graph.follows("ann", "bob")
    graph.write([{"op": "set", "relation": "blocks", "account": "ann", "target": "cid"}], stream="s", position=5)
    assert graph.position("s") == 5 and graph.position("none") is None
    assert list(graph.related("blocks", "ann").all()) == ["cid"]
    assert "cid" not in list(graph.followers("bob").for_viewer("ann").all())
    looked = graph.lookup(["ann", "zoe"])
    assert looked[0]["account"] == "ann" and looked[1]["id"] is None
    assert looked[0]["id"] is not None and graph.lookup(ids=[looked[0]["id"]])[0]["account"] == "ann"
    assert graph.suggestions("cid")["count"] == graph.count_suggestions("cid")
    assert graph.similar("bob", by="jaccard", limit=5)["count"] == graph.count_similar("bob")
    assert graph.import_edges(iter([b"eve,b", b"ob\nfay,bob\n"]), header="no")["follows"] == 2
    assert graph.follows("fay", "bob")
    with pytest.raises(errors.UnknownRecord) as e:
        graph.followers("nobody").count()
    assert isinstance(e.value, errors.UnknownAccount) and e.value.status == 404 and "nobody" in e.value.message
    assert graph.lookup() == []


def test_catalog(client: uproar.Client) -> None:
    prices = client.catalog("prices")
    reply = prices.import_table(b"id,country,size,price\na,de,1,10\nb,fr,1,12\nc,de,2,20\n", schema=SCHEMA)
    assert reply["records"] == 3
    found = prices.find({"country": "de", "size": "1"}, show=["price"])
    assert found["found"] == "one" and found["records"][0]["key"] == "a", found
    assert [len(a["records"]) for a in prices.search([{"country": "de"}, {"country": "fr"}])] == [2, 1]
    assert prices.facets({"country": "de"}, ["size"])["count"] == 2
    assert [r["key"] for r in prices.sorted({"country": "de"}, limit=1, from_=1)["records"]] == ["c"]
    assert prices.write(put=[{"key": "d", "has": {"country": "it", "size": "1"}}], delete=["b"]) > 0
    assert prices.check()["faults"] == []
    assert prices.schema()["attributes"][0] == {"name": SCHEMA["attributes"][0]["name"], "field": "country", "type": "text"}
    with pytest.raises(errors.Invalid):
        prices.find({"colour": "red"})
    with pytest.raises(errors.UnknownIndex):
        client.catalog("none").check()

