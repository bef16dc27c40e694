// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store/groupcommit"
)

// logger passes the engine's remarks on to slog. It implements pebble.Logger.
type logger struct{ *Disk }

func (l logger) print(level slog.Level, format string, args []any) {
	if l.log.Enabled(context.Background(), level) {
		l.log.Log(context.Background(), level, "pebble: "+FirstLine(fmt.Sprintf(format, args...)))
	}
}

func (l logger) Infof(format string, args ...any)  { l.print(slog.LevelDebug, format, args) }
func (l logger) Errorf(format string, args ...any) { l.print(slog.LevelError, format, args) }

// Fatalf does not return, as the engine relies on. It may hold locks that must not be let go: the
// goroutine stays here.
func (l logger) Fatalf(format string, args ...any) {
	l.Errorf(format, args...)
	_ = l.fail(errors.New(FirstLine(fmt.Sprintf(format, args...))))
	select {}
}

// listener returns what hears of the work of the engine in the background. It is called with the
// engine's locks held, and must not call it.
func (d *Disk) listener() *pebble.EventListener {
	log := logger{d}
	return &pebble.EventListener{
		BackgroundError: func(err error) {
			if errors.Is(err, errEnding) {
				log.Infof("in the background: %s", err)
				return
			}
			log.Errorf("in the background: %s", err)
			if !groupcommit.IsFull(err) {
				d.stuck.Store(&err)
				d.pause.Store(int64(stuckPause))
				d.failIfStuck()
			}
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) { log.Errorf("%s", info.Details) },
		FlushEnd: func(info pebble.FlushInfo) {
			log.Infof("%s", info)
			if info.Err == nil || info.Err.Error() == "pebble: empty table" { // nothing was left to be written
				d.trouble.Store(nil)
			} else {
				d.trouble.Store(&info.Err)
			}
		},
		CompactionEnd: func(info pebble.CompactionInfo) {
			log.Infof("%s", info)
			if info.Err == nil {
				d.stuck.Store(nil)
			}
		},
		WriteStallBegin: func(pebble.WriteStallBeginInfo) {
			ended := make(chan struct{})
			d.stalled.Store(&ended)
			d.failIfStuck()
		},
		WriteStallEnd: func() {
			if ended := d.stalled.Swap(nil); ended != nil {
				close(*ended)
			}
		},
	}
}

// failIfStuck ends writing when writers wait for merges that fail, which may be for ever: of
// damaged tables no merge comes to its end.
func (d *Disk) failIfStuck() {
	if err := d.stuck.Load(); err != nil && d.stalled.Load() != nil && d.opened.Load() {
		_ = d.fail(fmt.Errorf("writers wait for a merge that fails: %w", Error(*err)))
	}
}

// Trouble returns why the last flush has failed, which is tried again; nil: it has not.
func (d *Disk) Trouble() error { return read(&d.trouble) }

// Stuck returns why the last merge has failed, for no lack of room; nil: it has not.
func (d *Disk) Stuck() error { return read(&d.stuck) }

// Retry has Stuck tell of merges from now on only.
func (d *Disk) Retry() { d.stuck.Store(nil) }

func read(p *atomic.Pointer[error]) error {
	if err := p.Load(); err != nil {
		return *err
	}
	return nil
}

// Stall returns what is closed when writers need not wait any more for flushes and merges; nil:
// they do not wait.
func (d *Disk) Stall() <-chan struct{} {
	if stalled := d.stalled.Load(); stalled != nil {
		return *stalled
	}
	return nil
}
