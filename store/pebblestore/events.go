// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// logger passes the engine's remarks on to slog. It implements pebble.Logger.
type logger struct{ *Store }

func (l logger) print(level slog.Level, format string, args []any) {
	if to := l.options.Logger; to.Enabled(context.Background(), level) {
		to.Log(context.Background(), level, "pebble: "+firstLine(fmt.Sprintf(format, args...)))
	}
}

func (l logger) Infof(format string, args ...any)  { l.print(slog.LevelDebug, format, args) }
func (l logger) Errorf(format string, args ...any) { l.print(slog.LevelError, format, args) }

// Fatalf does not return, as the engine relies on. It may hold locks that must not be let go: the
// goroutine stays here.
func (l logger) Fatalf(format string, args ...any) {
	l.Errorf(format, args...)
	_ = l.line.Fail(errors.New(firstLine(fmt.Sprintf(format, args...))))
	select {}
}

// firstLine returns what the engine says, without the stack behind it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// listener returns what hears of the work of the engine in the background. It is called with the
// engine's locks held, and must not call it.
func (s *Store) listener() *pebble.EventListener {
	log := logger{s}
	return &pebble.EventListener{
		BackgroundError: func(err error) {
			if errors.Is(err, errEnding) {
				log.Infof("in the background: %s", err)
				return
			}
			log.Errorf("in the background: %s", err)
			if !groupcommit.IsFull(err) {
				s.disk.stuck.Store(&err)
				s.disk.pause.Store(int64(stuckPause))
				s.failIfStuck()
			}
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) { log.Errorf("%s", info.Details) },
		FlushEnd: func(info pebble.FlushInfo) {
			log.Infof("%s", info)
			if info.Err == nil || info.Err.Error() == "pebble: empty table" { // nothing was left to be written
				s.trouble.Store(nil)
			} else {
				s.trouble.Store(&info.Err)
			}
		},
		CompactionEnd: func(info pebble.CompactionInfo) {
			log.Infof("%s", info)
			if info.Err == nil {
				s.disk.stuck.Store(nil)
			}
		},
		WriteStallBegin: func(pebble.WriteStallBeginInfo) {
			ended := make(chan struct{})
			s.stalled.Store(&ended)
			s.failIfStuck()
		},
		WriteStallEnd: func() {
			if ended := s.stalled.Swap(nil); ended != nil {
				close(*ended)
			}
		},
	}
}

// failIfStuck ends writing when writers wait for merges that fail, which may be for ever: of
// damaged tables no merge comes to its end.
func (s *Store) failIfStuck() {
	if err := s.disk.stuck.Load(); err != nil && s.stalled.Load() != nil && !s.disk.opening.Load() {
		_ = s.line.Fail(fmt.Errorf("writers wait for a merge that fails: %w", engineError(*err)))
	}
}

// engineError returns an error of the engine as one of ours: in one line, and store.ErrCorrupt when
// it is about damage.
func engineError(err error) error {
	if errors.Is(err, store.ErrCorrupt) || !pebble.IsCorruptionError(err) {
		return err
	}
	return fmt.Errorf("%w: %s", store.ErrCorrupt, firstLine(err.Error()))
}
