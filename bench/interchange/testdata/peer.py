# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0

"""CRoaring's side of the interchange tests, through pyroaring.

    peer.py write DIR    writes sets of a fixed seed, made in three ways: DIR/NAME.WAY.WIDTH.bin, and the ranges "first last" of the values:
                         DIR/NAME.WIDTH.txt; WAY is plain, optimized or ranged, WIDTH is 32 or 64
    peer.py read         reads names of files from the standard input, one a line, that end in .32.bin or .64.bin, and prints for each the
                         cardinality, the sum modulo 2^64, and whether CRoaring writes what it has read byte for byte as the file
"""

import random
import sys

from pyroaring import BitMap, BitMap64

SETS = {"32": BitMap, "64": BitMap64}


def ranges(rng, width):
    """Yields the names of sets and their values, as lists of ranges [first, end)."""
    top = 1 << int(width)
    yield "empty", []
    yield "one", [(rng.randrange(top),)]
    yield "ends", [(0,), (top - 1,)]
    yield "sparse", [(rng.randrange(top),) for _ in range(2000)]
    near = 1 << 20
    base = rng.randrange(top - near)
    yield "arrays", [(base + rng.randrange(near),) for _ in range(20000)]
    yield "bitsets", [(base + rng.randrange(near),) for _ in range(200000)]
    runs, at = [], base
    for _ in range(400):
        at += 1 + rng.randrange(3000)
        end = at + 1 + rng.randrange(500)
        runs.append((at, min(end, top)))
        at = end
        if at >= top - 4000:
            break
    yield "runs", runs
    yield "mixed", runs + [(rng.randrange(top),) for _ in range(500)] + [(base + rng.randrange(1 << 17),) for _ in range(30000)]
    yield "tie", [(base, base + 3)]
    for many in (2047, 2048):
        yield "runs%d" % many, [(first, first + 21) for first in range(0, 32 * many, 32)]
    for few in (3, 4):
        yield "chunks%d" % few, [(first, first + 50) for first in range(0, few << 16, 1 << 16)]


def values(parts):
    out = set()
    for part in parts:
        out.update(range(*part) if len(part) == 2 else part)
    return sorted(out)


def joined(xs):
    """Yields ascending values as ranges [first, last]."""
    first = last = None
    for x in xs:
        if last is not None and x == last + 1:
            last = x
            continue
        if last is not None:
            yield first, last
        first = last = x
    if last is not None:
        yield first, last


def write(folder):
    rng = random.Random(20260101)
    for width, kind in SETS.items():
        for name, parts in ranges(rng, width):
            xs = values(parts)
            plain = kind(xs, optimize=False)
            optimized = kind(xs, optimize=False)
            optimized.run_optimize()
            ranged = kind()
            for part in parts:
                if len(part) == 2:
                    ranged.add_range(*part)
                else:
                    ranged.add(part[0])
            for way, s in (("plain", plain), ("optimized", optimized), ("ranged", ranged)):
                with open("%s/%s.%s.%s.bin" % (folder, name, way, width), "wb") as f:
                    f.write(s.serialize())
            with open("%s/%s.%s.txt" % (folder, name, width), "w") as f:
                f.writelines("%d %d\n" % r for r in joined(xs))


def read(files):
    for file in files:
        with open(file, "rb") as f:
            data = f.read()
        s = SETS[file.split(".")[-2]].deserialize(data)
        print(len(s), sum(s) % (1 << 64), s.serialize() == data)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        read(line.rstrip("\n") for line in sys.stdin)
