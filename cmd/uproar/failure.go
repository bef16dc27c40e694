// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
)

// usage makes an error of the parser's a terminal.UsageError that says where help is to be had.
func usage(err error) error {
	try := "uproar help"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			try += " " + node.Path()
		}
	}
	return &terminal.UsageError{Err: &terminal.AdviceError{Err: err, Try: try}}
}

// explain adds advice to errors of lower layers, where there is any.
func explain(err error) error {
	switch {
	case errors.As(err, new(*terminal.AdviceError)):
		return err
	case errors.Is(err, store.ErrFull) && !strings.Contains(err.Error(), "Try: "): // the stores say so themselves
		return &terminal.AdviceError{Err: err, Try: "make room on that disk"}
	case errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "Try: "):
		return &terminal.AdviceError{Err: err, Try: "a backup, or uproar salvage, which copies what is whole of a folder"}
	case errors.Is(err, uproar.ErrVersion):
		return &terminal.AdviceError{Err: err, Try: "a newer release of uproar; this database was written by one"}
	case errors.Is(err, uproar.ErrLoading):
		return &terminal.AdviceError{Err: err, Try: "again when the import that is under way has ended"}
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	}
	return err
}
