# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Asks a server with the client that openapi-generator makes for Python: python use.py URL"""

import sys

import openapi_client as api
from openapi_client.exceptions import NotFoundException

client = api.ApiClient(api.Configuration(host=sys.argv[1]))
graph, database, server = api.GraphApi(client), api.DatabaseApi(client), api.ServerApi(client)

assert server.get_healthz().status == "ok"
follows = [api.Follow(account="ann", target="bob"), api.Follow(account="cid", target="bob")]
assert graph.post_graph_follow(api.FollowRequest(follows=follows)).sequence == 1
assert graph.get_graph_followers(account="bob").actual_instance.accounts == ["ann", "cid"]
assert graph.get_graph_followers(account="bob", count=True).actual_instance.count == 2
question = api.Question(name="all", answer="count")
for q in "followers(bob)", {"field": "followers", "key": "bob"}:
    asked = api.AnswersRequest(index="accounts", q=api.Query(q), answers=[question])
    assert database.post_answers(asked).records == 2, q
assert graph.post_graph_import(b"dee,bob\n").follows == 1
assert len(database.get_backup()) > 100
try:
    graph.get_graph_followers(account="nobody")
except NotFoundException as e:
    assert e.data.error.code == "unknown_account", e.data
else:
    raise AssertionError("an account that is unknown has followers")
