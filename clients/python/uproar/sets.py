# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Sets of record IDs for pyroaring, and as bytes.

Servers give out and take bitmaps of Uproar's own format (docs/format/bitmap.md): ``decode`` and ``encode``. Roaring
libraries share the portable 64-bit format: ``of_portable`` and ``to_portable``.
"""

from __future__ import annotations

import base64
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from .types import Query

# Lists: first tag, least low width, tags for each width, modulus.
LISTS = ((0xB8, 38, 1, 256), (0x90, 18, 2, 512), (0x68, 8, 4, 1024), (0x40, 3, 8, 2048), (0x20, 1, 16, 4096),
         (0x00, 0, 32, 8192))


def of_arrow(data: bytes) -> Any:
    """Return a pyroaring.BitMap64 of a stream of Arrow with one column of IDs."""
    import pyroaring

    from .frames import arrow

    return pyroaring.BitMap64(arrow(data).column(0).to_numpy())


def to_portable(ids: Any) -> bytes:
    """Return the portable bytes of a set, or of any iterable of IDs, for bitmap/interop and other libraries."""
    import pyroaring

    made = ids if isinstance(ids, pyroaring.BitMap64) else pyroaring.BitMap64(ids)
    return bytes(made.serialize())


def of_portable(data: bytes) -> Any:
    """Return the pyroaring.BitMap64 of portable bytes, as bitmap/interop and other libraries write them."""
    import pyroaring

    return pyroaring.BitMap64.deserialize(data)


def query(ids: Iterable[int]) -> Query:
    """Return the query for the records of these IDs, a BitMap64 or any other iterable."""
    return {"bitmap": base64.b64encode(encode(ids)).decode()}


def encode(ids: Iterable[int]) -> bytes:
    """Return a bitmap of Uproar, with arrays and bitsets. It is smaller in the database."""
    entries, payloads, end = [], [], 0
    for key, chunk in groupby(sorted(set(ids)), lambda v: v >> 16):
        lows = array("H", (v & 0xFFFF for v in chunk))
        kind = int(len(lows) > 4096)
        if kind:
            payload = bitset(lows)
        else:
            if sys.byteorder == "big":
                lows.byteswap()
            payload = lows.tobytes()
        end += len(payload)
        entries.append((key, len(lows) - 1, end << 2 | kind))
        payloads.append(payload)
    if not entries:
        return b"\xb5\x01\x00"
    head = b"\xf8" + bytes([5 | 5 << 3]) + (len(entries) - 1).to_bytes(6, "little")
    body = b"".join([
        head, *(k.to_bytes(6, "little") for k, _, _ in entries), *(struct.pack("<H", n) for _, n, _ in entries),
        *(e.to_bytes(6, "little") for _, _, e in entries), *payloads])
    return b"\xb5\x31" + struct.pack("<Q", len(body)) + body


def bitset(lows: Iterable[int]) -> bytes:
    """Return a bitset of 65 536 bits."""
    bits = bytearray(8192)
    for low in lows:
        bits[low >> 3] |= 1 << (low & 7)
    return bytes(bits)


def decode(data: bytes) -> Any:
    """Return the pyroaring.BitMap64 of a bitmap of Uproar. What is none is a ValueError."""
    import pyroaring

    try:
        return pyroaring.BitMap64(values(body_of(data)))
    except (IndexError, struct.error, OverflowError) as e:
        raise ValueError(f"uproar: got {len(data)} bytes that are no bitmap: {e}") from e


def body_of(data: bytes) -> bytes:
    """Return what is in an envelope."""
    if len(data) < 3 or data[0] != 0xB5 or data[1] & 0x8F != 1:
        raise ValueError("uproar: got bytes that are no bitmap of version 1, want B5 and 01 in the first two")
    width, checksum = 1 << (data[1] >> 4 & 3), 4 if data[1] & 0x40 else 0
    size = int.from_bytes(data[2 : 2 + width], "little")
    if len(data) != 2 + width + size + checksum:
        raise ValueError(f"uproar: got a bitmap of {len(data)} bytes, want {2 + width + size + checksum}")
    return data[2 + width : 2 + width + size]


def values(body: bytes) -> Iterator[int]:
    """Yield the values of a body."""
    if not body:
        return iter(())
    tag = body[0]
    if tag == 0xF9:
        return iter((int.from_bytes(body[1:], "little"),))
    if tag == 0xF8:
        return containers(loose(body) if body[1] & 0x40 else compact(body))
    if 0xFB <= tag <= 0xFE:
        return packed(body[2:], body[1] + 1, 8 * (tag - 0xFB + 4))
    if tag == 0xFF:
        raise ValueError("uproar: got a bitmap of a form that this version does not know")
    if tag == 0xFA:
        word = int.from_bytes(body[1:4], "little")
        return packed(body[4:], word & 0x3FFFF, word >> 18)
    block = body[2:]
    if tag >= 0xD2:
        low = tag - 0xD2
        most, least = (8 * len(block) + 1) // (low + 2), -(-(8 * len(block) - 6) // (low + 3))
        return packed(block, least + (body[1] & 0x7F) if body[1] & 0x80 else most - body[1], low)
    first, low, tags, modulus = next(x for x in LISTS if tag >= x[0])
    low += (tag - first) // tags
    rest = (tag - first) % tags * 256 + body[1]
    most = (8 * len(block) + 1) // (low + 2)
    return packed(block, most - (most - rest) % modulus, low)


def packed(block: bytes, n: int, low: int, base: int = 0) -> Iterator[int]:
    """Yield n values of a packed block."""
    bits, size = int.from_bytes(block, "little"), 8 * len(block)
    if n * low > size or n < 0:
        raise ValueError(f"uproar: got a packed block of {len(block)} bytes, want {n} values in it")
    start, mask, i = size - n * low, (1 << low) - 1, 0
    lower = bits >> start
    upper = bin(bits & ((1 << start) - 1))[:1:-1]
    at = upper.find("1")
    while at >= 0 and i < n:
        yield base + ((at - i) << low | (lower >> (i * low) & mask))
        i, at = i + 1, upper.find("1", at + 1)
    if i != n:
        raise ValueError(f"uproar: got a packed block of {i} values, want {n}")


def compact(body: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield key, cardinality, kind and payload of the containers of a compact directory."""
    kw, ow = (body[1] & 7) + 1, (body[1] >> 3 & 7) + 1
    count = int.from_bytes(body[2 : 2 + kw], "little") + 1
    keys = 2 + kw
    sizes, ends = keys + count * kw, keys + count * (kw + 2)
    first, start = ends + count * ow, 0
    if first > len(body):
        raise ValueError(f"uproar: got a directory of {count} containers in {len(body)} bytes")
    for i in range(count):
        end = int.from_bytes(body[ends + i * ow : ends + (i + 1) * ow], "little")
        key = int.from_bytes(body[keys + i * kw : keys + (i + 1) * kw], "little")
        (n,) = struct.unpack_from("<H", body, sizes + 2 * i)
        yield key, n + 1, end & 3, body[first + start : first + (end >> 2)]
        start = end >> 2


def loose(body: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield the same of a loose directory."""
    count, at = struct.unpack_from("<QQ", body, 8)
    if at + 16 * count > len(body):
        raise ValueError(f"uproar: got a directory of {count} containers in {len(body)} bytes")
    for i in range(count):
        name, place = struct.unpack_from("<QQ", body, at + 16 * i)
        offset = place >> 16
        yield name >> 16, (name & 0xFFFF) + 1, place >> 14 & 3, body[offset : offset + (place & 0x1FFF) + 1]


def containers(found: Iterable[tuple[int, int, int, bytes]]) -> Iterator[int]:
    """Yield the values of containers, and check how many they are."""
    for key, n, kind, payload in found:
        base, got = key << 16, 0
        for v in contained(base, n, kind, payload):
            yield v
            got += 1
        if got != n:
            raise ValueError(f"uproar: got a container of {got} values, want {n}")


def contained(base: int, n: int, kind: int, payload: bytes) -> Iterator[int]:
    """Yield the values of a container."""
    if kind == 0:
        for (low,) in struct.iter_unpack("<H", payload):
            yield base + low
    elif kind == 1:
        for i, byte in enumerate(payload):
            while byte:
                yield base + 8 * i + (byte & -byte).bit_length() - 1
                byte &= byte - 1
    elif kind == 2:
        for start, more in struct.iter_unpack("<HH", payload):
            yield from range(base + start, base + start + more + 1)
    elif payload[0] < 64:
        yield from packed(payload[1:], n, payload[0], base)
    else:
        raise ValueError("uproar: got a coded container, which this version does not know")
