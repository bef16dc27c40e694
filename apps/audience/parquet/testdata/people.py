# Writes people.parquet with pyarrow 26.0.1, another implementation than the one that reads it here.
import datetime
import decimal
import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table({
    "id": pa.array(["ann", "bob", "cid", None, "dee"]),
    "likes": pa.array([["tea", "cake"], [], None, ["tea"], ["coffee", None, "tea"]], pa.list_(pa.string())),
    "city": pa.array(["Oslo", None, "Rome", "Oslo", "Oslo"]).dictionary_encode(),
    "age": pa.array([30, 40, None, 50, 60], pa.uint8()),
    "born": pa.array([datetime.date(1996, 2, 29), datetime.date(1950, 1, 1), None, None, datetime.date(2001, 12, 31)]),
    "seen": pa.array([datetime.datetime(2026, 1, 2, 3, 4, 5, 999), None, datetime.datetime(1969, 12, 31, 23, 59, 59), None, None], pa.timestamp("us", tz="UTC")),
    "balance": pa.array([decimal.Decimal("-1.50"), decimal.Decimal("0.05"), None, None, decimal.Decimal("1234567890123.25")], pa.decimal128(20, 2)),
    "weight": pa.array([61.5, 70.0, None, 1.0, float("nan")], pa.float64()),
    "member": pa.array([True, False, None, True, True]),
    "nested": pa.array([[[1]], None, None, None, None], pa.list_(pa.list_(pa.int32()))),
    "nothing": pa.nulls(5),
})
pq.write_table(table, "people.parquet", row_group_size=2, compression="zstd", data_page_version="2.0")
# A table without rows: one row group, in which columns have no pages.
empty = pa.table({"id": pa.array([], pa.string()), "n": pa.array([], pa.int64())})
pq.write_table(empty, "empty.parquet")
