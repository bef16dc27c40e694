# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""What mypy must find out about both clients. It is checked, never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from typing_extensions import assert_type

import uproar
from uproar import types


def waiting(client: uproar.Client) -> None:
    assert_type(client.count("people", "all"), int)
    assert_type(client.graph().followers("ann").count(), int)
    assert_type(client.all_keys("people", "all"), Iterator[str])
    assert_type(client.follow("people"), Iterator[types.Commit])
    client.count("people")  # type: ignore[call-arg]
    client.count("people", 7)  # type: ignore[arg-type]
    client.keys("people", "all", limits=3)  # type: ignore[call-arg]


async def awaited(client: uproar.AsyncClient) -> None:
    assert_type(await client.count("people", "all"), int)
    assert_type(await client.graph().followers("ann").count(), int)
    assert_type(client.all_keys("people", "all"), AsyncIterator[str])
    assert_type((await client.keys("people", "all"))["keys"], list[str])
    await client.count("people")  # type: ignore[call-arg]
