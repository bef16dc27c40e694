# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast the keys of a query come out as a frame: python measure.py URL [RECORDS]"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import uproar


def table(records: int) -> Iterator[bytes]:
    yield b"id,n\n"
    for start in range(0, records, 100_000):
        yield b"".join(b"user:%d,%d\n" % (i, i % 100) for i in range(start, min(start + 100_000, records)))


def main() -> None:
    records = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000_000
    client = uproar.Client(sys.argv[1], timeout=300)
    client.import_table("measured", table(records), key="id")
    for kind in ("arrow", "polars", "pandas"):
        best = 1e9
        for _ in range(3):
            start = time.perf_counter()
            frame = client.find_keys("measured", "all", as_=kind)  # type: ignore[arg-type]
            best = min(best, time.perf_counter() - start)
            assert len(frame) == records, len(frame)
        print(f"{kind}: {records} keys in {best:.2f} s, {records / best / 1e6:.2f} M rows/s")
    client.indexes().drop("measured")


if __name__ == "__main__":
    main()
