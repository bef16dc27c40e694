// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { components } from './document.js';
import type { Integer } from './json.js';
import { parse } from './json.js';

type Body = components['schemas']['Error'];

/**
 * An error of this package. Beside these there are the reasons of an AbortSignal, as fetch throws
 * them.
 */
export class UproarError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A request has no answer, or one that broke off; cause says why. */
export class ConnectionError extends UproarError {
  /**
   * Whether the request cannot have arrived, because there was no connection. A browser does not
   * say.
   */
  readonly unsent: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.unsent = isUnsent(cause);
  }
}

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

function isUnsent(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    if ('code' in e && unsentCodes.has(String(e.code))) {
      return true;
    }
  }
  return false;
}

/**
 * What a server answered in the place of a reply. Each code has a class of its own, and so have
 * some reasons.
 */
export class ServerError extends UproarError {
  /** Of HTTP. */
  readonly status: number;
  /** Milliseconds after which to ask again, if the server says so; else 0. */
  readonly retryAfter: number;
  /** Empty if the answer is not one of an Uproar server. */
  readonly code: string;
  readonly reason: string;
  /** Of the place in the query or the body, in bytes from 0. */
  readonly offset?: Integer;
  /** Of a SequenceTrimmedError: the number of the oldest commit that is kept. */
  readonly oldest?: Integer;
  /** What is wrong with the items of a write. */
  readonly errors: components['schemas']['ItemError'][];
  /** Of a failure of the server: under it its log has the details. */
  readonly requestId?: string;

  constructor(status: number, body: Body, retryAfter = 0) {
    super(body.message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = body.code;
    this.reason = body.reason ?? '';
    this.offset = body.offset;
    this.oldest = body.oldest;
    this.errors = body.errors ?? [];
    this.requestId = body.request_id;
  }
}

/** A request is not what it should be: a parameter, an account, a cursor. */
export class InvalidError extends ServerError {}
export class InvalidRequestError extends InvalidError {}
export class InvalidAccountError extends InvalidError {}
export class InvalidCursorError extends InvalidError {}

/** A query has a syntax error, cannot be, or would read too much. */
export class InvalidQueryError extends ServerError {}
export class QuerySyntaxError extends InvalidQueryError {}
export class QueryExpressionError extends InvalidQueryError {}
export class QueryLimitError extends InvalidQueryError {}

export class UnknownFieldError extends ServerError {}
export class UnknownRecordError extends ServerError {}
export class UnknownAccountError extends UnknownRecordError {}
export class UnknownSetError extends ServerError {}
export class UnknownIndexError extends ServerError {}
export class UnknownPathError extends ServerError {}
export class IndexExistsError extends ServerError {}
/** A write whose condition does not hold; nothing was written. */
export class ConditionFailedError extends ServerError {}
export class MethodNotAllowedError extends ServerError {}
/** No form of the answer is wanted. */
export class NotAcceptableError extends ServerError {}
/** Commits that were asked for are no longer kept. */
export class SequenceTrimmedError extends ServerError {}
export class ReadOnlyError extends ServerError {}
export class ForbiddenError extends ServerError {}
export class BackupBaseError extends ServerError {}
export class BodyTooLargeError extends ServerError {}
export class RequestTimeoutError extends ServerError {}
export class TargetTooLongError extends ServerError {}
export class HeaderTooLargeError extends ServerError {}
export class ExpectationFailedError extends ServerError {}
export class NotImplementedError extends ServerError {}
export class HTTPVersionError extends ServerError {}
export class UnsupportedMediaError extends ServerError {}
export class CanceledError extends ServerError {}
/** No token, or one that the server does not know. */
export class UnauthorizedError extends ServerError {}
/** The server has more to do than it may take on; nothing was done. */
export class OverloadedError extends ServerError {}
export class AnswerTooLargeError extends ServerError {}
export class InternalError extends ServerError {}
/** The answer took longer than the server's limit. */
export class DeadlineExceededError extends ServerError {}

/** The database is closed or busy; later it may not be. */
export class UnavailableError extends ServerError {}
export class ClosedError extends UnavailableError {}
export class FullError extends UnavailableError {}
export class MemoryError extends UnavailableError {}
/** The disk failed a write; reading goes on. */
export class FailedError extends UnavailableError {}
export class LoadingError extends UnavailableError {}
/** No copy of the database takes writes now. */
export class NoWriterError extends UnavailableError {}
/** This copy is older than was asked for. */
export class StaleError extends UnavailableError {}
export class StoppedError extends UnavailableError {}
/** This copy takes no writes; the message names who does. */
export class FollowsError extends UnavailableError {}

type Class = new (status: number, body: Body, retryAfter?: number) => ServerError;

/** The class and the HTTP status of each code of a server. */
export const byCode: ReadonlyMap<string, readonly [Class, number]> = new Map(
  Object.entries<[Class, number]>({
    invalid_request: [InvalidRequestError, 400],
    invalid_account: [InvalidAccountError, 400],
    invalid_cursor: [InvalidCursorError, 400],
    invalid_query: [InvalidQueryError, 400],
    unknown_field: [UnknownFieldError, 400],
    unknown_account: [UnknownAccountError, 404],
    unknown_record: [UnknownRecordError, 404],
    unknown_set: [UnknownSetError, 404],
    unknown_index: [UnknownIndexError, 404],
    unknown_path: [UnknownPathError, 404],
    index_exists: [IndexExistsError, 409],
    condition_failed: [ConditionFailedError, 409],
    method_not_allowed: [MethodNotAllowedError, 405],
    not_acceptable: [NotAcceptableError, 406],
    sequence_trimmed: [SequenceTrimmedError, 410],
    read_only: [ReadOnlyError, 403],
    forbidden: [ForbiddenError, 403],
    backup_base: [BackupBaseError, 409],
    body_too_large: [BodyTooLargeError, 413],
    request_timeout: [RequestTimeoutError, 408],
    target_too_long: [TargetTooLongError, 414],
    header_too_large: [HeaderTooLargeError, 431],
    expectation_failed: [ExpectationFailedError, 417],
    not_implemented: [NotImplementedError, 501],
    http_version: [HTTPVersionError, 505],
    unsupported_media_type: [UnsupportedMediaError, 415],
    canceled: [CanceledError, 499],
    unauthorized: [UnauthorizedError, 401],
    overloaded: [OverloadedError, 503],
    answer_too_large: [AnswerTooLargeError, 422],
    internal: [InternalError, 500],
    unavailable: [UnavailableError, 503],
    deadline_exceeded: [DeadlineExceededError, 503],
  }),
);

/** The class of each reason, which says more than a code. */
export const byReason: ReadonlyMap<string, Class> = new Map(
  Object.entries<Class>({
    syntax: QuerySyntaxError,
    expression: QueryExpressionError,
    limit: QueryLimitError,
    closed: ClosedError,
    full: FullError,
    memory: MemoryError,
    failed: FailedError,
    loading: LoadingError,
    no_writer: NoWriterError,
    stale: StaleError,
    stopped: StoppedError,
    follows: FollowsError,
  }),
);

/**
 * Returns the error that a server answered with; without a status, as a part of a reply. A code
 * that this version does not know is a ServerError.
 */
export function errorOf(body: Body, status?: number, retryAfter = 0): ServerError {
  const [code, usual] = byCode.get(body.code) ?? [ServerError, 500];
  const reason = byReason.get(body.reason ?? '');
  const is = reason !== undefined && reason.prototype instanceof code ? reason : code;
  return new is(status ?? usual, body, retryAfter);
}

/** Returns the body of an ErrorReply; undefined if a reply is another. */
export function refusalIn(reply: unknown): Body | undefined {
  const error = (reply as { error?: Body } | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
}

/** Returns the error of an answer that is no reply. text is its body. */
export function refused(response: Response, text: string): ServerError {
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  const retryAfter = seconds > 0 ? seconds * 1000 : 0;
  let body: Body | undefined;
  try {
    body = refusalIn(parse(text));
  } catch {
    /* no JSON: of a proxy */
  }
  body ??= {
    code: '',
    message:
      `got status ${response.status}: ${JSON.stringify(text.slice(0, 200))}, ` +
      'which no server of Uproar answers with',
  };
  return errorOf(body, response.status, retryAfter);
}
