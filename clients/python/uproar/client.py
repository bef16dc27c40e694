# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The clients: Client waits, AsyncClient is awaited. Both have the methods of Database."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Optional, Union

import httpx

from . import frames, sets, types
from .audience import Audience
from .catalog import Catalog
from .core import (
    Async, Body, Call, Calls, Core, K, Page, Part, Sync, call, followed, get, listing, members, paged, pairs, post,
    send_parts, streaming, whole,
)
from .errors import ServerError, error_of
from .graph import Graph
from .parts import LONG_POLL, Cluster, Indexes, Standing
from .query import in_address
from .transport import AsyncAsker, SyncAsker

MOST = 10_000  # entries of a page


class Database(Calls[K]):
    """Every call of a server."""

    def graph(self) -> Graph[K]:
        """Return the calls about the social graph."""
        return Graph(self._asker)

    def audience(self, index: str, q: types.Query = "all") -> Audience[K]:
        """Return the calls about the records of an index that a query matches."""
        return Audience(self._asker, index, q)

    def catalog(self, name: str) -> Catalog[K]:
        """Return the calls about a catalog."""
        return Catalog(self._asker, name)

    def indexes(self) -> Indexes[K]:
        """Return the calls about indexes."""
        return Indexes(self._asker)

    def standing(self, index: str) -> Standing[K]:
        """Return the calls about the standing queries of an index."""
        return Standing(self._asker, index)

    def cluster(self) -> Cluster[K]:
        """Return the calls about the copies of the database."""
        return Cluster(self._asker)

    @property
    def position(self) -> int:
        """How far the writes of this client have come: at_least of another client."""
        return int(self._asker.core.written)

    # Queries

    @call("post-query")
    def keys(
        self, index: str, q: types.Query, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Call[types.KeysReply]:
        """Return a page of the keys of the records that a query matches, by ascending record ID."""
        return _query(index, q, "keys", limit=limit, cursor=cursor)

    @call("post-query")
    def ids(
        self, index: str, q: types.Query, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Call[types.IDsReply]:
        """Return a page of the IDs of the records that a query matches, ascending."""
        return _query(index, q, "ids", limit=limit, cursor=cursor)

    @call("post-query")
    def identified(
        self, index: str, q: types.Query, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Call[types.IdentifiedReply]:
        """Return a page of the records that a query matches, by ID and key, by ascending ID."""
        return _query(index, q, "records", limit=limit, cursor=cursor)

    @listing("post-query")
    def all_keys(self, index: str, q: types.Query) -> Call[Page[str]]:
        """Go through the keys of all records that a query matches, each page in the state of its own time."""
        body = {"index": index, "q": q, "answer": "keys", "limit": MOST}
        return paged(post("/v1/query", whole, body), lambda r: r["keys"], body)

    @call("get-query")
    def count(self, index: str, q: types.Query) -> Call[int]:
        """Return how many records a query matches."""
        if isinstance(q, str) and len(q) < 4096:
            return get("/v1/query", lambda r: int(r["count"]), pairs(index=index, q=q, answer="count"))
        return replace(_query(index, q, "count"), read=lambda b: int(json.loads(b)["count"]))

    @call("post-query")
    def explain(self, index: str, q: types.Query) -> Call[dict[str, Any]]:
        """Return the plan of a query. Its members may change from version to version."""
        return replace(_query(index, q, "explain"), read=lambda b: json.loads(b)["plan"])

    @call("post-answers")
    def answers(
        self, index: str, q: types.Query, questions: Sequence[types.Question]
    ) -> Call[types.AnswersReply]:
        """Return several answers about the records of one query, in one state of the database."""
        return post("/v1/answers", whole, {"index": index, "q": q, "answers": list(questions)})

    @call("post-answers")
    def bitmap_bytes(self, index: str, q: types.Query) -> Call[bytes]:
        """Return the IDs of the records as the bytes of an Uproar bitmap (docs/format/bitmap.md)."""
        body = {"index": index, "q": q, "answers": [{"name": "ids", "answer": "bitmap"}]}
        return post("/v1/answers", lambda r: base64.b64decode(r["answers"][0]["bitmap"]), body)

    @call("post-save")
    def save(self, index: str, name: str, q: types.Query) -> Call[int]:
        """Store the records of a query under a name, and return how many they are."""
        return post("/v1/save", lambda r: int(r["count"]), {"index": index, "name": name, "q": q}, writes=True)

    @call("post-batch")
    def batch(self, calls: Sequence[str]) -> Call[list[Union[dict[str, Any], ServerError]]]:
        """Ask up to 1000 calls by GET at once, each a path with parameters. An answer may be an error."""

        def pick(reply: Any) -> list[Union[dict[str, Any], ServerError]]:
            if len(reply["answers"]) != len(calls):
                raise ValueError(f"got {len(reply['answers'])} answers to {len(calls)} calls")
            return [error_of(0, a["error"]) if isinstance(a.get("error"), dict) else a for a in reply["answers"]]

        return post("/v1/batch", pick, {"calls": list(calls)})

    # DataFrames and streams

    @call("post-query")
    def find_keys(
        self, index: str, q: types.Query, *, answer: Literal["keys", "ids", "records"] = "keys",
        limit: int = 0, as_: frames.As = "arrow",
    ) -> Call[Any]:
        """Return the keys (or IDs, or both) of all records that a query matches, in one state, as a frame."""
        return _framed("/v1/query", members(index=index, q=q, answer=answer, limit=limit or None), as_)

    @call("post-records-find")
    def find(
        self, index: str, q: types.Query, *, fields: Optional[Sequence[str]] = None, sort: Sequence[str] = (),
        limit: int = 0, as_: frames.As = "arrow",
    ) -> Call[Any]:
        """Return all records that a query matches with their values, in one state, as a frame.

        The frame is a pyarrow.Table, a pandas or polars DataFrame, or the bytes of Arrow IPC. A limit of 0 is all.
        """
        body = members(index=index, q=q, fields=None if fields is None else list(fields), sort=list(sort) or None,
                       limit=limit or None)
        return _framed("/v1/records/find", body, as_)

    @call("post-answers")
    def answer(
        self, index: str, q: types.Query, question: types.Question, *, as_: frames.As = "arrow"
    ) -> Call[Any]:
        """Return the answer to one question (top, groups or sample) as a frame."""
        return _framed("/v1/answers", {"index": index, "q": q, "answers": [question]}, as_)

    @call("post-query")
    def find_set(self, index: str, q: types.Query) -> Call[Any]:
        """Return the IDs of all records that a query matches as a pyroaring.BitMap64."""
        asked = _framed("/v1/query", {"index": index, "q": q, "answer": "ids"}, "bytes")
        return replace(asked, read=sets.of_arrow)

    @streaming("post-query", "post-records-find", "post-records-get", "post-answers")
    def stream(
        self, kind: Literal["query", "records/find", "records/get", "answers"], media: str, body: dict[str, Any]
    ) -> Call[bytes]:
        """Read a list of any length while it arrives, as text/csv, application/x-ndjson, Parquet or Arrow.

        ``with client.stream("query", "text/csv", {"index": "people", "q": "all"}) as pieces: ...``
        """
        return replace(post("/v1/" + kind, whole, body), accept=media)

    # Records and fields

    @call("post-records-write")
    def write_records(
        self, index: str, *, puts: Sequence[types.Record] = (), merges: Sequence[types.Record] = (),
        clears: Sequence[types.RecordFields] = (), deletes: Sequence[str] = (), rows: Sequence[types.ValueRow] = (),
        if_: Union[types.Requirement, Sequence[types.Requirement], None] = None,
    ) -> Call[int]:
        """Write records, all of it or nothing, and return the number of the commit."""
        body = members(index=index, puts=list(puts) or None, merges=list(merges) or None, clears=list(clears) or None,
                       deletes=list(deletes) or None, rows=list(rows) or None, if_=if_)
        return post("/v1/records/write", lambda r: int(r["sequence"]), body, writes=True)

    @call("post-records-get")
    def records(
        self, index: str, keys: Sequence[str], fields: Optional[Sequence[str]] = None
    ) -> Call[list[types.Record]]:
        """Return records by their keys, in the same order. No fields means all."""
        body = members(index=index, keys=list(keys), fields=None if fields is None else list(fields))
        return post("/v1/records/get", lambda r: r["records"], body)

    @call("post-records-find")
    def find_records(
        self, index: str, q: types.Query, *, fields: Optional[Sequence[str]] = None, sort: Sequence[str] = (),
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> Call[types.RecordsFindReply]:
        """Return a page of the records that a query matches, in an order."""
        return post("/v1/records/find", whole, _find(index, q, fields, sort, limit, cursor))

    @listing("post-records-find")
    def all_records(
        self, index: str, q: types.Query, *, fields: Optional[Sequence[str]] = None, sort: Sequence[str] = (),
        limit: Optional[int] = None,
    ) -> Call[Page[types.Record]]:
        """Go through all records that a query matches, in pages of limit, each in the state of its own time."""
        body = _find(index, q, fields, sort, limit, None)
        return paged(post("/v1/records/find", whole, body), lambda r: r["records"], body)

    @call("get-fields")
    def fields(self, index: str) -> Call[list[types.Field]]:
        """Return the fields of an index, as they are declared."""
        return get("/v1/fields", lambda r: r["fields"], pairs(index=index))

    @call("post-fields")
    def change_fields(
        self, index: str, *, add: Sequence[types.Field] = (), drop: Sequence[str] = ()
    ) -> Call[list[types.Field]]:
        """Drop fields with all their values, then add others, all or none. Return the fields that there are."""
        body = members(index=index, add=list(add) or None, drop=list(drop) or None)
        return post("/v1/fields", lambda r: r["fields"], body, writes=True)

    # Imports and backups

    @call("post-import")
    def import_table(
        self, index: str, table: Body, *, schema: Optional[types.TableSchema] = None, key: Optional[str] = None,
        null: Sequence[str] = (), format: Optional[str] = None, separator: Optional[str] = None,
        guessed: bool = False, unique: bool = False, ignore: bool = False, strict: bool = False,
        bad: Optional[str] = None, check: bool = False,
    ) -> Call[types.TableImportReply]:
        """Put the records of a table into an index, all of them or none, or make the index.

        The table is CSV, TSV, lines of JSON or Parquet, plain or compressed: bytes, a file or an iterable of bytes.
        It is sent once, while it is read.
        """
        query = pairs(index=index, key=key, null=list(null), format=format, separator=separator, guessed=guessed,
                      unique=unique, ignore=ignore, strict=strict, bad=bad, check=check)
        return send_parts("/v1/import", query, [*_schema(schema), Part("", table)])

    @call("post-import")
    def import_frame(
        self, index: str, frame: Any, *, schema: Optional[types.TableSchema] = None, key: Optional[str] = None,
        ignore: bool = False, strict: bool = False, bad: Optional[str] = None, check: bool = False,
    ) -> Call[types.TableImportReply]:
        """Put the rows of a pandas or polars DataFrame or a pyarrow.Table into an index, or make it."""
        query = pairs(index=index, key=key, ignore=ignore, strict=strict, bad=bad, check=check)
        return send_parts("/v1/import", query, [*_schema(schema), Part(frames.PARQUET, frames.parquet(frame))])

    @streaming("get-backup", "post-backup")
    def backup(self, since: Optional[bytes] = None) -> Call[bytes]:
        """Read a backup while it arrives; with the head of another backup what is newer than that.

        ``with client.backup() as pieces, open("data.backup", "wb") as out: out.writelines(pieces)``
        """
        if since is None:
            return Call("GET", "/v1/backup", whole)
        return Call("POST", "/v1/backup", whole, (), since, "application/octet-stream")

    # Changes

    @listing("get-changes")
    def changes(self, index: str, after: int = 0, limit: Optional[int] = None) -> Call[Page[types.Commit]]:
        """Go through the commits of an index behind a number, in order, up to the last one. limit is of a request."""
        return followed("/v1/changes", pairs(index=index, limit=limit), after, 0, "commits")

    @listing("get-changes")
    def follow(self, index: str, after: int = 0, wait: float = LONG_POLL) -> Call[Page[types.Commit]]:
        """Go through commits for ever: wait for more when there is none, and for a server that is away.

        To miss nothing and get nothing twice, keep the sequence of the last commit that you have applied.
        """
        return followed("/v1/changes", pairs(index=index), after, wait, "commits")

    # Audiences of an index

    @call("get-audience-overlap")
    def overlap(self, index: str, queries: Sequence[types.Query]) -> Call[list[list[int]]]:
        """Return the sizes of the intersections of each two queries."""
        query = pairs(index=index, q=[in_address(q) for q in queries])
        return get("/v1/audience/overlap", lambda r: r["matrix"], query)

    @call("get-audience-saved")
    def saved_audiences(self, index: str) -> Call[list[types.SavedAudience]]:
        """Return the saved audiences of an index."""
        return get("/v1/audience/saved", lambda r: r["audiences"], pairs(index=index))

    @call("post-audience-forget")
    def forget_audience(self, index: str, name: str) -> Call[None]:
        """Delete a saved audience."""
        return post("/v1/audience/forget", lambda r: None, {"index": index, "name": name}, writes=True)

    # The server

    @call("get-healthz")
    def health(self) -> Call[types.HealthReply]:
        """Return when the server answers and its database can be read."""
        return get("/healthz", whole)

    @call("get-readyz")
    def ready(self) -> Call[types.HealthReply]:
        """Return when the server can read and, unless it only reads, write."""
        return get("/readyz", whole)

    @call("get-slow")
    def slow(self) -> Call[types.SlowReply]:
        """Return the last requests that took long, with their questions."""
        return get("/v1/slow", whole)

    @call("get-stats")
    def stats(self, index: Optional[str] = None, kinds: bool = False) -> Call[types.StatsReply]:
        """Return figures about memory and indexes. kinds reads every page of lists."""
        return get("/v1/stats", whole, pairs(index=index, kinds=kinds))

    @call("get-metrics")
    def metrics(self) -> Call[str]:
        """Return the server's figures, in the text format of Prometheus."""
        return Call("GET", "/metrics", lambda b: b.decode())

    @call("get-openapi")
    def openapi(self) -> Call[dict[str, Any]]:
        """Return the document that describes the server's calls."""
        return get("/v1/openapi.json", whole)


def _query(index: str, q: types.Query, answer: str, **more: Any) -> Call[Any]:
    return post("/v1/query", whole, members(index=index, q=q, answer=answer, **more))


def _find(
    index: str, q: types.Query, fields: Optional[Sequence[str]], sort: Sequence[str], limit: Optional[int],
    cursor: Optional[str],
) -> dict[str, Any]:
    return members(index=index, q=q, fields=None if fields is None else list(fields), sort=list(sort) or None,
                   limit=limit, cursor=cursor)


def _framed(path: str, body: dict[str, Any], as_: frames.As) -> Call[Any]:
    read = frames.reader(as_)
    return replace(post(path, whole, body), accept=frames.ARROW, read=read, bounded=False)


def _schema(schema: Optional[types.TableSchema]) -> list[Part]:
    return [Part("application/json", json.dumps(schema).encode())] if schema else []


class Client(Database[Sync]):
    """Asks a server at an address such as "https://db.example:7070", and waits. It connects with the first call.

    - ``token`` is sent with every request.
    - ``timeout``: seconds without a byte after which a request fails.
    - ``retries``: how many times more a request is sent that may be. Reads are asked again when the server has too much
      to do or cannot be reached. A write is sent again only when nothing can have been done.
    - ``others``: addresses of other copies of the database. A request that is sent again goes to the next.
    - ``read_your_writes``: copies answer once they have what this client has written.
    - ``at_least``: copies answer once they have come to this position of a log.
    - ``max_age``: copies answer if they are no older, in seconds.
    - ``max_reply`` bounds the bytes of a reply; streams, frames and backups are not bounded.
    - ``compress``: gzip both ways. Default: unless all servers are on this machine.
    - ``http``: a client of httpx, which then decides about TLS, proxies and timeouts. It must follow no redirects.

    A client may be used by several threads.
    """

    def __init__(
        self, address: str = "http://127.0.0.1:7070", *, token: Optional[str] = None, timeout: Optional[float] = 30,
        retries: int = 2, others: Sequence[str] = (), read_your_writes: bool = False, at_least: int = 0,
        max_age: Optional[float] = None, max_reply: int = 256 << 20, compress: Optional[bool] = None,
        http: Optional[httpx.Client] = None,
    ) -> None:
        core = Core(address, token, others, retries, max_reply, read_your_writes, at_least, max_age, compress)
        self._http = http or httpx.Client(timeout=timeout)
        super().__init__(SyncAsker(core, self._http))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(Database[Async]):
    """Client for asyncio: the same methods and options. Calls are awaited, lists are read by ``async for``."""

    def __init__(
        self, address: str = "http://127.0.0.1:7070", *, token: Optional[str] = None, timeout: Optional[float] = 30,
        retries: int = 2, others: Sequence[str] = (), read_your_writes: bool = False, at_least: int = 0,
        max_age: Optional[float] = None, max_reply: int = 256 << 20, compress: Optional[bool] = None,
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        core = Core(address, token, others, retries, max_reply, read_your_writes, at_least, max_age, compress)
        self._http = http or httpx.AsyncClient(timeout=timeout)
        super().__init__(AsyncAsker(core, self._http))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
