# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Queries: texts in the query language, or objects as docs/query.md has them."""

from __future__ import annotations

import json

from .types import Query


def in_address(q: Query) -> str:
    """Return a query as a parameter of an address."""
    return q if isinstance(q, str) else json.dumps(q, ensure_ascii=False)


def quote(text: str) -> str:
    """Return a text as a quoted value of the query language, so that it cannot be anything else."""
    return json.dumps(text, ensure_ascii=False)
