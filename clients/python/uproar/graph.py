# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""A social graph: lists of accounts, follows and other relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional

from . import types
from .core import Body, Call, Calls, K, Page, Pairs, Part, call, get, listing, members, paged, pairs, post, send_parts
from .parts import Likes

Relation = Literal["following", "followers", "blocks", "blockers", "mutes", "muters", "members", "lists"]
LISTS = (
    "blockers", "blocks", "followers", "following", "follows-following", "intersect-followers", "intersect-following",
    "lists", "members", "muters", "mutes", "mutuals", "mutuals-following", "reach",
)
LIST_OPERATIONS = tuple("get-graph-" + name for name in LISTS)


class Accounts(Calls[K]):
    """A list of accounts, counted or read."""

    def __init__(self, asker: Any, name: str, query: Pairs) -> None:
        super().__init__(asker)
        self._path, self._query = "/v1/graph/" + name, query

    def for_viewer(self, viewer: str) -> Accounts[K]:
        """Return the list without whom an account blocks, mutes or is blocked by."""
        kept = [p for p in self._query if p[0] != "viewer"]
        return Accounts(self._asker, self._path.rsplit("/", 1)[1], [*kept, ("viewer", viewer)])

    def by_time(self, order: Literal["newest", "oldest"]) -> Accounts[K]:
        """Return the list by the time of records, with their keys: of following, blocks and members."""
        kept = [p for p in self._query if p[0] not in ("order", "keys")]
        return Accounts(self._asker, self._path.rsplit("/", 1)[1], [*kept, ("order", order), ("keys", "true")])

    @call(*LIST_OPERATIONS)
    def count(self) -> Call[int]:
        """Return how many accounts there are."""
        return get(self._path, lambda r: int(r["count"]), [*self._query, ("count", "true")])

    @call(*LIST_OPERATIONS)
    def page(self, limit: Optional[int] = None, cursor: Optional[str] = None) -> Call[types.AccountsReply]:
        """Return a page of the accounts."""
        return get(self._path, lambda r: r, [*self._query, *pairs(limit=limit, cursor=cursor)])

    @listing(*LIST_OPERATIONS)
    def all(self) -> Call[Page[str]]:
        """Go through all accounts, page by page, each in the state of its own time."""
        return paged(get(self._path, lambda r: r, [*self._query, ("limit", "10000")]), lambda r: r["accounts"])


class Graph(Calls[K]):
    """Asks about accounts and what they follow, and writes that."""

    def _list(self, name: str, *accounts: str, target: Optional[str] = None) -> Accounts[K]:
        return Accounts(self._asker, name, pairs(account=accounts, target=target))

    def related(self, relation: Relation, account: str) -> Accounts[K]:
        """Return the accounts in a relation to an account."""
        return self._list(relation, account)

    def likes(self) -> Likes[K]:
        """Return the calls about likes."""
        return Likes(self._asker)

    def followers(self, account: str) -> Accounts[K]:
        """Return who follows an account."""
        return self._list("followers", account)

    def following(self, account: str) -> Accounts[K]:
        """Return whom an account follows."""
        return self._list("following", account)

    def mutuals(self, account: str) -> Accounts[K]:
        """Return who follows an account and is followed by it."""
        return self._list("mutuals", account)

    def follows_following(self, account: str, target: str) -> Accounts[K]:
        """Return those of whom an account follows who follow the target."""
        return self._list("follows-following", account, target=target)

    def mutuals_following(self, account: str, target: str) -> Accounts[K]:
        """Return those of an account's mutuals who follow the target."""
        return self._list("mutuals-following", account, target=target)

    def intersect_followers(self, *accounts: str) -> Accounts[K]:
        """Return who follows all of the accounts."""
        return self._list("intersect-followers", *accounts)

    def intersect_following(self, *accounts: str) -> Accounts[K]:
        """Return whom all of the accounts follow."""
        return self._list("intersect-following", *accounts)

    def reach(self, account: str) -> Accounts[K]:
        """Return who follows someone who follows an account."""
        return self._list("reach", account)

    @call("get-graph-follows")
    def follows(self, account: str, target: str) -> Call[bool]:
        """Report whether an account follows the target."""
        return get("/v1/graph/follows", lambda r: bool(r["follows"]), pairs(account=account, target=target))

    @call("post-graph-follow")
    def follow(self, follows: Sequence[tuple[str, str]]) -> Call[int]:
        """Add follows, pairs of account and target, and return the number of the commit."""
        return _write("/v1/graph/follow", follows)

    @call("post-graph-unfollow")
    def unfollow(self, follows: Sequence[tuple[str, str]]) -> Call[int]:
        """Remove follows, all or none, and return the number of the commit."""
        return _write("/v1/graph/unfollow", follows)

    @call("post-graph-write")
    def write(
        self, changes: Sequence[types.ChangeRequest] = (), stream: Optional[str] = None, position: Optional[int] = None
    ) -> Call[int]:
        """Write changes, and the position of the stream that they are from; return the number of the commit."""
        body = members(changes=list(changes), stream=stream, position=position)
        return post("/v1/graph/write", lambda r: int(r["sequence"]), body, writes=True)

    @call("get-graph-position")
    def position(self, stream: str) -> Call[Optional[int]]:
        """Return the position of a stream that was written last, None if there is none."""
        return get("/v1/graph/position", lambda r: r["position"], pairs(stream=stream))

    @call("post-graph-lookup")
    def lookup(self, accounts: Sequence[str] = (), ids: Sequence[int] = ()) -> Call[list[types.LookedUp]]:
        """Return the IDs of accounts, or the accounts of IDs, in the same order."""
        body = members(accounts=list(accounts) or (None if ids else []), ids=list(ids) or None)
        return post("/v1/graph/lookup", lambda r: r["accounts"], body)

    @call("post-graph-edges")
    def edges(self, account: str, targets: Sequence[str] = (), lists: Sequence[str] = ()) -> Call[types.EdgesReply]:
        """Return the keys of the records between an account and targets, and of those that put it on lists."""
        body = members(account=account, targets=list(targets) or None, lists=list(lists) or None)
        return post("/v1/graph/edges", lambda r: r, body)

    @call("get-graph-suggestions")
    def suggestions(self, account: str, limit: Optional[int] = None) -> Call[types.RankedReply]:
        """Return whom an account might follow, best first."""
        return get("/v1/graph/suggestions", lambda r: r, pairs(account=account, limit=limit))

    @call("get-graph-suggestions")
    def count_suggestions(self, account: str) -> Call[int]:
        """Return how many suggestions there are."""
        return get("/v1/graph/suggestions", lambda r: int(r["count"]), pairs(account=account, count=True))

    @call("get-graph-similar")
    def similar(self, account: str, by: Optional[str] = None, limit: Optional[int] = None) -> Call[types.RankedReply]:
        """Return accounts with similar followers, best first."""
        return get("/v1/graph/similar", lambda r: r, pairs(account=account, by=by, limit=limit))

    @call("get-graph-similar")
    def count_similar(self, account: str, by: Optional[str] = None) -> Call[int]:
        """Return how many similar accounts there are."""
        return get("/v1/graph/similar", lambda r: int(r["count"]), pairs(account=account, by=by, count=True))

    @call("post-graph-import")
    def import_edges(
        self, edges: Body, *, separator: Optional[str] = None, header: Optional[str] = None,
        strict: bool = False, bad: Optional[str] = None, cluster: bool = False,
    ) -> Call[types.ImportReply]:
        """Add an edge list, plain or compressed, all of it or nothing. It is sent once, while it is read."""
        query = pairs(separator=separator, header=header, strict=strict, bad=bad, cluster=cluster)
        return send_parts("/v1/graph/import", query, [Part("", edges)])


def _write(path: str, follows: Sequence[tuple[str, str]]) -> Call[int]:
    body = {"follows": [{"account": a, "target": t} for a, t in follows]}
    return post(path, lambda r: int(r["sequence"]), body, writes=True)
