# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The two transports: each executes the steps of core.Core.ask with a client of httpx."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Optional, TypeVar, Union

import httpx

from .core import Call, Core, Page, Read, Send, Sleep, Step, Steps, unanswered
from .errors import BadReply

R = TypeVar("R")


class SyncAsker:
    """Asks and waits."""

    def __init__(self, core: Core, http: httpx.Client) -> None:
        self.core, self.http = core, http

    def run(self, steps: Steps[R]) -> R:
        """Execute steps, and return their result."""
        outcome: Any = None
        failed: Optional[Exception] = None
        while True:
            try:
                step = steps.throw(failed) if failed else steps.send(outcome)
            except StopIteration as done:
                result: R = done.value
                return result
            outcome, failed = None, None
            try:
                outcome = self.execute(step)
            except (httpx.TransportError, httpx.DecodingError) as e:
                failed = chained(step, e)

    def execute(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Send):
            return self.http.send(request(self.http, step, step.parts or step.body), stream=True)
        try:
            return gather(list(bounded(step, step.response.iter_bytes())))
        finally:
            step.response.close()

    def ask(self, call: Call[R]) -> R:
        return self.run(self.core.ask(call))

    def pages(self, call: Call[Page[R]]) -> Iterator[R]:
        following: Optional[Call[Page[R]]] = call
        while following:
            page = self.ask(following)
            yield from page.entries
            following = page.next

    @contextmanager
    def stream(self, call: Call[bytes]) -> Iterator[Iterator[bytes]]:
        response = self.run(self.core.once(call))
        try:
            yield self.read(response)
        finally:
            response.close()

    def read(self, response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except (httpx.TransportError, httpx.DecodingError) as e:
            raise chained(Read(response, 0), e) from e


class AsyncAsker:
    """Asks and is awaited."""

    def __init__(self, core: Core, http: httpx.AsyncClient) -> None:
        self.core, self.http = core, http

    async def run(self, steps: Steps[R]) -> R:
        """Execute steps, and return their result."""
        outcome: Any = None
        failed: Optional[Exception] = None
        while True:
            try:
                step = steps.throw(failed) if failed else steps.send(outcome)
            except StopIteration as done:
                result: R = done.value
                return result
            outcome, failed = None, None
            try:
                outcome = await self.execute(step)
            except (httpx.TransportError, httpx.DecodingError) as e:
                failed = chained(step, e)

    async def execute(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Send):
            body = threaded(step.parts) if step.parts else step.body
            return await self.http.send(request(self.http, step, body), stream=True)
        try:
            pieces, size = [], 0
            async for piece in step.response.aiter_bytes():
                size = measured(step, size, piece)
                pieces.append(piece)
            return gather(pieces)
        finally:
            await step.response.aclose()

    async def ask(self, call: Call[R]) -> R:
        return await self.run(self.core.ask(call))

    async def pages(self, call: Call[Page[R]]) -> AsyncIterator[R]:
        following: Optional[Call[Page[R]]] = call
        while following:
            page = await self.ask(following)
            for entry in page.entries:
                yield entry
            following = page.next

    @asynccontextmanager
    async def stream(self, call: Call[bytes]) -> AsyncIterator[AsyncIterator[bytes]]:
        response = await self.run(self.core.once(call))
        try:
            yield self.read(response)
        finally:
            await response.aclose()

    async def read(self, response: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for piece in response.aiter_bytes():
                yield piece
        except (httpx.TransportError, httpx.DecodingError) as e:
            raise chained(Read(response, 0), e) from e


def request(http: Union[httpx.Client, httpx.AsyncClient], step: Send, body: Any) -> httpx.Request:
    """Return the request of a step."""
    content = body if body or step.method == "POST" else None
    params: Any = list(step.query) or None
    made = http.build_request(step.method, step.url, params=params, content=content, headers=step.headers)
    if step.asked.path in ("/v1/changes", "/v1/standing/events") or step.parts:
        # A long poll answers within 10 seconds; an import when all of it is done.
        timeout = dict(made.extensions["timeout"])
        if timeout["read"] is not None:
            timeout["read"] = None if step.parts else timeout["read"] + 10
        made.extensions["timeout"] = timeout
    return made


async def threaded(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield what a file has, read beside the event loop."""
    while (piece := await asyncio.to_thread(next, parts, None)) is not None:
        yield piece


def measured(step: Read, size: int, piece: bytes) -> int:
    """Add up the bytes of a reply within its bound."""
    size += len(piece)
    if step.limit and size > step.limit:
        raise BadReply(f"the reply to {step.response.request.url.path} has more than {step.limit} bytes")
    return size


def bounded(step: Read, pieces: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size = measured(step, size, piece)
        yield piece


def gather(pieces: list[bytes]) -> bytes:
    """Return the body of a reply."""
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def chained(step: Step, error: Exception) -> Exception:
    """Return the error of a step, with its cause."""
    assert not isinstance(step, Sleep)
    made = unanswered(step, error)
    made.__cause__ = error
    return made
