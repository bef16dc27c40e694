// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"errors"
	"io"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// whereFields is advice for whoever names what is not there.
const whereFields = "uproar inspect, which shows the indexes and their fields"

// failed returns the error of a call as a person is to see it.
func failed(src *database.Source, err error) error {
	if err == nil {
		return nil
	}
	err = src.Failed(err)
	if e, ok := errors.AsType[*uproar.UnknownError](err); ok && e.What != "record" && e.Suggestion == "" {
		return &terminal.AdviceError{Err: err, Try: whereFields}
	}
	return err
}

// Located is the error of a call about a query: it points to the place in the text where an unknown
// field is named, if that is the error.
func Located(src *database.Source, text string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*uproar.UnknownError](src.Failed(err))
	if !ok || e.What != "field" {
		return failed(src, err)
	}
	at, ok := query.Locate(text, e.Name, e.Suggestion)
	if !ok {
		return failed(src, err)
	}
	pointed := errors.New(database.Public(e.Error()) + caret(at))
	if e.Suggestion == "" {
		return &terminal.AdviceError{Err: pointed, Try: whereFields}
	}
	return pointed
}

// Check fails for a text that is no query. One that begins with a brace is JSON.
func Check(text string) error {
	_, err := parse(text)
	return pointOut(err)
}

// parse reads a query as text, or as JSON if it begins with a brace.
func parse(text string) (query.Expr, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return query.ParseJSON([]byte(text))
	}
	return query.Parse(text)
}

// pointOut returns a syntax error with the line that it is in, and a caret beneath the place.
func pointOut(err error) error {
	syntax, ok := errors.AsType[*query.SyntaxError](err)
	if !ok {
		return err
	}
	return &terminal.UsageError{Err: &terminal.AdviceError{
		Err: errors.New(database.Public(syntax.Error()) + caret(syntax)),
		Try: "docs/query.md, which describes the language",
	}}
}

// caret returns the line of an error and, on a line of its own, a caret beneath the place.
func caret(e *query.SyntaxError) string {
	return terminal.Caret(strings.Split(e.Text, "\n")[e.Line-1], e.Column-1)
}

// readQuery reads a query as text or JSON.
func readQuery(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, query.MaxJSON+1))
	return strings.TrimSpace(string(text)), err
}
