# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Asks the server whose port is given with redis-py, in a version of the protocol."""

import sys

import redis

r = redis.Redis(port=int(sys.argv[1]), protocol=int(sys.argv[2]), decode_responses=False)


def check(got, want):
    assert got == want, f"got {got!r}, want {want!r}"


r.flushall()
check(r.sadd("a", "x", b"\x00\xff", "", "x"), 3)
check(set(r.smembers("a")), {b"x", b"\x00\xff", b""})
check([bool(x) for x in r.smismember("a", ["x", "no"])], [True, False])
check(r.sintercard(2, ["a", "a"]), 3)
check(r.sunionstore("c", "a", "b"), 3)
check(sorted(r.sscan_iter("c", count=1)), sorted(r.smembers("a")))
check(r.expire("a", 3600), True)
check(r.ttl("a"), 3600)
check(sorted(r.scan_iter()), [b"a", b"c"])
check(r.spop("none"), None)
with r.pipeline() as p:
    check(p.sadd("d", 1, 2).scard("d").srem("d", 1).execute(), [2, 2, 1])
with r.pipeline() as p:
    p.watch("d")
    r.sadd("d", 3)
    p.multi()
    p.sadd("d", 4)
    try:
        p.execute()
        raise AssertionError("a watched key has changed, and the transaction was carried out")
    except redis.WatchError:
        pass
try:
    r.execute_command("SADD", "a")
    raise AssertionError("SADD of nothing was accepted")
except redis.ResponseError as e:
    check(str(e), "wrong number of arguments for 'sadd' command")
check(sorted(r.execute_command("UP.QUERY", "redis", "sets = d and not sets = a")), [b"2", b"3"])
