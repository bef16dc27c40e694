# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the people of run.sh, and compares what the server answered with DuckDB and pandas.

people.py make FOLDER PEOPLE   writes people.parquet, the bodies of writes, and changed.parquet: the people after them
people.py check FOLDER         compares the answers and exports in the folder; exits with 1 if any differs
"""

import decimal
import json
import pathlib
import sys

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

FIELDS = ["city", "country", "plan", "likes", "age", "height", "born", "seen", "paid", "logins"]
SCHEMA = pa.schema([
    ("id", pa.string()), ("city", pa.string()), ("country", pa.string()), ("plan", pa.string()),
    ("likes", pa.list_(pa.string())), ("age", pa.int32()), ("height", pa.decimal128(4, 2)), ("born", pa.date32()),
    ("seen", pa.timestamp("s", tz="UTC")), ("paid", pa.decimal128(12, 2)), ("logins", pa.int64()),
])
BATCH = 1000
BATCHES = 20
STANDING = "plan = pro and age >= 60 and likes = tea"


def people(n, seed, first=0):
    """Returns n people as a table. One in ten lacks some of its values."""
    rng = np.random.default_rng(seed)
    words = np.array(["tea", "coffee", "cake", "bread", "rice", "jazz", "rock", "chess", "go", "films", "books", "sea",
                      "hills", "bikes", "cats", "dogs"])
    cities = np.array([f"city{i}" for i in range(400)])
    countries = np.array(["ch", "de", "it", "no", "fr", "jp", "br", "ke"])
    some = lambda x: [None if gone else v for v, gone in zip(x, rng.random(n) < 0.1)]
    city = np.minimum(rng.zipf(1.3, n) - 1, 399)
    chosen = rng.random((n, len(words))) < np.linspace(0.4, 0.02, len(words))
    lists = [words[row].tolist() or None for row in chosen]
    born = rng.integers(-14_000, 14_000, n)
    cents = lambda x: [decimal.Decimal(int(v)).scaleb(-2) for v in x]
    return pa.table({
        "id": [f"p{i}" for i in range(first, first + n)],
        "city": some(cities[city].tolist()), "country": some(countries[city % len(countries)].tolist()),
        "plan": rng.choice(["free", "basic", "pro"], n, p=[0.7, 0.2, 0.1]).tolist(), "likes": lists,
        "age": some((56 - born // 365).tolist()), "height": cents(rng.integers(140, 210, n)),
        "born": pa.array(born.astype("int32")).cast(pa.date32()),
        "seen": pa.array(1_760_000_000 + rng.integers(0, 30_000_000, n)).cast(pa.timestamp("s", tz="UTC")),
        "paid": cents(rng.integers(-50_000, 5_000_000, n)), "logins": (rng.zipf(1.5, n) % 100_000).tolist(),
    }, schema=SCHEMA)


def values(row):
    """Returns the values of a person as a write has them."""
    out = {}
    for field in FIELDS:
        x = row[field]
        if x is None:
            continue
        if field == "born":
            x = x.isoformat()
        elif field == "seen":
            x = x.strftime("%Y-%m-%dT%H:%M:%SZ")
        elif isinstance(x, decimal.Decimal):
            x = str(x)
        out[field] = x
    return out


def make(folder, n):
    table = people(n, 1)
    pq.write_table(table, folder / "people.parquet", compression="zstd")
    rng = np.random.default_rng(2)
    rows = {r: None for r in rng.permutation(n)[: BATCHES * BATCH * 3 // 4].tolist()}
    changed = {}  # by key: a row, or None for one that is gone
    old = iter(rows)
    fresh = people(BATCHES * BATCH, 3, n).to_pylist()
    for b in range(BATCHES):
        puts, merges, deletes = [], [], []
        for k in range(BATCH):
            row = fresh[b * BATCH + k]
            if k % 4 == 0:  # a new person
                puts.append({"key": row["id"], "values": values(row)})
                changed[row["id"]] = row
                continue
            key = f"p{next(old)}"
            if k % 4 == 1:  # one that is replaced
                row = dict(row, id=key)
                puts.append({"key": key, "values": values(row)})
                changed[key] = row
            elif k % 4 == 2:
                merges.append({"key": key, "values": {"plan": "pro", "age": 60 + k % 30, "likes": ["tea", "sea"]}})
                before = table.slice(int(key[1:]), 1).to_pylist()[0]
                changed[key] = dict(before, plan="pro", age=60 + k % 30, likes=["tea", "sea"])
            else:
                deletes.append(key)
                changed[key] = None
        body = {"index": "people", "puts": puts, "merges": merges, "deletes": deletes}
        (folder / f"write{b:02}.json").write_text(json.dumps(body))
    keep = pa.array([f"p{i}" not in changed for i in range(n)])
    after = pa.Table.from_pylist([r for r in changed.values() if r], schema=SCHEMA)
    pq.write_table(pa.concat_tables([table.filter(keep), after]), folder / "changed.parquet", compression="zstd")


class Comparison:
    def __init__(self, folder):
        self.folder, self.failed, self.compared = folder, 0, 0
        self.db = duckdb.connect()
        self.db.execute("set timezone = 'UTC'")

    def ask(self, question, table="people"):
        return self.db.execute(question.replace("PEOPLE", f"'{self.folder}/{table}.parquet'")).fetchall()

    def answer(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())

    def equal(self, what, got, want):
        self.compared += 1
        if got != want:
            self.failed += 1
            print(f"{what}: DIFFERS\n  got  {str(got)[:300]}\n  want {str(want)[:300]}")


def check(folder):
    c = Comparison(folder)
    types = {x["name"]: (x["type"], x.get("scale", 0)) for x in c.answer("imported")["schema"]["columns"]}
    c.equal("guessed types", types, {
        "city": ("single", 0), "country": ("single", 0), "plan": ("single", 0), "likes": ("set", 0),
        "age": ("integer", 0), "height": ("decimal", 2), "born": ("date", 0), "seen": ("time", 0),
        "paid": ("decimal", 2), "logins": ("integer", 0)})
    where = "age between 30 and 39 and list_contains(likes, 'tea')"
    c.equal("count", c.answer("count")["count"], c.ask(f"select count(*) from PEOPLE where {where}")[0][0])
    answers = {a["name"]: a for a in c.answer("answers")["answers"]}
    c.equal("top", sorted((r["count"], r["key"]) for r in answers["likes"]["rows"]),
            sorted(c.ask(f"select count(*), l from (select unnest(likes) l from PEOPLE where {where}) group by l")))
    c.equal("groups", sorted((g["count"], *g["keys"]) for g in answers["plans"]["groups"]),
            sorted(c.ask(f"select count(*), plan, country from PEOPLE where {where} and country is not null group by all")))
    c.equal("numbers", (answers["paid"]["count"], f'{decimal.Decimal(str(answers["paid"]["sum"])):.2f}'),
            tuple(str(x) if i else x for i, x in enumerate(c.ask(f"select count(paid), sum(paid) from PEOPLE where {where}")[0])))
    months = [(b["from"][:7], b["count"]) for b in answers["seen"]["bands"] if b["count"]]
    c.equal("histogram", months,
            c.ask(f"select strftime(seen, '%Y-%m') m, count(*) from PEOPLE where {where} group by m order by m"))
    for name, order in ("oldest", "born, id"), ("spenders", "paid desc, id"):
        c.equal(name, [r["key"] for r in c.answer(name)["records"]],
                [r[0] for r in c.ask(f"select id from PEOPLE where {where} order by {order} limit 10")])
    # The standing query: what it was, and what entered and left, is what it is after the writes.
    standing = STANDING.replace("plan = pro", "plan = 'pro'").replace("likes = tea", "list_contains(likes, 'tea')")
    members, seen = {r["key"] for r in c.answer("before")["records"]}, 0
    c.equal("standing query before", members, {r[0] for r in c.ask(f"select id from PEOPLE where {standing}")})
    for line in (folder / "events.txt").read_text().splitlines():
        if line.startswith("data: "):
            event = json.loads(line[6:])
            entered, left = set(event["entered"]), set(event["left"])
            if event["position"] <= c.answer("start")["last"]:
                continue
            if not left <= members or entered & members:
                c.equal(f"event {event['position']}", "a record that enters twice or leaves twice", "each once")
            members = members - left | entered
            seen += 1
    c.equal("standing query after", members, {r[0] for r in c.ask(f"select id from PEOPLE where {standing}", "changed")})
    # The exports, in every column, as DuckDB and pandas read them.
    for kind in "parquet", "csv":
        c.db.execute(f"create view {kind} as select * from read_{kind}('{folder}/exported.{kind}'"
                     + (", nullstr = '', all_varchar = true)" if kind == "csv" else ")"))
        columns = ", ".join(f"cast({f} as varchar) {f}" for f in FIELDS if f not in ("likes", "seen", "height", "paid"))
        times = "strftime(seen, '%Y-%m-%dT%H:%M:%SZ')"
        likes = "array_to_string(list_sort(likes), '|')"
        money = lambda f: f"cast(cast({f} as decimal(18, 2)) as varchar) {f}"
        want = f"select id as key, {columns}, {times} seen, {likes} likes, {money('height')}, {money('paid')} from PEOPLE"
        ours = (f"select key, {columns}, {times if kind == 'parquet' else 'seen'} seen, "
                f"{likes if kind == 'parquet' else likes.replace('likes', chr(115) + 'tring_split(likes, ' + chr(39) + '|' + chr(39) + ')')}"
                f" likes, {money('height')}, {money('paid')} from {kind}")
        for a, b in (want, ours), (ours, want):
            n = c.ask(f"select count(*) from (({a}) except all ({b}))", "changed")[0][0]
            c.equal(f"{kind}, in DuckDB: rows that the other side lacks", n, 0)
    a = pd.read_parquet(folder / "changed.parquet").set_index("id").sort_index()
    b = pd.read_parquet(folder / "exported.parquet").set_index("key").sort_index()
    c.equal("parquet, in pandas: keys", list(b.index), list(a.index))
    for field in FIELDS:
        x, y = a[field], b[field]
        if field == "likes":
            x, y = (s.map(lambda l: None if l is None else tuple(sorted(l))) for s in (x, y))
        c.equal(f"parquet, in pandas: {field}", bool(((x == y) | (x.isna() & y.isna())).all()), True)
    print(f"{c.compared} answers, {len(a)} records in two exports and {seen} events compared: {c.failed} differ")
    return c.failed > 0


if __name__ == "__main__":
    at = pathlib.Path(sys.argv[2])
    sys.exit(make(at, int(sys.argv[3])) if sys.argv[1] == "make" else check(at))
