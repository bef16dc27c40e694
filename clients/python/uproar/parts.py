# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of a client: indexes, standing queries, likes, copies of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from . import types
from .core import Call, Calls, K, Page, call, followed, get, listing, members, pairs, post

# How long a request waits for what is to come, in seconds: less than a server gives each request.
LONG_POLL = 9.0


class Indexes(Calls[K]):
    """Asks about the indexes of the database, and changes which there are."""

    @call("get-indexes")
    def list(self) -> Call[Sequence[types.Index]]:
        """Return all indexes, by name."""
        return get("/v1/indexes", lambda r: r["indexes"])

    @call("get-indexes")
    def describe(self, name: str) -> Call[types.Index]:
        """Return one index, by its name or an alias."""
        return get("/v1/indexes", lambda r: r["indexes"][0], pairs(index=name))

    @call("post-indexes-create")
    def create(self, name: str, fields: Sequence[types.Field] = ()) -> Call[Sequence[types.Field]]:
        """Make an index, and return its fields."""
        body = {"index": name, "fields": [*fields]}
        return post("/v1/indexes/create", lambda r: r["fields"], body, writes=True)

    @call("post-indexes-drop")
    def drop(self, name: str) -> Call[None]:
        """Delete an index with all its records, for good."""
        return post("/v1/indexes/drop", lambda r: None, {"index": name}, writes=True)

    @call("post-indexes-alias")
    def set_alias(self, alias: str, index: str = "") -> Call[None]:
        """Point an alias at an index; without an index remove it."""
        return post("/v1/indexes/alias", lambda r: None, {"alias": alias, "index": index}, writes=True)


class Standing(Calls[K]):
    """The standing queries of an index."""

    def __init__(self, asker: Any, index: str) -> None:
        super().__init__(asker)
        self._index = index

    @call("get-standing")
    def list(self) -> Call[Sequence[types.StandingQuery]]:
        """Return the standing queries, by name."""
        return get("/v1/standing", lambda r: r["queries"], pairs(index=self._index))

    @call("post-standing-set")
    def set(self, name: str, q: str) -> Call[None]:
        """Make a query stand under a name, in the place of the one of that name."""
        body = {"index": self._index, "name": name, "q": q}
        return post("/v1/standing/set", lambda r: None, body, writes=True)

    @call("post-standing-drop")
    def drop(self, name: str) -> Call[None]:
        """End a standing query: its records leave it."""
        return post("/v1/standing/drop", lambda r: None, {"index": self._index, "name": name}, writes=True)

    @listing("get-standing-events")
    def events(self, name: str, after: int = 0, limit: Optional[int] = None) -> Call[Page[types.StandingEvent]]:
        """Go through what entered and left a standing query behind a position, up to now.

        limit is that of a request.
        """
        return followed("/v1/standing/events", pairs(index=self._index, name=name, limit=limit), after, 0, "events")

    @listing("get-standing-events")
    def follow(self, name: str, after: int = 0, wait: float = LONG_POLL) -> Call[Page[types.StandingEvent]]:
        """Go through events for ever: wait for more when there is none, and for a server that is away.

        To miss nothing and get nothing twice, keep the position of the last event that you have applied.
        """
        return followed("/v1/standing/events", pairs(index=self._index, name=name), after, wait, "events")


class Likes(Calls[K]):
    """Who likes what."""

    @call("post-likes-write")
    def write(
        self, changes: Sequence[types.LikeChange] = (), stream: Optional[str] = None, position: Optional[int] = None
    ) -> Call[int]:
        """Write changes, and the position of the stream that they are from; return the number of the commit."""
        body = members(changes=[*changes], stream=stream, position=position)
        return post("/v1/likes/write", lambda r: int(r["sequence"]), body, writes=True)

    @call("post-likes-lookup")
    def lookup(
        self, subjects: Sequence[str], account: Optional[str] = None, viewer: Optional[str] = None,
        limit: Optional[int] = None, records: Optional[bool] = None,
    ) -> Call[Sequence[types.SubjectLikes]]:
        """Return what is known about subjects, in their order, of one state."""
        body = members(subjects=[*subjects], account=account, viewer=viewer, limit=limit, records=records)
        return post("/v1/likes/lookup", lambda r: r["subjects"], body)

    @call("get-likes-likers")
    def likers(
        self, subject: str, limit: Optional[int] = None, cursor: Optional[str] = None, hidden: Optional[bool] = None
    ) -> Call[types.LikersReply]:
        """Return a page of the records that like a subject, the newest first."""
        query = pairs(subject=subject, limit=limit, cursor=cursor, hidden=hidden)
        return get("/v1/likes/likers", lambda r: r, query)

    @call("get-likes-liked")
    def liked(
        self, account: str, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Call[types.LikedReply]:
        """Return a page of the subjects that an account likes, in order of their first appearance."""
        return get("/v1/likes/liked", lambda r: r, pairs(account=account, limit=limit, cursor=cursor))


class Cluster(Calls[K]):
    """The copies of a database."""

    @call("get-cluster")
    def nodes(self) -> Call[types.ClusterReply]:
        """Return the copies and checkpoints that the log of the database has."""
        return get("/v1/cluster", lambda r: r)

    @call("get-healthz")
    def copy(self) -> Call[Optional[types.CopyReply]]:
        """Return how the server's copy is doing; None when there is one only."""
        return get("/healthz", lambda r: r.get("copy"))

    @call("post-handover")
    def hand_over(self) -> Call[Optional[types.CopyReply]]:
        """Have the server, whose copy leads, let another copy take the writes."""
        return post("/v1/handover", lambda r: r.get("copy"), {})
