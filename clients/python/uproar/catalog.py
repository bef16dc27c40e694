# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Catalogs: prices and rules that are found by conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from . import types
from .core import Body, Call, Calls, K, Part, call, get, members, pairs, post, send_parts
from .errors import error_of

Conditions = Mapping[str, types.Condition]


class Catalog(Calls[K]):
    """A catalog by its name."""

    def __init__(self, asker: Any, name: str) -> None:
        super().__init__(asker)
        self._name = name

    @call("post-catalog-search")
    def find(self, where: Conditions, show: Sequence[str] = ()) -> Call[types.SearchAnswer]:
        """Find the record for conditions."""

        def pick(reply: Any) -> types.SearchAnswer:
            answer: types.SearchAnswer = reply["answers"][0]
            if "error" in answer:
                raise error_of(400, answer["error"])
            return answer

        body = members(catalog=self._name, searches=[dict(where)], show=list(show) or None)
        return post("/v1/catalog/search", pick, body)

    @call("post-catalog-search")
    def search(
        self, searches: Sequence[Conditions], show: Sequence[str] = (), limit: Optional[int] = None,
        brief: Optional[bool] = None,
    ) -> Call[list[types.SearchAnswer]]:
        """Answer many searches at once, in their order. Each may have an error of its own."""
        body = members(catalog=self._name, searches=[dict(s) for s in searches], show=list(show) or None, limit=limit,
                       brief=brief)
        return post("/v1/catalog/search", lambda r: r["answers"], body)

    @call("get-catalog-schema")
    def schema(self) -> Call[types.CatalogSchema]:
        """Return which attributes the records have, in the form that an import takes."""
        return get("/v1/catalog/schema", lambda r: r, pairs(catalog=self._name))

    @call("post-catalog-facets")
    def facets(
        self, where: Optional[Conditions] = None, attributes: Sequence[str] = (), limit: Optional[int] = None
    ) -> Call[types.FacetsReply]:
        """Return which values the records have that conditions find."""
        body = members(catalog=self._name, where=where, attributes=list(attributes) or None, limit=limit)
        return post("/v1/catalog/facets", lambda r: r, body)

    @call("post-catalog-sorted")
    def sorted(
        self, where: Optional[Conditions] = None, by: Optional[str] = None, descending: Optional[bool] = None,
        from_: Optional[int] = None, limit: Optional[int] = None, show: Sequence[str] = (),
    ) -> Call[types.SortedReply]:
        """Return the records that conditions find, in an order, beginning with the one numbered from_."""
        body = members(catalog=self._name, where=where, by=by, descending=descending, from_=from_, limit=limit,
                       show=list(show) or None)
        return post("/v1/catalog/sorted", lambda r: r, body)

    @call("post-catalog-write")
    def write(self, put: Sequence[types.RecordRequest] = (), delete: Sequence[str] = ()) -> Call[int]:
        """Put and delete records, all or none, and return the number of the commit."""
        body = members(catalog=self._name, put=list(put) or None, delete=list(delete) or None)
        return post("/v1/catalog/write", lambda r: int(r["sequence"]), body, writes=True)

    @call("get-catalog-check")
    def check(self, limit: Optional[int] = None) -> Call[types.CheckReply]:
        """Return records that contradict each other or are never found."""
        return get("/v1/catalog/check", lambda r: r, pairs(catalog=self._name, limit=limit))

    @call("post-catalog-import")
    def import_table(
        self, table: Body, *, schema: Optional[Mapping[str, Any]] = None, separator: Optional[str] = None,
        strict: bool = False, bad: Optional[str] = None, empty: bool = False, check: bool = False,
    ) -> Call[types.CatalogImportReply]:
        """Replace all records with those of a table, or make the catalog by a schema. It is sent once."""
        query = pairs(catalog=self._name, separator=separator, strict=strict, bad=bad, empty=empty, check=check)
        first = [Part("application/json", json.dumps(schema).encode())] if schema else []
        return send_parts("/v1/catalog/import", query, [*first, Part("text/csv", table)])
