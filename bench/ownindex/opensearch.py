# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes people of ten fields to Uproar and to OpenSearch in turns, reads them back, and compares: opensearch.py UPROAR OPENSEARCH [PEOPLE]"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import sys
import threading
import time
from typing import Any

BATCH = 1000
ROUNDS = 4
TAGS = ["tea", "coffee", "cake", "bread", "milk", "jam", "rice", "corn", "beer", "wine"]
TYPES = {
    "name": ("single", "keyword"), "city": ("single", "keyword"), "plan": ("single", "keyword"), "likes": ("set", "keyword"),
    "age": ("integer", "integer"), "visits": ("integer", "integer"), "score": ("integer", "long"),
    "paid": ("decimal", "scaled_float"), "born": ("date", "date"), "seen": ("time", "date"),
}


def person(rng: random.Random) -> dict[str, Any]:
    """Return the values of a person."""
    return {
        "name": f"n{rng.randrange(100000)}", "city": f"c{rng.randrange(300)}", "plan": rng.choice(["free", "pro", "team"]),
        "likes": sorted(rng.sample(TAGS, 3)), "age": rng.randrange(90), "visits": rng.randrange(1000),
        "score": rng.randrange(10**6), "paid": rng.randrange(10**5) / 100,
        "born": f"19{rng.randrange(10, 100)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
        "seen": f"2026-{rng.randrange(1, 12):02}-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:00:00Z",
    }


class Server:
    """A server that is asked over connections that are kept."""

    def __init__(self, url: str) -> None:
        self.address = url.removeprefix("http://").rstrip("/")
        self.kept = threading.local()

    def ask(self, method: str, path: str, body: bytes | None = None, media: str = "application/json") -> Any:
        """Return what a request is answered with."""
        if not hasattr(self.kept, "connection"):
            self.kept.connection = http.client.HTTPConnection(self.address, timeout=120)
        self.kept.connection.request(method, path, body, {"Content-Type": media})
        reply = self.kept.connection.getresponse()
        text = reply.read()
        if reply.status not in (200, 201):
            raise SystemExit(f"{path}: {reply.status} {text[:300]!r}")
        return json.loads(text)


class Uproar(Server):
    """An index of Uproar."""

    def make(self, index: str) -> None:
        fields = [{"name": n, "type": t} | ({"scale": 2} if t == "decimal" else {}) for n, (t, _) in TYPES.items()]
        self.ask("POST", "/v1/indexes/create", json.dumps({"index": index, "fields": fields}).encode())

    def encode(self, index: str, people: dict[str, Any]) -> bytes:
        return json.dumps({"index": index, "puts": [{"key": k, "values": v} for k, v in people.items()]}).encode()

    def write(self, index: str, body: bytes) -> None:
        self.ask("POST", "/v1/records/write", body)

    def read(self, index: str, keys: list[str]) -> list[Any]:
        reply = self.ask("POST", "/v1/records/get", json.dumps({"index": index, "keys": keys}).encode())
        return [r["values"] | {"likes": sorted(r["values"]["likes"])} for r in reply["records"]]

    def page(self, index: str) -> list[str]:
        body = {"index": index, "q": "plan = pro", "sort": ["-paid", "key"], "limit": 100}
        return [r["key"] for r in self.ask("POST", "/v1/records/find", json.dumps(body).encode())["records"]]


class OpenSearch(Server):
    """An index of OpenSearch, of one shard without replicas, whose log is synced before each answer, as is its default."""

    def make(self, index: str) -> None:
        fields: dict[str, Any] = {n: {"type": t} for n, (_, t) in TYPES.items()}
        fields["paid"]["scaling_factor"] = 100
        fields["key"] = {"type": "keyword"}
        if "scaled_float" not in str(self.ask("GET", "/_nodes/plugins")):  # which is a module of its own
            fields["paid"] = {"type": "double"}
        body = {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": {"properties": fields}}
        self.ask("PUT", "/" + index, json.dumps(body).encode())

    def encode(self, index: str, people: dict[str, Any]) -> bytes:
        lines = (f'{{"index":{{"_id":"{k}"}}}}\n{json.dumps(v | {"key": k})}\n' for k, v in people.items())
        return "".join(lines).encode()

    def write(self, index: str, body: bytes) -> None:
        if self.ask("POST", f"/{index}/_bulk", body, "application/x-ndjson")["errors"]:
            raise SystemExit("OpenSearch did not write all of a batch")

    def read(self, index: str, keys: list[str]) -> list[Any]:
        reply = self.ask("POST", f"/{index}/_mget", json.dumps({"ids": keys}).encode())
        return [{n: x for n, x in d["_source"].items() if n != "key"} for d in reply["docs"]]

    def page(self, index: str) -> list[str]:
        body = {"query": {"term": {"plan": "pro"}}, "sort": [{"paid": "desc"}, {"key": "asc"}], "size": 100}
        return [h["_source"]["key"] for h in self.ask("POST", f"/{index}/_search", json.dumps(body).encode())["hits"]["hits"]]


def written(server: Any, index: str, bodies: list[bytes], connections: int) -> float:
    """Write all batches, and return records a second."""
    began = time.perf_counter()
    left = iter(bodies)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                body = next(left, None)
            if body is None:
                return
            server.write(index, body)

    threads = [threading.Thread(target=work) for _ in range(connections)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return len(bodies) * BATCH / (time.perf_counter() - began)


def middle(times: int, call: Any) -> float:
    """Return the median time of a call, in milliseconds."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def main() -> None:
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    servers = {"Uproar": Uproar(sys.argv[1]), "OpenSearch": OpenSearch(sys.argv[2])}
    found: dict[str, dict[str, list[float]]] = {n: {} for n in servers}
    for turn in range(ROUNDS):
        rng = random.Random(turn)
        people = {f"p{i:07}": person(rng) for i in range(count)}
        keys = list(people)
        for connections in (1, 4):
            index = f"people{turn}x{connections}x{int(time.time())}"
            for name in sorted(servers, reverse=turn % 2 == 0):
                server = servers[name]
                server.make(index)
                bodies = [server.encode(index, {k: people[k] for k in keys[i:i + BATCH]}) for i in range(0, count, BATCH)]
                rate = written(server, index, bodies, connections)
                found[name].setdefault(f"records/s, {connections}", []).append(rate)
        time.sleep(2)  # until OpenSearch has refreshed
        asked = [rng.sample(keys, 100) for _ in range(50)]
        pages = []
        for name, server in servers.items():
            for some in asked[:5]:
                if server.read(index, some) != [people[k] for k in some]:
                    raise SystemExit(f"{name}: got other people than were written")
            some = iter(asked * 4)
            found[name].setdefault("ms, 100 by key", []).append(middle(200, lambda: server.read(index, next(some))))
            found[name].setdefault("ms, a sorted page of 100", []).append(middle(100, lambda: server.page(index)))
            pages.append(server.page(index))
        if pages[0] != pages[1]:
            raise SystemExit("the sorted pages differ")
    for name, of in found.items():
        for what, values in of.items():
            print(f"{name:10} {what:26} " + " ".join(f"{v:9.2f}" for v in values) + f"   median {statistics.median(values):.2f}")


main()
