# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""What a call is, and how it is asked, without a transport.

A method describes a call once. ``Method``, ``Listing`` and ``Streaming`` bind it to a client: one that waits, or
one that is awaited. ``Core.ask`` is a generator of steps (send, read, sleep), which both transports execute.
"""

from __future__ import annotations

import gzip
import json
import random
import uuid
from collections.abc import AsyncIterator, Coroutine, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, replace
from typing import IO, Any, Callable, Generic, Optional, TypeVar, Union, cast, overload
from urllib.parse import urlsplit

import httpx
from typing_extensions import Concatenate, ParamSpec

from .errors import BadReply, ServerError, Unanswered, refused

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")


class Sync:
    """Marks clients that wait."""


class Async:
    """Marks clients that are awaited."""


Body = Union[bytes, IO[bytes], Iterable[bytes]]
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Part:
    """A part of a body, with its media type, "" for none."""

    media: str
    body: Body


@dataclass(frozen=True)
class Call(Generic[R]):
    """One request, and how its reply is read."""

    method: str
    path: str
    read: Callable[[bytes], R]
    query: Pairs = ()
    body: bytes = b""
    content_type: str = ""
    accept: str = ""
    parts: Sequence[Part] = ()  # sent once, while they are read
    writes: bool = False
    bounded: bool = True  # by max_reply
    patient: bool = False  # asked until the server is back


@dataclass(frozen=True)
class Page(Generic[R]):
    """Some entries of a list, and the call for more."""

    entries: Sequence[R]
    next: Optional[Call[Page[R]]]


class Calls(Generic[K]):
    """Methods of a client, or of a part of it."""

    def __init__(self, asker: Any) -> None:
        self._asker = asker


class Described:
    """What a method says about itself: the operations of openapi.json that it asks."""

    operations: tuple[str, ...]

    def __init__(self, describe: Callable[..., Any], operations: tuple[str, ...]) -> None:
        self.describe = describe
        self.operations = operations
        self.__doc__ = describe.__doc__
        self.__name__ = describe.__name__
        self.__wrapped__ = describe

    def bind(self, owner: Any, run: str) -> Any:
        describe = self.describe

        def method(*args: Any, **kwargs: Any) -> Any:
            return getattr(owner._asker, run)(describe(owner, *args, **kwargs))

        method.__name__, method.__doc__ = self.__name__, self.__doc__
        method.__wrapped__ = describe.__get__(owner)  # type: ignore[attr-defined]
        return method


class Method(Described, Generic[P, R]):
    """Asks one call."""

    @overload
    def __get__(self, owner: Calls[Sync], kind: Any = None) -> Callable[P, R]: ...
    @overload
    def __get__(self, owner: Calls[Async], kind: Any = None) -> Callable[P, Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Method[P, R]: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else self.bind(owner, "ask")


class Listing(Described, Generic[P, R]):
    """Goes through the entries of all pages."""

    @overload
    def __get__(self, owner: Calls[Sync], kind: Any = None) -> Callable[P, Iterator[R]]: ...
    @overload
    def __get__(self, owner: Calls[Async], kind: Any = None) -> Callable[P, AsyncIterator[R]]: ...
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Listing[P, R]: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else self.bind(owner, "pages")


class Streaming(Described, Generic[P]):
    """Reads a reply while it arrives."""

    @overload
    def __get__(
        self, owner: Calls[Sync], kind: Any = None
    ) -> Callable[P, AbstractContextManager[Iterator[bytes]]]: ...
    @overload
    def __get__(
        self, owner: Calls[Async], kind: Any = None
    ) -> Callable[P, AbstractAsyncContextManager[AsyncIterator[bytes]]]: ...
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Streaming[P]: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else self.bind(owner, "stream")


def call(*operations: str) -> Callable[[Callable[Concatenate[Any, P], Call[R]]], Method[P, R]]:
    """Make a method of what describes a call."""
    return lambda describe: Method(describe, operations)


def listing(*operations: str) -> Callable[[Callable[Concatenate[Any, P], Call[Page[R]]]], Listing[P, R]]:
    """Make a method of what describes the first page of a list."""
    return lambda describe: Listing(describe, operations)


def streaming(*operations: str) -> Callable[[Callable[Concatenate[Any, P], Call[bytes]]], Streaming[P]]:
    """Make a method of what describes a reply of any length."""
    return lambda describe: Streaming(describe, operations)


def pairs(**values: Any) -> Pairs:
    """Return parameters of an address: those that are not None, lists as repeated ones."""
    out: list[tuple[str, str]] = []
    for name, value in values.items():
        name = name.rstrip("_")
        for v in value if isinstance(value, (list, tuple)) else [value]:
            if v is not None and v is not False:
                out.append((name, "true" if v is True else str(v)))
    return out


def members(**values: Any) -> dict[str, Any]:
    """Return the members of a body that are not None."""
    return {name.rstrip("_"): v for name, v in values.items() if v is not None}


def whole(value: Any) -> Any:
    """Return a reply as it is."""
    return value


def get(path: str, pick: Callable[[Any], R], query: Pairs = ()) -> Call[R]:
    """Describe a call by GET."""
    return Call("GET", path, lambda b: pick(json.loads(b)), query)


def post(path: str, pick: Callable[[Any], R], body: Any, writes: bool = False) -> Call[R]:
    """Describe a call by POST."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return Call("POST", path, lambda b: pick(json.loads(b)), (), text, "application/json", writes=writes)


def send_parts(path: str, query: Pairs, parts: Sequence[Part]) -> Call[Any]:
    """Describe a call whose body is sent while it is read."""
    return Call("POST", path, json.loads, query, parts=parts, writes=True)


def chunks(parts: Sequence[Part], boundary: str) -> Iterator[bytes]:
    """Yield a body of multipart/mixed. Its end tells the server that no part broke off."""
    for part in parts:
        media = f"Content-Type: {part.media}\r\n" if part.media else ""
        yield f"--{boundary}\r\n{media}\r\n".encode()
        body = part.body
        if isinstance(body, (bytes, bytearray, memoryview)):
            yield bytes(body)
        elif hasattr(body, "read"):
            while piece := cast("IO[bytes]", body).read(1 << 18):
                yield piece
        else:
            yield from body
        yield b"\r\n"
    yield f"--{boundary}--\r\n".encode()


# The time before a request is sent again, in seconds: it doubles from the first to the longest.
FIRST_WAIT, LONGEST_WAIT, MOST_HOPS, LONGEST_REFUSAL = 0.05, 2.0, 3, 1 << 20


def again(asked: Call[Any], error: Exception, tried: int) -> Optional[float]:
    """Decide whether a request that failed may be sent again, and after how many seconds."""
    wait = min(FIRST_WAIT * float(1 << min(tried, 10)), LONGEST_WAIT)
    if asked.parts:
        return None  # its body is read
    if isinstance(error, ServerError):
        if error.reason == "no_writer":  # nothing was done
            pass
        elif (
            error.code in ("overloaded", "request_timeout")  # nothing was done
            or (error.code == "unavailable" and not asked.writes)
            or (error.code == "" and error.status in (429, 502, 503) and not asked.writes)  # of a proxy
        ):
            wait = max(wait, min(error.retry_after, LONGEST_WAIT))
        else:
            return None
    elif isinstance(error, Unanswered):
        if not error.unsent and (asked.writes or isinstance(error.__cause__, httpx.TimeoutException)):
            return None
    else:
        return None
    return wait * random.uniform(0.5, 1)


@dataclass(frozen=True)
class Send:
    """Step: send a request, and return its response, unread."""

    method: str
    url: str
    query: Pairs
    headers: dict[str, str]
    body: bytes
    parts: Optional[Iterator[bytes]]
    asked: Call[Any]


@dataclass(frozen=True)
class Read:
    """Step: read and close a response of up to limit bytes; 0: of any length."""

    response: httpx.Response
    limit: int


@dataclass(frozen=True)
class Sleep:
    """Step: wait for seconds."""

    seconds: float


Step = Union[Send, Read, Sleep]
Steps = Generator[Step, Any, R]


def address(text: str) -> str:
    """Check an address of a server."""
    u = urlsplit(text)
    if u.scheme not in ("http", "https") or not u.hostname or u.path.strip("/") or u.query or u.fragment:
        raise ValueError(f"uproar: {text!r} is no address of a server, want one such as http://127.0.0.1:7070")
    return f"{u.scheme}://{u.netloc}"


class Core:
    """What clients remember and decide. See Client for the options."""

    def __init__(
        self, base: str, token: Optional[str], others: Sequence[str], retries: int, max_reply: int,
        read_your_writes: bool, at_least: int, max_age: Optional[float], compress: Optional[bool],
    ) -> None:
        self.bases = [address(a) for a in (base, *others)]
        self.token, self.retries, self.max_reply = token, retries, max_reply
        self.read_your_writes, self.at_least, self.max_age = read_your_writes, at_least, max_age
        hosts = [urlsplit(b).hostname or "" for b in self.bases]
        local = all(h in ("localhost", "::1") or h.startswith("127.") for h in hosts)
        self.compress = not local if compress is None else compress
        self.turn = 0
        self.writer: Optional[str] = None  # the copy that takes writes
        self.written = 0  # the furthest position of a write

    def ask(self, asked: Call[R]) -> Steps[R]:
        """Ask a call, again if need be, and read its reply."""
        response, tried = None, 0
        while True:
            try:
                response = yield from self.once(asked)
                data = yield Read(response, self.max_reply if asked.bounded else 0)
                break
            except (ServerError, Unanswered) as e:
                wait = again(asked, e, tried)
                if wait is None or (tried >= self.retries and not asked.patient):
                    raise
            yield Sleep(wait)
            self.turn, tried = self.turn + 1, tried + 1
        try:
            return asked.read(data)
        except (ValueError, KeyError, TypeError) as e:
            raise BadReply(f"the reply to {asked.path} is not what it should be: {e!r}") from e

    def once(self, asked: Call[Any]) -> Steps[httpx.Response]:
        """Send a request, to the copy that takes writes if it is one and that copy is known."""
        if asked.parts:
            yield from self.find_writer()
        to = self.bases[self.turn % len(self.bases)]
        if asked.writes and self.writer:
            to = self.writer
        hops = 0
        while True:
            try:
                response: httpx.Response = yield self.send(to, asked)
            except Unanswered:
                if self.writer == to:
                    self.writer = None
                raise
            if response.status_code == 200:
                position = response.headers.get("Uproar-Position", "")
                if asked.writes and position.isdigit():
                    self.written = max(self.written, int(position))
                return response
            body = yield Read(response, LONGEST_REFUSAL)
            following = writer_of(response)
            if not following or asked.parts or hops == MOST_HOPS:
                error = refused(response.status_code, body, response.headers.get("Retry-After", ""))
                if error.reason == "no_writer":
                    self.writer = None
                raise error
            to = self.writer = following
            hops += 1

    def find_writer(self) -> Steps[None]:
        """Find out which copy takes the writes, for a body that can be sent only once."""
        if self.writer:
            return
        base = self.bases[self.turn % len(self.bases)]
        try:
            response = yield self.send(base, get("/healthz", whole))
            mine = json.loads((yield Read(response, LONGEST_REFUSAL))).get("copy") or {}
        except (Unanswered, ValueError):
            return  # the call itself says what is wrong
        url = mine.get("writerUrl", "")
        alike = url.startswith(base.split("//")[0] + "//")
        if mine.get("leads") is False and mine.get("forward") == "redirect" and alike:
            self.writer = url.rstrip("/")

    def send(self, base: str, asked: Call[Any]) -> Send:
        """Return the step that sends a request to the server at an address."""
        headers, body, parts = {}, asked.body, None
        headers["Accept-Encoding"] = "gzip" if self.compress and asked.path != "/v1/backup" else "identity"
        if asked.content_type:
            headers["Content-Type"] = asked.content_type
        if self.compress and len(body) >= 1024 and asked.content_type == "application/json":
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        if asked.parts:
            boundary = uuid.uuid4().hex
            headers["Content-Type"] = f"multipart/mixed; boundary={boundary}"
            parts = chunks(asked.parts, boundary)
        if asked.accept:
            headers["Accept"] = asked.accept
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if not asked.writes:
            least = max(self.at_least, self.written if self.read_your_writes else 0)
            if least:
                headers["Uproar-At-Least"] = str(least)
            if self.max_age is not None:
                headers["Uproar-Max-Age"] = str(round(self.max_age * 1000))
        return Send(asked.method, base + asked.path, asked.query, headers, body, parts, asked)


def writer_of(response: httpx.Response) -> str:
    """Return the address of the copy that an answer sends a request on to; "" if it does not.

    It must be the same call, as encrypted as the first: a token goes nowhere else.
    """
    if response.status_code != 307:
        return ""
    asked, to = response.request.url, urlsplit(response.headers.get("Location", ""))
    if to.path != asked.path or to.scheme != asked.scheme or not to.netloc or to.netloc == asked.netloc.decode():
        return ""
    return f"{to.scheme}://{to.netloc}"


def unanswered(step: Union[Send, Read], error: Exception) -> Unanswered:
    """Return the error of a request that has no answer."""
    url = step.url if isinstance(step, Send) else str(step.response.request.url.copy_with(query=None))
    unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    return Unanswered(f"asking {url}: {error or type(error).__name__}", unsent)


def paged(first: Call[Any], pick: Callable[[Any], Sequence[R]], body: Any = None) -> Call[Page[R]]:
    """Make the first page of a list of a call whose reply has a cursor."""

    def read(data: bytes) -> Page[R]:
        reply = json.loads(data)
        cursor = reply.get("cursor")
        following: Optional[Call[Page[R]]] = None
        if cursor and body is not None:
            changed = {**body, "cursor": cursor}
            following = paged(post(first.path, whole, changed), pick, changed)
        elif cursor:
            kept = [p for p in first.query if p[0] != "cursor"]
            following = paged(replace(first, query=[*kept, ("cursor", cursor)]), pick)
        return Page(pick(reply), following)

    return cast("Call[Page[R]]", replace(first, read=read))


def followed(path: str, query: Pairs, after: int, wait: float, name: str, met: bool = False) -> Call[Page[Any]]:
    """Describe what came after a number; with a wait also what is still to come, for ever."""

    def read(data: bytes) -> Page[Any]:
        reply = json.loads(data)
        entries = reply[name]
        if not entries and not wait and not reply.get("more"):
            return Page(entries, None)
        return Page(entries, followed(path, query, max(after, reply["last"]), wait, name, True))

    more = [("after", str(after))] + ([("wait", f"{wait:g}s")] if wait else [])
    return Call("GET", path, read, [*query, *more], patient=met and wait > 0)
