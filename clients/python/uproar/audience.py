# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Audiences: what is in the records of an index that a query matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from . import types
from .core import Call, Calls, K, Page, call, get, listing, members, paged, pairs, post
from .query import in_address


class Audience(Calls[K]):
    """The records of an index that a query matches."""

    def __init__(self, asker: Any, index: str, q: types.Query) -> None:
        super().__init__(asker)
        self._index, self._q = index, q

    def _get(self, name: str, **query: Any) -> Call[Any]:
        return get("/v1/audience/" + name, lambda r: r, pairs(index=self._index, q=in_address(self._q), **query))

    @call("get-audience-size")
    def size(self) -> Call[types.SizeReply]:
        """Return how many records it has, and which share of all."""
        return self._get("size")

    @call("get-audience-words")
    def words(self, field: str, limit: Optional[int] = None, least: Optional[int] = None) -> Call[types.WordsReply]:
        """Return the values of a field that are most common and most typical: a word cloud."""
        return self._get("words", field=field, limit=limit, least=least)

    @call("get-audience-values")
    def values(
        self, field: str, by: Optional[str] = None, limit: Optional[int] = None,
        least: Optional[int] = None, cursor: Optional[str] = None,
    ) -> Call[types.ValuesReply]:
        """Return a page of the values of a field, best first."""
        return self._get("values", field=field, by=by, limit=limit, least=least, cursor=cursor)

    @listing("get-audience-values")
    def all_values(self, field: str, by: Optional[str] = None, least: Optional[int] = None) -> Call[Page[types.Value]]:
        """Go through all values of a field, best first."""
        return paged(self._get("values", field=field, by=by, least=least), lambda r: r["values"])

    @call("get-audience-demographics")
    def demographics(
        self, fields: Sequence[str] = (), crosses: Sequence[Sequence[str]] = (), limit: Optional[int] = None
    ) -> Call[types.DemographicsReply]:
        """Return how the records are spread over the values of fields, and of fields together."""
        return self._get("demographics", field=list(fields), cross=[",".join(c) for c in crosses], limit=limit)

    @call("get-audience-compare")
    def compare(
        self, with_: types.Query, fields: Sequence[str] = (), limit: Optional[int] = None, least: Optional[int] = None
    ) -> Call[types.CompareReply]:
        """Compare with another audience: what each has more of."""
        query = {"with": in_address(with_), "field": list(fields), "limit": limit, "least": least}
        return self._get("compare", **query)

    @call("post-audience-report")
    def report(
        self, *, words: Sequence[types.WordsRequest] = (), values: Sequence[types.ValuesRequest] = (),
        demographics: Optional[types.DemographicsRequest] = None, compare: Optional[types.CompareRequest] = None,
        overlap: Sequence[types.Query] = (),
    ) -> Call[types.ReportReply]:
        """Return several of the answers at once, in one state of the database."""
        body = members(index=self._index, q=self._q, words=list(words) or None, values=list(values) or None,
                       demographics=demographics, compare=compare, overlap=list(overlap) or None)
        return post("/v1/audience/report", lambda r: r, body)

    @call("post-audience-save")
    def save(self, name: str, follows: bool = False) -> Call[int]:
        """Store the audience under a name, and return its size. One that follows changes with the records."""
        body = {"index": self._index, "name": name, "q": self._q, "follows": follows}
        return post("/v1/audience/save", lambda r: int(r["count"]), body, writes=True)
