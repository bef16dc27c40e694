# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Answers what package audience asks of DuckDB or ClickHouse (chdb).

peer.py ENGINE FOLDER reads a request a line, as JSON, and writes a reply a line. FOLDER has people.bin, nine uint32 for each person (number, postal code, city, six
demographic fields), and terms.bin, two for each term that a person has (person, term).
"""

import json
import os
import sys
import time

FIELDS = ["gender", "age", "income", "education", "children", "device"]
COLUMNS = ["id", "postal", "city"] + FIELDS


class DuckDB:
    def __init__(self, folder):
        import duckdb
        import numpy

        self.file = os.path.join(folder, "duck.db")
        self.db = duckdb.connect(self.file)
        people = numpy.fromfile(os.path.join(folder, "people.bin"), dtype="<u4").reshape(-1, 9)
        pairs = numpy.fromfile(os.path.join(folder, "terms.bin"), dtype="<u4").reshape(-1, 2)
        self.db.register("raw_people", {c: numpy.ascontiguousarray(people[:, i]) for i, c in enumerate(COLUMNS)})
        self.db.register("raw_pairs", {"id": numpy.ascontiguousarray(pairs[:, 0]), "term": numpy.ascontiguousarray(pairs[:, 1])})
        self.start = time.perf_counter()
        self.db.execute("CREATE TABLE people AS SELECT p.*, t.terms FROM raw_people p JOIN (SELECT id, list(term) AS terms FROM raw_pairs GROUP BY id) t USING (id) ORDER BY id")
        self.db.execute("CREATE TABLE totals AS SELECT term AS t, count(*) AS n FROM raw_pairs GROUP BY term")
        self.db.execute("CHECKPOINT")

    def size(self):
        return os.path.getsize(self.file)

    def has(self, term):
        return f"list_contains(terms, {term}::UINTEGER)"

    def each(self, where):
        return f"(SELECT unnest(terms) AS t FROM people WHERE {where})"

    def keep(self, name, where):
        self.db.execute(f"ALTER TABLE people ADD COLUMN {name} BOOLEAN")
        self.db.execute(f"UPDATE people SET {name} = ({where})")
        self.db.execute("CHECKPOINT")
        return name

    def threads(self, n):
        self.db.execute(f"SET threads = {n}")

    def ask(self, sql):
        return self.db.execute(sql).fetchall()


class ClickHouse:
    def __init__(self, folder):
        from chdb import session

        self.folder = os.path.join(folder, "clickhouse")
        self.db = session.Session(self.folder)
        self.settings = ""
        for name in ["people", "terms"]:
            self.name = os.path.join(folder, name + ".bin")
        self.start = time.perf_counter()
        columns = ", ".join(c + " UInt32" for c in COLUMNS)
        people, terms = os.path.join(folder, "people.bin"), os.path.join(folder, "terms.bin")
        self.db.query("CREATE DATABASE IF NOT EXISTS b")
        self.db.query(f"CREATE TABLE b.people ({columns}, terms Array(UInt32), a0 UInt8, a1 UInt8, a2 UInt8, a3 UInt8, a4 UInt8) ENGINE = MergeTree ORDER BY id")
        self.db.query(
            f"INSERT INTO b.people SELECT p.*, t.terms, 0, 0, 0, 0, 0 FROM file('{people}', 'RowBinary', '{columns}') AS p INNER JOIN "
            f"(SELECT id, groupArray(term) AS terms FROM file('{terms}', 'RowBinary', 'id UInt32, term UInt32') GROUP BY id) AS t ON p.id = t.id"
        )
        self.db.query("CREATE TABLE b.totals (t UInt32, n UInt64) ENGINE = MergeTree ORDER BY t")
        self.db.query("INSERT INTO b.totals SELECT t, count() FROM b.people ARRAY JOIN terms AS t GROUP BY t")
        self.db.query("USE b")

    def size(self):
        return int(self.ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'b'")[0][0])

    def has(self, term):
        return f"has(terms, {term})"

    def each(self, where):
        return f"(SELECT t FROM people ARRAY JOIN terms AS t WHERE {where})"

    def keep(self, name, where):
        self.db.query(f"ALTER TABLE b.people UPDATE {name} = ({where}) WHERE 1 SETTINGS mutations_sync = 2")
        return name

    def threads(self, n):
        self.settings = f" SETTINGS max_threads = {n}"

    def ask(self, sql):
        text = str(self.db.query(sql + self.settings, "JSONCompactEachRow"))
        return [json.loads(line) for line in text.splitlines()]


def condition(db, audience):
    has = db.has
    return {
        "tiny": f"{has(20)} AND {has(50)} AND {has(80)}",
        "narrow": f"({has(200)} OR {has(300)} OR {has(400)} OR {has(500)}) AND gender = 0",
        "mid": f"({has(20)} OR {has(30)}) AND children IN (0, 1)",
        "broad": f"({has(5)} OR {has(8)}) AND age != 6",
        "wide": f"{has(2)} OR age IN (0, 1) OR children = 2",
    }[audience]


def statement(db, question, where):
    counts = lambda source: f"SELECT t, count(*) AS c FROM {source} AS x GROUP BY t"
    column = lambda name: f"(SELECT {name} AS t FROM people WHERE {where})"
    if question == "size":
        return f"SELECT 0 AS t, count(*) AS c, 0 AS s FROM people WHERE {where}"
    if question == "word cloud by lift":
        return f"SELECT y.t AS t, y.c AS c, y.c / z.n AS s FROM ({counts(db.each(where))}) AS y INNER JOIN totals AS z ON y.t = z.t ORDER BY s DESC, c DESC, t LIMIT 100"
    if question == "demographics":
        parts = [f"SELECT {100 * i} + {f} AS t, count(*) AS c, 0 AS s FROM people WHERE {where} GROUP BY {f}" for i, f in enumerate(FIELDS)]
        parts.append(f"SELECT 1000 + 10 * gender + age AS t, count(*) AS c, 0 AS s FROM people WHERE {where} GROUP BY gender, age")
        return f"SELECT * FROM ({' UNION ALL '.join(parts)}) AS u ORDER BY t"
    source = {"word cloud by count": db.each(where), "postal codes": column("postal"), "cities": column("city")}[question]
    return f"SELECT t, c, c AS s FROM ({counts(source)}) AS y ORDER BY c DESC, t LIMIT 100"


def main():
    engine, folder = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever engines print is no reply

    def reply(**what):
        out.write(json.dumps(what) + "\n")
        out.flush()

    try:
        db = {"duckdb": DuckDB, "clickhouse": ClickHouse}[engine](folder)
    except ImportError as e:
        reply(error=str(e), missing=True)
        return
    reply(seconds=time.perf_counter() - db.start)
    kept = {}
    for line in sys.stdin:
        r = json.loads(line)
        try:
            if r["do"] == "keep":
                kept[r["audience"]] = db.keep("a" + str(r["number"]), condition(db, r["audience"]))
                reply()
            elif r["do"] == "disk":
                reply(bytes=db.size())
            else:
                where = condition(db, r["audience"])
                if not r["whole"] and r["question"] != "size":
                    where = kept[r["audience"]]
                db.threads(r["threads"])
                sql = statement(db, r["question"], where)
                clock = time.process_time if r["cpu"] else time.perf_counter
                start = clock()
                rows = db.ask(sql)
                took = clock() - start
                reply(seconds=took, rows=[[int(t), int(c), float(s)] for t, c, s in rows])
        except Exception as e:  # told to whoever asked
            reply(error=f"{type(e).__name__}: {e}")


main()
