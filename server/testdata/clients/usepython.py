# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Asks a server with the client that openapi-python-client makes: python usepython.py URL"""

import sys

from generated import Client
from generated.api.database import post_answers
from generated.api.graph import get_graph_followers, post_graph_follow
from generated.api.server import get_healthz
from generated.models import AccountsReply, AnswersRequest, CountReply, ErrorReply, Follow, FollowRequest, QueryType1, Question

client = Client(base_url=sys.argv[1])
assert get_healthz.sync(client=client).status == "ok"
follows = [Follow(account="ann", target="bob"), Follow(account="cid", target="bob")]
assert post_graph_follow.sync(client=client, body=FollowRequest(follows=follows)).sequence == 1
reply = get_graph_followers.sync(client=client, account="bob")
assert isinstance(reply, AccountsReply) and reply.accounts == ["ann", "cid"], reply
reply = get_graph_followers.sync(client=client, account="bob", count=True)
assert isinstance(reply, CountReply) and reply.count == 2, reply
for q in "followers(bob)", QueryType1.from_dict({"field": "followers", "key": "bob"}):
    asked = AnswersRequest(index="accounts", q=q, answers=[Question(name="all", answer="count")])
    assert post_answers.sync(client=client, body=asked).records == 2, q
reply = get_graph_followers.sync(client=client, account="nobody")
assert isinstance(reply, ErrorReply) and reply.error.code == "unknown_account", reply
