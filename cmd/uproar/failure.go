// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
)

// adviceError is an error with something to be done about it.
type adviceError struct {
	err error
	try string
}

// Error returns the error, and the advice on a line of its own.
func (e *adviceError) Error() string { return e.err.Error() + "\nTry: " + e.try }

// Unwrap returns the error without the advice.
func (e *adviceError) Unwrap() error { return e.err }

// advise returns an error with the text of format, and advice.
func advise(try, format string, args ...any) error {
	return &adviceError{fmt.Errorf(format, args...), try}
}

// usageError is an error in the command line.
type usageError struct{ err error }

// Error returns the text of the error.
func (e *usageError) Error() string { return e.err.Error() }

// Unwrap returns the error.
func (e *usageError) Unwrap() error { return e.err }

// usage makes an error of the parser's a usageError that says where help is to be had.
func usage(err error) error {
	try := "uproar help"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			try += " " + node.Path()
		}
	}
	return &usageError{&adviceError{err, try}}
}

// explain adds advice to errors of the layers beneath for which there is some.
func explain(err error) error {
	switch {
	case errors.As(err, new(*adviceError)):
		return err
	case errors.Is(err, store.ErrFull) && !strings.Contains(err.Error(), "Try: "): // the stores say so themselves
		return &adviceError{err, "make room on that disk"}
	case errors.Is(err, uproar.ErrVersion):
		return &adviceError{err, "a newer release of uproar; this database was written by one"}
	case errors.Is(err, uproar.ErrLoading):
		return &adviceError{err, "again when the import that is under way has ended"}
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	}
	return err
}
