# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Sets of record IDs for pyroaring: BitMap64, whose bytes are the portable 64-bit format of roaring libraries."""

from __future__ import annotations

from typing import Any


def of_arrow(data: bytes) -> Any:
    """Return a pyroaring.BitMap64 of a stream of Arrow with one column of IDs."""
    import pyroaring

    from .frames import arrow

    column = arrow(data).column(0)
    return pyroaring.BitMap64(column.to_numpy())


def to_portable(ids: Any) -> bytes:
    """Return the portable bytes of a set, or of any iterable of IDs, for bitmap/interop and other libraries."""
    import pyroaring

    made = ids if isinstance(ids, pyroaring.BitMap64) else pyroaring.BitMap64(ids)
    return bytes(made.serialize())


def of_portable(data: bytes) -> Any:
    """Return the pyroaring.BitMap64 of portable bytes, as bitmap/interop and other libraries write them."""
    import pyroaring

    return pyroaring.BitMap64.deserialize(data)
