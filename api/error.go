// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "strconv"

// Code says what kind of error an Error is. Codes are stable: programs may
// depend on them, and not on messages.
type Code string

// The codes.
const (
	CodeInvalidRequest    Code = "invalid_request"    // a parameter or the body is missing, unknown or malformed
	CodeInvalidAccount    Code = "invalid_account"    // a string that cannot be an account's key
	CodeInvalidCursor     Code = "invalid_cursor"     // not a cursor of this server
	CodeInvalidQuery      Code = "invalid_query"      // a query with a syntax error, or too large
	CodeUnknownField      Code = "unknown_field"      // a query about a field that the index lacks
	CodeUnknownAccount    Code = "unknown_account"    // an account that does not exist
	CodeUnknownRecord     Code = "unknown_record"     // a record that does not exist, of a call about it
	CodeUnknownSet        Code = "unknown_set"        // a query about a saved set that was never stored
	CodeUnknownIndex      Code = "unknown_index"      // an index that does not exist
	CodeUnknownPath       Code = "unknown_path"       // no such call
	CodeIndexExists       Code = "index_exists"       // a new index whose name is taken
	CodeConditionFailed   Code = "condition_failed"   // a write whose condition does not hold; nothing was written
	CodeMethodNotAllowed  Code = "method_not_allowed" // the call has another method
	CodeNotAcceptable     Code = "not_acceptable"     // the field Accept wants none of the forms of the answer
	CodeSequenceTrimmed   Code = "sequence_trimmed"   // commits that were asked for are no longer kept
	CodeReadOnly          Code = "read_only"          // the database is opened for reading only
	CodeForbidden         Code = "forbidden"          // not for whoever asks from there
	CodeBackupBase        Code = "backup_base"        // an increment cannot go on from that backup
	CodeBodyTooLarge      Code = "body_too_large"     // the body exceeds the server's limit
	CodeRequestTimeout    Code = "request_timeout"    // the request did not arrive in time
	CodeTargetTooLong     Code = "target_too_long"    // the request line exceeds the server's limit
	CodeHeaderTooLarge    Code = "header_too_large"   // the fields of the request exceed the server's limit
	CodeExpectationFailed Code = "expectation_failed" // the field Expect has what the server does not know
	CodeNotImplemented    Code = "not_implemented"    // a method or a coding that the server does not know
	// the request is of another version than HTTP/1.1 and HTTP/1.0
	CodeHTTPVersion      Code = "http_version"
	CodeUnsupportedMedia Code = "unsupported_media_type" // the body is not application/json
	// the client went away; nobody reads this but logs and metrics
	CodeCanceled     Code = "canceled"
	CodeUnauthorized Code = "unauthorized" // no token, or one that the server does not know
	// the server has more to do than it may take on; nothing was done
	CodeOverloaded       Code = "overloaded"
	CodeAnswerTooLarge   Code = "answer_too_large"  // less is to be asked for at a time
	CodeInternal         Code = "internal"          // the server failed; its log says more under the request ID
	CodeUnavailable      Code = "unavailable"       // the database is closed or busy; later it may not be
	CodeDeadlineExceeded Code = "deadline_exceeded" // the answer took longer than the server's limit
)

// statuses has the HTTP status of each code.
var statuses = map[Code]int{
	CodeInvalidRequest:    400,
	CodeInvalidAccount:    400,
	CodeInvalidCursor:     400,
	CodeInvalidQuery:      400,
	CodeUnknownField:      400,
	CodeUnknownAccount:    404,
	CodeUnknownRecord:     404,
	CodeUnknownSet:        404,
	CodeUnknownIndex:      404,
	CodeUnknownPath:       404,
	CodeMethodNotAllowed:  405,
	CodeNotAcceptable:     406,
	CodeUnauthorized:      401,
	CodeReadOnly:          403,
	CodeForbidden:         403,
	CodeBackupBase:        409,
	CodeIndexExists:       409,
	CodeConditionFailed:   409,
	CodeSequenceTrimmed:   410,
	CodeBodyTooLarge:      413,
	CodeRequestTimeout:    408,
	CodeTargetTooLong:     414,
	CodeExpectationFailed: 417,
	CodeHeaderTooLarge:    431,
	CodeNotImplemented:    501,
	CodeHTTPVersion:       505,
	CodeUnsupportedMedia:  415,
	CodeAnswerTooLarge:    422,
	CodeCanceled:          499, // not in any RFC; nginx's, and what dashboards know
	CodeInternal:          500,
	CodeOverloaded:        503,
	CodeUnavailable:       503,
	CodeDeadlineExceeded:  503, // not 504, which speaks of a server behind this one
}

// Status returns the HTTP status of a code; 500 for one that this version does
// not know.
func (c Code) Status() int {
	if status, ok := statuses[c]; ok {
		return status
	}
	return statuses[CodeInternal]
}

// Reason says more than a Code: which error of the embedded database it was. Reasons are stable,
// and there may be new ones.
type Reason string

// The reasons.
const (
	ReasonSyntax     Reason = "syntax"     // of CodeInvalidQuery: a text that is no query
	ReasonExpression Reason = "expression" // of CodeInvalidQuery: a query that cannot be
	ReasonLimit      Reason = "limit"      // of CodeInvalidQuery: a query that would read too much
	ReasonClosed     Reason = "closed"     // of CodeUnavailable: the database is closed
	ReasonFull       Reason = "full"       // of CodeUnavailable: the disk is full, or too many files are open
	ReasonMemory     Reason = "memory"     // of CodeUnavailable: no memory is left for it
	ReasonFailed     Reason = "failed"     // of CodeUnavailable: the disk failed a write; reading goes on
	ReasonLoading    Reason = "loading"    // of CodeUnavailable: the database is loading
	ReasonNoWriter   Reason = "no_writer"  // of CodeUnavailable: no copy of the database takes writes now
	ReasonStale      Reason = "stale"      // of CodeUnavailable: this copy is older than was asked for
	// of CodeUnavailable: this copy follows no more; its server must be started again
	ReasonStopped Reason = "stopped"
	// of CodeUnavailable: this copy takes no writes; the message names who does
	ReasonFollows Reason = "follows"
)

// Error is what a call answers with when it fails. *Error implements error.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"` // for people: what, got, want

	// Offset is where in the query or in the body the error is, in bytes from
	// 0; nil if it is not about a place.
	Offset *int `json:"offset,omitempty"`

	// Oldest is the number of the oldest commit that is kept, of CodeSequenceTrimmed.
	Oldest *uint64 `json:"oldest,omitempty"`

	// Reason says which of the errors of the embedded database this is, where the code stands for
	// several; "" where it does not.
	Reason Reason `json:"reason,omitempty"`

	// Errors says what is wrong with each item of a write, up to MaxItemErrors of them.
	Errors []ItemError `json:"errors,omitempty"`

	// RequestID finds the details of an internal error in the server's log.
	RequestID string `json:"request_id,omitempty"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return "api: " + string(e.Code) + ": " + e.Message }

// Is reports whether target is an *Error of the same code, so that errors.Is(err,
// &api.Error{Code: api.CodeUnknownAccount}) asks for one.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// ErrorReply is the body of every reply with a status of 400 or more.
type ErrorReply struct {
	Error Error `json:"error"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r ErrorReply) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"error":{"code":`...), string(r.Error.Code))
	dst = AppendString(append(dst, `,"message":`...), r.Error.Message)
	if r.Error.Offset != nil {
		dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(*r.Error.Offset), 10)
	}
	if r.Error.Oldest != nil {
		dst = appendUint(append(dst, `,"oldest":`...), *r.Error.Oldest)
	}
	if r.Error.Reason != "" {
		dst = AppendString(append(dst, `,"reason":`...), string(r.Error.Reason))
	}
	if len(r.Error.Errors) > 0 {
		dst = appendValue(append(dst, `,"errors":`...), r.Error.Errors)
	}
	if r.Error.RequestID != "" {
		dst = AppendString(append(dst, `,"request_id":`...), r.Error.RequestID)
	}
	return append(dst, '}', '}')
}
