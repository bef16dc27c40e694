// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// pointOut returns a syntax error with the line that it is in, and a caret beneath the place.
func pointOut(err error) error {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	return &terminal.UsageError{Err: &terminal.AdviceError{
		Err: errors.New(database.Public(syntax.Error()) + caret(syntax)),
		Try: "docs/query.md, which describes the language"}}
}

// caret returns the line of an error and, on a line of its own, a caret beneath the place.
func caret(e *query.SyntaxError) string {
	return terminal.Caret(strings.Split(e.Text, "\n")[e.Line-1], e.Column-1)
}
