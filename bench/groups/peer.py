# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Answers what package groups asks of DuckDB.

peer.py FOLDER reads a request a line, as JSON, and writes a reply a line. FOLDER has few.bin and many.bin: int32
values, column after column. Columns of few.bin are those of FEW, and then three of tags; those of many.bin MANY.
"""

import json
import os
import sys
import time

FEW = ["a", "c", "e", "age", "joined"]
MANY = ["x", "y"]
TAGS = 3


def load(db, folder):
    import numpy

    few = numpy.fromfile(os.path.join(folder, "few.bin"), dtype="<i4").reshape(len(FEW) + TAGS, -1)
    db.register("raw", {c: few[i] for i, c in enumerate(FEW + [f"t{i}" for i in range(TAGS)])})
    db.execute(
        "CREATE TABLE few AS SELECT a, c, e, age, DATE '1970-01-01' + joined AS joined, [t0, t1, t2] AS tags, "
        "'a' || a AS ta, 'c' || c AS tc, 'e' || e AS te FROM raw"
    )
    many = numpy.fromfile(os.path.join(folder, "many.bin"), dtype="<i4").reshape(len(MANY), -1)
    db.register("raw2", {c: many[i] for i, c in enumerate(MANY)})
    db.execute("CREATE TABLE many AS SELECT * FROM raw2")
    db.execute("CHECKPOINT")


def main():
    (folder,) = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever is printed is no reply

    def reply(**what):
        out.write(json.dumps(what) + "\n")
        out.flush()

    try:
        import duckdb

        db = duckdb.connect(os.path.join(folder, "duck.db"))
        load(db, folder)
    except ImportError as e:
        reply(error=str(e), missing=True)
        return
    reply(version=duckdb.__version__)
    for line in sys.stdin:
        r = json.loads(line)
        try:
            db.execute(f"SET threads = {r['threads']}")
            db.execute(f"SET memory_limit = '{r['memory']}B'")
            clock = time.process_time if r["cpu"] else time.perf_counter
            rows, start = [], clock()
            if r["all"]:
                count = len(db.execute(r["sql"]).fetchnumpy()["n"])
            else:
                rows = db.execute(r["sql"]).fetchall()
                count = len(rows)
            reply(seconds=clock() - start, count=count, rows=[[str(x) for x in row] for row in rows])
        except Exception as e:  # told to whoever asked
            reply(error=f"{type(e).__name__}: {e}")


main()
