// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
)

// logger passes Badger's remarks on to slog. It listens for remarks that report what Badger does
// not return as an error.
type logger struct {
	to      *slog.Logger
	unsaved atomic.Pointer[error] // a sync has failed: the commits since are not on the disk, though Badger says so
	ignored atomic.Pointer[error] // a damaged table was left out at opening: its keys would silently be missing

	// of a file of the value log that is about to be rewritten; set before Badger is opened, nil
	// where it is not to be
	check   func(file uint32) error
	checked atomic.Uint64 // how often
}

func newLogger(to *slog.Logger) *logger {
	if to == nil {
		to = slog.New(slog.DiscardHandler)
	}
	return &logger{to: to}
}

// lost returns the error of a failed sync, if there was one.
func (l *logger) lost() error {
	if err := l.unsaved.Load(); err != nil {
		return *err
	}
	return nil
}

// damaged returns the error of a table left out, if there was one.
func (l *logger) damaged() error {
	if err := l.ignored.Load(); err != nil {
		return *err
	}
	return nil
}

func (l *logger) print(level slog.Level, format string, args []any) {
	if !l.to.Enabled(context.Background(), level) {
		return
	}
	if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
		l.to.Log(context.Background(), level, "badger: "+text)
	}
}

// Errorf implements badger.Logger.
func (l *logger) Errorf(format string, args ...any) {
	level := slog.LevelError
	switch {
	case strings.Contains(format, "sync"):
		err := errors.New(strings.TrimSpace(fmt.Sprintf(format, args...)))
		l.unsaved.CompareAndSwap(nil, &err)
	case strings.HasPrefix(format, "Ignoring table"):
		err := errors.New(strings.TrimSpace(fmt.Sprintf(format, args...)))
		l.ignored.CompareAndSwap(nil, &err)
	case strings.HasPrefix(format, "Unable to read: Key"), strings.HasPrefix(format, "Key: "),
		strings.HasPrefix(format, "Invalid read"):
		level = slog.LevelDebug // whoever reads gets the error, or the value at its new place
	}
	l.print(level, format, args)
}

// Warningf implements badger.Logger.
func (l *logger) Warningf(format string, args ...any) { l.print(slog.LevelWarn, format, args) }

// rewriting is what Badger says of a file of the value log before it rewrites it.
const rewriting = "Rewriting fid: %d"

// Infof implements badger.Logger. What Badger finds worth telling its users is detail to ours.
func (l *logger) Infof(format string, args ...any) {
	if format == rewriting && l.check != nil && len(args) == 1 {
		if file, ok := args[0].(uint32); ok {
			l.checked.Add(1)
			if err := l.check(file); err != nil {
				panic(refused{err})
			}
		}
	}
	l.print(slog.LevelDebug, format, args)
}

// Debugf implements badger.Logger.
func (l *logger) Debugf(format string, args ...any) { l.print(slog.LevelDebug-4, format, args) }

// refused is what Badger is made to give up the rewriting of a file with.
type refused struct{ err error }
