# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Records, queries, audiences, changes and imports, asked of a real server."""

from __future__ import annotations

import io
import threading
import time

import pytest

import uproar
from uproar import errors


QUERY: uproar.types.Query = {"field": "likes", "=": "coffee"}


def test_records(client: uproar.Client, people: str) -> None:
    assert client.records(people, ["bob", "zoe"], ["city"]) == [
        {"key": "bob", "values": {"city": "Rome"}}, {"key": "zoe", "missing": True}]
    page = client.find_records(people, "city = Rome", fields=["age"], sort=["-age"])
    assert [r["key"] for r in page["records"]] == ["cid", "bob"]
    everybody = [r["key"] for r in client.all_records(people, "all", sort=["age"], limit=2)]
    assert everybody == ["ann", "bob", "cid", "dee", "eve"]
    before = client.indexes().describe(people)["sequence"]
    assert client.write_records(people, merges=[{"key": "eve", "values": {"age": 7}}], deletes=["ann"]) > before
    assert client.count(people, "age < 35") == 1
    with pytest.raises(errors.ConditionFailed):
        client.write_records(people, deletes=["bob"], if_={"key": "ann", "exists": True})
    assert client.count(people, "all") == 4


def test_queries(client: uproar.Client, people: str) -> None:
    assert client.keys(people, "likes = tea")["keys"] == ["ann", "bob", "dee"]
    first = client.keys(people, "likes = tea", limit=2)
    assert client.keys(people, "likes = tea", limit=2, cursor=first["cursor"])["keys"] == ["dee"]
    assert list(client.all_keys(people, QUERY)) == ["bob", "cid"]
    ids = client.ids(people, "likes = tea")["ids"]
    assert [r["id"] for r in client.identified(people, "likes = tea")["records"]] == ids
    assert client.count(people, QUERY) == client.count(people, "likes = coffee") == 2
    assert client.count(people, " or ".join(["likes = tea"] * 500)) == 3, "a query too long for an address"
    assert client.explain(people, "likes = tea")
    reply = client.answers(people, "likes = tea", [
        {"name": "top", "answer": "top", "field": "city"}, {"name": "ages", "answer": "numbers", "field": "age"}])
    assert reply["records"] == 3
    assert [(r["key"], r["count"]) for r in reply["answers"][0]["rows"]] == [("Oslo", 2), ("Rome", 1)]
    assert client.save(people, "drinkers", "likes in (tea, coffee)") == 4
    good, bad = client.batch([f"/v1/query?index={people}&q=likes=tea&answer=count", "/v1/fields?index=none"])
    assert good == {"count": 3}
    assert isinstance(bad, errors.UnknownIndex)


def test_audience(client: uproar.Client, people: str) -> None:
    tea = client.audience(people, "likes = tea")
    assert tea.size() == {"records": 3, "of": 5, "share": 0.6}
    assert tea.words("likes")["common"][0]["key"] == "tea"
    assert [v["key"] for v in tea.values("city")["values"]] == ["Oslo", "Rome"]
    assert [v["key"] for v in tea.all_values("city")] == ["Oslo", "Rome"]
    spread = tea.demographics(["age", "city"], crosses=[["city", "likes"]])
    assert spread["fields"][0]["figures"]["mean"] == pytest.approx(130 / 3)
    assert spread["crosses"][0]["fields"] == ["city", "likes"]
    assert tea.compare("likes = coffee", ["city"])["both"] == 1
    report = tea.report(words=[{"field": "likes"}], compare={"with": "likes = coffee"}, overlap=["likes = cake"])
    assert report["size"]["records"] == 3 and report["compare"]["both"] == 1
    assert client.overlap(people, ["likes = tea", "likes = cake"]) == [[3, 2], [2, 3]]


def test_saved_audiences(client: uproar.Client, people: str) -> None:
    assert client.audience(people, "likes = tea").save("tea") == 3
    assert [a["name"] for a in client.saved_audiences(people)] == ["tea"]
    client.forget_audience(people, "tea")
    assert client.saved_audiences(people) == []


def test_fields_and_indexes(client: uproar.Client, people: str) -> None:
    assert [f["name"] for f in client.fields(people)] == ["likes", "city", "age"]
    after = client.change_fields(people, add=[{"name": "born", "type": "date"}], drop=["city"])
    assert {f["name"] for f in after} == {"likes", "age", "born"}
    client.indexes().set_alias("folk", people)
    assert client.count("folk", "all") == 5
    assert "folk" in client.indexes().describe(people)["aliases"]
    client.indexes().set_alias("folk")
    with pytest.raises(errors.UnknownIndex):
        client.count("folk", "all")
    with pytest.raises(errors.IndexExists):
        client.indexes().create(people)
    assert people in [i["index"] for i in client.indexes().list()]


def test_changes(client: uproar.Client, people: str) -> None:
    commits = list(client.changes(people, limit=1))
    assert commits[-1]["sequence"] == client.indexes().describe(people)["sequence"]
    last = commits[-1]["sequence"]
    assert list(client.changes(people, last)) == []
    following = client.follow(people, last, wait=5)
    threading.Timer(0.3, client.write_records, [people], {"deletes": ["ann"]}).start()
    assert next(following)["sequence"] > last


def test_likes(client: uproar.Client) -> None:
    likes, post = client.graph().likes(), "at://did:plc:writer/app.bsky.feed.post/3m6aaaaaaaa2k"
    client.graph().follow([("viewer", "late")])
    likes.write([{"account": "early", "key": "3m6i4wtqkuf2l", "subject": post},
                 {"account": "late", "key": "3m6i4wtqkuf2m", "subject": post}])
    first = likes.likers(post, limit=1)
    assert first["likes"] == [{"account": "late", "key": "3m6i4wtqkuf2m"}]
    assert likes.likers(post, cursor=first["cursor"], hidden=True)["likes"][0]["account"] == "early"
    assert likes.liked("late")["subjects"] == [post]
    known = {"count": 1, "accounts": ["late"]}
    assert likes.lookup([post], account="early", viewer="viewer", limit=5) == [
        {"accounts": 2, "key": "3m6i4wtqkuf2l", "known": known}]


def test_standing_queries(client: uproar.Client, people: str) -> None:
    standing = client.standing(people)
    standing.set("tea", "likes = tea")
    entered: set[str] = set()
    end = time.monotonic() + 20
    events = standing.follow("tea", wait=1)
    position = 0
    while entered != {"ann", "bob", "dee"} and time.monotonic() < end:
        event = next(events)
        entered |= set(event["entered"])
        position = event["position"]
    assert entered == {"ann", "bob", "dee"}
    client.write_records(people, deletes=["bob"])
    event = next(standing.follow("tea", position, wait=5))
    assert event["left"] == ["bob"]
    assert event in list(standing.events("tea", position))
    assert [q["name"] for q in standing.list()] == ["tea"]
    standing.drop("tea")
    assert standing.list() == []


def test_import_table(client: uproar.Client) -> None:
    table = b"id,likes,age\n" + b"".join(b"p%d,tea|cake,%d\n" % (i, i % 90) for i in range(50_000))
    schema: uproar.types.TableSchema = {"key": "id", "columns": [
        {"name": "likes", "type": "set", "split": "|"}, {"name": "age", "type": "integer"}]}
    checked = client.import_table("imported", table, schema=schema, check=True)
    assert checked["records"] == 50_000
    assert "imported" not in [i["index"] for i in client.indexes().list()]
    reply = client.import_table("imported", io.BytesIO(table), schema=schema)
    assert (reply["records"], reply["bad"]) == (50_000, 0)
    assert client.count("imported", "likes = cake and age = 89") == len(range(89, 50_000, 90))
    with pytest.raises(errors.Invalid):
        client.import_table("imported", b"id,likes,age\nx,tea,old\n", strict=True)
    client.indexes().drop("imported")


def test_server(client: uproar.Client, people: str) -> None:
    assert client.health()["status"] == client.ready()["status"] == "ok"
    assert client.openapi()["info"]["title"] == "Uproar"
    assert "uproar_" in client.metrics()
    assert client.slow()["leastMicros"] > 0
    assert [i["name"] for i in client.stats(people, kinds=True)["indexes"]] == [people]
    assert client.cluster().copy() is None
    for ask in client.cluster().nodes, client.cluster().hand_over:
        with pytest.raises(uproar.ServerError):  # of a database that has one copy only
            ask()


def test_backup(client: uproar.Client, people: str) -> None:
    with client.backup() as pieces:
        full = b"".join(pieces)
    assert len(full) > 500
    with pytest.raises(errors.ServerError), client.backup(b"no head of a backup"):
        pass
