# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Errors with the server's words, retries, tokens, headers and compression."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import uproar
from conftest import serve, stop
from uproar import errors

Handler = Callable[[httpx.Request], httpx.Response]


def answering(handler: Handler, address: str = "http://db.example", **options: object) -> uproar.Client:
    """Return a client whose requests a function answers."""
    http = httpx.Client(transport=httpx.MockTransport(handler))
    return uproar.Client(address, http=http, **options)  # type: ignore[arg-type]


def failure(status: int, code: str, **more: object) -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "message": "why", **more}})


def test_words_of_the_server(client: uproar.Client, people: str) -> None:
    with pytest.raises(errors.InvalidQuery) as e:
        client.count(people, "likes = ")
    assert (e.value.status, e.value.code, e.value.reason) == (400, "invalid_query", "syntax")
    assert e.value.offset is not None and e.value.message in str(e.value)
    with pytest.raises(errors.Invalid) as bad:
        client.write_records(people, puts=[{"key": "x", "values": {"age": "old"}}])
    assert bad.value.errors and bad.value.errors[0]["field"] == "age"
    with pytest.raises(errors.Unknown):
        client.standing(people).drop("none")


def test_what_is_sent_again() -> None:
    asked: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        return answers.pop(0)

    def sent(write: bool, *responses: httpx.Response) -> int:
        asked.clear()
        answers[:] = responses
        client = answering(handler)
        try:
            client.write_records("x", deletes=["a"]) if write else client.count("x", "all")
        except uproar.Error:
            pass
        return len(asked)

    answers: list[httpx.Response] = []
    good = httpx.Response(200, json={"count": 1, "sequence": 1})
    assert sent(False, failure(503, "unavailable"), failure(503, "overloaded"), good) == 3
    assert sent(False, *[failure(503, "unavailable")] * 5) == 3, "two retries"
    assert sent(True, failure(503, "overloaded"), good) == 2
    assert sent(True, failure(503, "unavailable", reason="no_writer"), good) == 2
    assert sent(True, failure(503, "unavailable"), good) == 1
    assert sent(False, httpx.Response(502, text="bad gateway"), good) == 2
    assert sent(True, httpx.Response(502, text="bad gateway"), good) == 1
    assert sent(False, failure(500, "internal"), good) == 1
    assert sent(False, failure(400, "invalid_query"), good) == 1


@pytest.mark.parametrize(("error", "reads", "writes"), [
    (httpx.ConnectError, 3, 3), (httpx.ReadError, 3, 1), (httpx.ReadTimeout, 1, 1), (httpx.ConnectTimeout, 3, 3)])
def test_broken_connections(error: type[httpx.TransportError], reads: int, writes: int) -> None:
    asked = 0

    def handler(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += 1
        raise error("broken", request=request)

    client = answering(handler)
    with pytest.raises(uproar.Unanswered, match="asking http://db.example/v1/query: broken"):
        client.count("x", "all")
    assert asked == reads
    asked = 0
    with pytest.raises(uproar.Unanswered) as e:
        client.write_records("x", deletes=["a"])
    assert asked == writes and isinstance(e.value.__cause__, error)


def test_retry_after() -> None:
    answers = [httpx.Response(503, headers={"Retry-After": "1"}, json={"error": {"code": "overloaded", "message": "m"}}),
               httpx.Response(200, json={"count": 4})]
    start = time.monotonic()
    assert answering(lambda r: answers.pop(0)).count("x", "all") == 4
    assert 0.4 < time.monotonic() - start < 2


def test_copies() -> None:
    """Writes go to the copy that takes them, and a token goes nowhere in the clear that has not asked for it so."""
    hosts: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        if request.method == "POST" and request.url.host == "one":
            return httpx.Response(307, headers={"Location": to + request.url.path})
        return httpx.Response(200, headers={"Uproar-Position": "17"}, json={"sequence": 3, "count": 1})

    to = "http://two"
    client = answering(handler, "http://one", read_your_writes=True, token="secret")
    assert client.write_records("x", deletes=["a"]) == 3
    assert client.write_records("x", deletes=["a"]) == 3
    assert hosts == ["one", "two", "two"] and client.position == 17
    client.count("x", "all")
    assert hosts[3:] == ["one"]
    to, secure = "http://two", answering(handler, "https://one")
    with pytest.raises(uproar.ServerError):
        secure.write_records("x", deletes=["a"])
    hosts.clear()

    def away(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        if request.url.host == "one":
            raise httpx.ConnectError("away", request=request)
        return httpx.Response(200, json={"count": 1})

    client = answering(away, "http://one", others=["http://two"])
    assert (client.count("x", "all"), client.count("x", "all"), hosts) == (1, 1, ["one", "two", "two"])


def test_headers() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, headers={"Uproar-Position": "9"}, json={"count": 1, "sequence": 1, "keys": []})

    client = answering(handler, token="t", max_age=1.5, at_least=5, read_your_writes=True)
    client.count("x", "all")
    client.write_records("x", deletes=["a" * 2000])
    client.keys("x", "all")
    first, write, last = (r.headers for r in seen)
    assert first["Authorization"] == "Bearer t" and first["Uproar-Max-Age"] == "1500"
    assert (first["Uproar-At-Least"], last["Uproar-At-Least"]) == ("5", "9")
    assert first["Accept-Encoding"] == "gzip" and "Uproar-At-Least" not in write
    assert write["Content-Encoding"] == "gzip" and json.loads(gzip.decompress(seen[1].content))["deletes"]
    answering(handler, "http://127.0.0.1:1").count("x", "all")
    assert seen[3].headers["Accept-Encoding"] == "identity"


def test_bad_replies() -> None:
    with pytest.raises(uproar.BadReply, match="not what it should be"):
        answering(lambda r: httpx.Response(200, text="<html>")).count("x", "all")
    with pytest.raises(uproar.BadReply, match="more than 10 bytes"):
        answering(lambda r: httpx.Response(200, text="x" * 11), max_reply=10).count("x", "all")
    with pytest.raises(uproar.ServerError, match="which no server of Uproar answers with"):
        answering(lambda r: httpx.Response(404, text="nothing here")).count("x", "all")


def test_compression(url: str, people: str) -> None:
    with uproar.Client(url, compress=True) as client:
        client.write_records(people, puts=[{"key": f"k{i}", "values": {"city": "Oslo"}} for i in range(2000)])
        assert len(client.keys(people, "city = Oslo", limit=5000)["keys"]) == 2002


def test_tokens(binary: str, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("read ann reader-of-the-database-1234567890\nwrite bob writer-of-the-database-1234567890\n")
    tokens.chmod(0o600)
    server, address = serve(binary, "--tokens", str(tokens))
    try:
        with pytest.raises(errors.Unauthorized):
            uproar.Client(address).stats()
        reader = uproar.Client(address, token="reader-of-the-database-1234567890")
        assert reader.stats()["indexes"] is not None
        with pytest.raises(errors.Forbidden):
            reader.indexes().create("x")
        assert uproar.Client(address, token="writer-of-the-database-1234567890").indexes().create("x") == []
    finally:
        stop(server)


def test_a_stream_that_breaks_off(binary: str) -> None:
    server, address = serve(binary)
    client = uproar.Client(address, retries=0)
    client.import_table("many", b"id,n\n" + b"".join(b"k%d,1\n" % i for i in range(400_000)), key="id")
    with pytest.raises(uproar.Unanswered), client.stream("query", "text/csv", {"index": "many", "q": "all"}) as p:
        next(p)
        stop(server)
        for _ in p:
            pass
