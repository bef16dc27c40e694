// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
)

// failures says which code an error of the layers below has for the client. The
// first line that an error matches counts: an unknown account is an unknown
// record too.
var failures = []struct {
	matches func(error) bool
	code    api.Code
	reason  api.Reason
}{
	{as[*StatusError], api.CodeInvalidRequest, ""}, // answered with its own status
	{is(catalog.ErrUnknownCatalog), api.CodeUnknownIndex, ""},
	{is(catalog.ErrUnknownAttribute), api.CodeUnknownField, ""},
	{is(catalog.ErrCondition), api.CodeInvalidRequest, ""},
	{is(catalog.ErrSchema), api.CodeInvalidRequest, ""},
	{as[*graph.InvalidAccountError], api.CodeInvalidAccount, ""},
	{as[*graph.UnknownAccountError], api.CodeUnknownAccount, ""},
	{is(graph.ErrNoAccounts), api.CodeInvalidRequest, ""},
	{as[*graph.RelationError], api.CodeInvalidRequest, ""},
	{is(graph.ErrInvalidChange), api.CodeInvalidRequest, ""},
	{as[*query.SyntaxError], api.CodeInvalidQuery, api.ReasonSyntax},
	{is(query.ErrInvalid), api.CodeInvalidQuery, api.ReasonExpression},
	{is(audience.ErrRecursive), api.CodeInvalidQuery, ""},
	{is(audience.ErrSchema), api.CodeInvalidRequest, ""},
	{is(uproar.ErrUnknownIndex), api.CodeUnknownIndex, ""},
	{is(uproar.ErrUnknownField), api.CodeUnknownField, ""},
	{is(uproar.ErrUnknownRecord), api.CodeUnknownRecord, ""},
	{is(uproar.ErrUnknownSet), api.CodeUnknownSet, ""},
	{is(uproar.ErrIndexExists), api.CodeIndexExists, ""},
	{is(uproar.ErrBackupBase), api.CodeBackupBase, ""},
	{is(uproar.ErrLimit), api.CodeInvalidQuery, api.ReasonLimit},
	{is(uproar.ErrTooLarge), api.CodeBodyTooLarge, ""},
	{is(uproar.ErrInvalid), api.CodeInvalidRequest, ""},
}

// unexplained are failures that the client did not cause. Their text says what the client can do,
// and nothing about the inside of the server.
var unexplained = []struct {
	cause   error
	code    api.Code
	reason  api.Reason
	message string
}{
	// which is ErrFull as well
	{syscall.EMFILE, api.CodeUnavailable, api.ReasonFull, "the server has too many files open; try again later"},
	{syscall.ENFILE, api.CodeUnavailable, api.ReasonFull, "the server has too many files open; try again later"},
	// also of one who waited for room too long
	{uproar.ErrFull, api.CodeUnavailable, api.ReasonFull, "the disk of the server is full"},
	{context.DeadlineExceeded, api.CodeDeadlineExceeded, "",
		"the answer took longer than this server allows; a write may have been done all the same, and may be repeated"},
	{context.Canceled, api.CodeCanceled, "", "the request was canceled"},
	{uproar.ErrClosed, api.CodeUnavailable, api.ReasonClosed, "the database is closed"},
	{store.ErrClosed, api.CodeUnavailable, api.ReasonClosed, "the database is closed"},
	{store.ErrFenced, api.CodeUnavailable, api.ReasonNoWriter,
		"another copy of the database takes the writes now, and nothing was written; ask again"},
	{uproar.ErrFailed, api.CodeUnavailable, api.ReasonFailed,
		"the disk of the server failed a write, so it takes no more; reading goes on, and starting it again may help"},
	{uproar.ErrMemory, api.CodeUnavailable, api.ReasonMemory,
		"the server has no memory left for this; ask for less at a time, or try again later"},
	{uproar.ErrReadOnly, api.CodeReadOnly, "",
		"this server only reads; write to the one that it was copied from, if there is one"},
	{catalog.ErrReplacing, api.CodeUnavailable, api.ReasonLoading,
		"the catalog is being replaced already; try again later"},
	{uproar.ErrLoading, api.CodeUnavailable, api.ReasonLoading, "the database is loading; try again later"},
}

func as[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// Failure returns the error that a client sees for an error of the server. If no request caused it,
// the client sees only that something failed: details may be secrets, and are in the log.
func Failure(err error) *api.Error {
	e := explain(err)
	if len(e.Message) > MaxMessage {
		short := *e
		short.Message = Cut(e.Message, MaxMessage)
		return &short
	}
	return e
}

func explain(err error) *api.Error {
	if own, ok := errors.AsType[*api.Error](err); ok {
		return own
	}
	if e, ok := trimmed(err); ok {
		return e
	}
	for _, f := range failures {
		if f.matches(err) {
			e := &api.Error{Code: f.code, Reason: f.reason, Message: Public(err)}
			if syntax, ok := errors.AsType[*query.SyntaxError](err); ok {
				e.Offset = &syntax.Offset
			}
			return e
		}
	}
	for _, u := range unexplained {
		if errors.Is(err, u.cause) {
			return &api.Error{Code: u.code, Reason: u.reason, Message: u.message}
		}
	}
	return &api.Error{Code: api.CodeInternal,
		Message: "internal error; the server's log has more under this request ID"}
}

// NotYet returns the error of something that only another copy of the database can make, and has
// not made yet; other errors as they are.
func NotYet(what string, err error) error {
	for _, cause := range [...]error{uproar.ErrReadOnly, uproar.ErrUnknownIndex, catalog.ErrUnknownCatalog,
		store.ErrFenced} {
		if errors.Is(err, cause) {
			return fmt.Errorf("%w (%w)", &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonLoading,
				Message: what + " is not there yet, and this server cannot make it; try again later"}, err)
		}
	}
	return err
}

// Public returns the text of an error without the package that it comes from.
func Public(err error) string {
	text := err.Error()
	for _, prefix := range [...]string{"graph: ", "likes: ",
		"audience: ", "catalog: ", "query: ", "uproar: ", "posting: ",
		"eval: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}

// trimmed is the error for a client that asks for commits which are no longer kept.
func trimmed(err error) (*api.Error, bool) {
	e, ok := errors.AsType[*uproar.TrimmedError](err)
	if !ok {
		return nil, false
	}
	return &api.Error{Code: api.CodeSequenceTrimmed, Oldest: &e.Oldest,
		Message: "commit " + strconv.FormatUint(e.Want, 10) + " is no longer kept: the oldest is " +
			strconv.FormatUint(e.Oldest, 10) + "; begin anew with a copy of all, and follow from there"}, true
}
