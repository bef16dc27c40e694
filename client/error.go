// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
)

// The errors of the embedded database that a server answers with: the same values as those of
// package uproar with the same names.
var (
	ErrUnknownIndex    = sentinel.ErrUnknownIndex
	ErrUnknownField    = sentinel.ErrUnknownField
	ErrUnknownRecord   = sentinel.ErrUnknownRecord // also of accounts
	ErrUnknownSet      = sentinel.ErrUnknownSet
	ErrInvalid         = sentinel.ErrInvalid
	ErrIndexExists     = sentinel.ErrIndexExists
	ErrBackupBase      = sentinel.ErrBackupBase
	ErrTooLarge        = sentinel.ErrTooLarge
	ErrLimit           = sentinel.ErrLimit
	ErrSequenceTrimmed = sentinel.ErrTrimmed
	ErrClosed          = sentinel.ErrClosed
	ErrLoading         = sentinel.ErrLoading
	ErrMemory          = sentinel.ErrMemory
	ErrFull            = store.ErrFull
	ErrFailed          = sentinel.ErrFailed // the disk failed; the server must be started again
	ErrReadOnly        = store.ErrReadOnly
)

// byReason has the errors of the embedded database that a reason stands for.
var byReason = map[api.Reason]error{
	api.ReasonSyntax: query.ErrSyntax, api.ReasonExpression: query.ErrInvalid, api.ReasonLimit: ErrLimit,
	api.ReasonClosed: ErrClosed, api.ReasonFull: ErrFull, api.ReasonMemory: ErrMemory, api.ReasonLoading: ErrLoading,
	api.ReasonFailed: ErrFailed,
}

// byCode has the errors that a code stands for.
var byCode = map[api.Code]error{
	api.CodeUnknownIndex: ErrUnknownIndex, api.CodeUnknownField: ErrUnknownField,
	api.CodeUnknownRecord: ErrUnknownRecord, api.CodeUnknownAccount: ErrUnknownRecord,
	api.CodeUnknownSet: ErrUnknownSet, api.CodeInvalidRequest: ErrInvalid, api.CodeInvalidAccount: ErrInvalid,
	api.CodeInvalidCursor: ErrInvalid,
	api.CodeIndexExists:   ErrIndexExists,
	api.CodeBackupBase:    ErrBackupBase, api.CodeBodyTooLarge: ErrTooLarge,
	api.CodeSequenceTrimmed:  ErrSequenceTrimmed,
	api.CodeReadOnly:         ErrReadOnly,
	api.CodeAnswerTooLarge:   ErrLimit,
	api.CodeDeadlineExceeded: context.DeadlineExceeded, api.CodeCanceled: context.Canceled,
}

// Error is what a server answered in the place of a reply. By errors.Is it matches the error of the
// embedded database that it stands for, and an *api.Error of the same code.
type Error struct {
	Status     int           // of HTTP
	RetryAfter time.Duration // when to ask again, if the server says so; else 0
	Code       api.Code      // empty if the answer is not one of an Uproar server
	Reason     api.Reason
	Message    string
	Offset     *int            // of the place in the query or the body, in bytes from 0; nil if there is none
	Oldest     *uint64         // of ErrSequenceTrimmed: the number of the oldest commit that is kept
	Errors     []api.ItemError // what is wrong with the items of a write
	RequestID  string          // of a failure of the server: under it its log has the details
}

// errorOf returns the error that a server answered with.
func errorOf(status int, e *api.Error) *Error {
	return &Error{Status: status, Code: e.Code, Reason: e.Reason, Message: e.Message, Offset: e.Offset,
		Oldest: e.Oldest, Errors: e.Errors, RequestID: e.RequestID}
}

// Error returns the message, with the code.
func (e *Error) Error() string {
	switch {
	case e.Code == "":
		return fmt.Sprintf("client: got status %d: %s", e.Status, e.Message)
	case e.RequestID != "":
		return fmt.Sprintf("client: %s: %s (request %s)", e.Code, e.Message, e.RequestID)
	}
	return fmt.Sprintf("client: %s: %s", e.Code, e.Message)
}

// Is reports whether target is the error of the embedded database that e stands for. It also
// matches an *api.Error of the same code.
func (e *Error) Is(target error) bool {
	if t, ok := target.(*api.Error); ok {
		return t.Code == e.Code
	}
	return target != nil && (byReason[e.Reason] == target || byCode[e.Code] == target)
}

// longestRefusal bounds what is read of an answer that is no reply.
const longestRefusal = 1 << 20

// refused reads an answer that is no reply.
func refused(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, longestRefusal))
	e := &Error{Status: resp.StatusCode, Message: fmt.Sprintf("%.200q, which no server of Uproar answers with", body)}
	var reply api.ErrorReply
	if json.Unmarshal(body, &reply) == nil && reply.Error.Code != "" {
		e = errorOf(resp.StatusCode, &reply.Error)
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
