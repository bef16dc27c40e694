# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""Errors: one class for each code of a server, with the server's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Optional


class Error(Exception):
    """The base of all errors of this package."""


class Unanswered(Error):
    """A request has no answer: no connection, a broken one, or a timeout.

    ``__cause__`` is the error of httpx. A write may have been done, unless ``unsent`` is true.
    """

    def __init__(self, message: str, unsent: bool) -> None:
        super().__init__(message)
        self.unsent = unsent


class BadReply(Error):
    """A reply is not what it should be, or longer than the client takes."""


class ServerError(Error):
    """What a server answered in the place of a reply.

    ``code`` is "" if no server of Uproar answered, as a proxy does.
    """

    def __init__(self, status: int, error: Mapping[str, Any], retry_after: float = 0) -> None:
        self.status = status
        self.code: str = error.get("code", "")
        self.message: str = error.get("message", "")
        self.offset: Optional[int] = error.get("offset")  # of the place in the query or body, in bytes
        self.oldest: Optional[int] = error.get("oldest")  # of SequenceTrimmed: the oldest commit kept
        self.reason: str = error.get("reason", "")
        self.errors: list[dict[str, str]] = error.get("errors", [])  # what is wrong with items of a write
        self.request_id: str = error.get("request_id", "")  # finds details in the server's log
        self.retry_after = retry_after  # seconds; 0 if the server does not say
        text = f"{self.code}: {self.message}" if self.code else f"got status {status}: {self.message}"
        super().__init__(text + (f" (request {self.request_id})" if self.request_id else ""))


class Invalid(ServerError):
    """The request itself is wrong."""


class InvalidRequest(Invalid): ...
class InvalidAccount(Invalid): ...
class InvalidCursor(Invalid): ...
class InvalidQuery(Invalid): ...
class UnknownField(Invalid): ...
class BodyTooLarge(Invalid): ...
class TargetTooLong(Invalid): ...
class HeaderTooLarge(Invalid): ...
class ExpectationFailed(Invalid): ...
class UnsupportedMediaType(Invalid): ...
class MethodNotAllowed(Invalid): ...
class NotAcceptable(Invalid): ...


class Unknown(ServerError):
    """What was asked about does not exist."""


class UnknownRecord(Unknown): ...
class UnknownAccount(UnknownRecord): ...  # an account is a record
class UnknownSet(Unknown): ...
class UnknownIndex(Unknown): ...
class UnknownPath(Unknown): ...


class Refused(ServerError):
    """The server does not do that, or not for this caller."""


class Unauthorized(Refused): ...
class Forbidden(Refused): ...
class ReadOnly(Refused): ...


class Conflict(ServerError):
    """The state of the database is another one than the call needs."""


class BackupBase(Conflict): ...
class IndexExists(Conflict): ...
class ConditionFailed(Conflict): ...
class SequenceTrimmed(Conflict): ...


class Busy(ServerError):
    """The server cannot do it now."""


class Overloaded(Busy): ...
class RequestTimeout(Busy): ...
class Unavailable(Busy): ...
class DeadlineExceeded(Busy): ...
class AnswerTooLarge(ServerError): ...
class Canceled(ServerError): ...
class Internal(ServerError): ...
class NotImplementedByServer(ServerError): ...
class HTTPVersion(ServerError): ...


BY_CODE: dict[str, type[ServerError]] = {
    "answer_too_large": AnswerTooLarge,
    "backup_base": BackupBase,
    "body_too_large": BodyTooLarge,
    "canceled": Canceled,
    "condition_failed": ConditionFailed,
    "deadline_exceeded": DeadlineExceeded,
    "expectation_failed": ExpectationFailed,
    "forbidden": Forbidden,
    "header_too_large": HeaderTooLarge,
    "http_version": HTTPVersion,
    "index_exists": IndexExists,
    "internal": Internal,
    "invalid_account": InvalidAccount,
    "invalid_cursor": InvalidCursor,
    "invalid_query": InvalidQuery,
    "invalid_request": InvalidRequest,
    "method_not_allowed": MethodNotAllowed,
    "not_acceptable": NotAcceptable,
    "not_implemented": NotImplementedByServer,
    "overloaded": Overloaded,
    "read_only": ReadOnly,
    "request_timeout": RequestTimeout,
    "sequence_trimmed": SequenceTrimmed,
    "target_too_long": TargetTooLong,
    "unauthorized": Unauthorized,
    "unavailable": Unavailable,
    "unknown_account": UnknownAccount,
    "unknown_field": UnknownField,
    "unknown_index": UnknownIndex,
    "unknown_path": UnknownPath,
    "unknown_record": UnknownRecord,
    "unknown_set": UnknownSet,
    "unsupported_media_type": UnsupportedMediaType,
}


def error_of(status: int, error: Mapping[str, Any], retry_after: float = 0) -> ServerError:
    """Return the error that a server answered with, by its code."""
    return BY_CODE.get(error.get("code", ""), ServerError)(status, error, retry_after)


def refused(status: int, body: bytes, retry_after: str) -> ServerError:
    """Read an answer that is no reply."""
    wait = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0.0
    try:
        error = json.loads(body)["error"]
        if isinstance(error, dict) and isinstance(error.get("code"), str) and error["code"]:
            return error_of(status, error, wait)
    except (ValueError, TypeError, KeyError):
        pass
    return error_of(status, {"message": f"{body[:200]!r}, which no server of Uproar answers with"}, wait)
