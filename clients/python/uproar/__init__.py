# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Asks an Uproar database of sets: queries, audiences, graphs, catalogs, DataFrames."""

from . import errors, sets, types
from .client import AsyncClient, Client
from .errors import BadReply, Error, ServerError, Unanswered
from .query import quote

__all__ = [
    "AsyncClient", "BadReply", "Client", "Error", "ServerError", "Unanswered", "errors", "quote", "sets", "types",
]
