// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
)

// told is a disk in memory, and what it has told its store.
type told struct {
	*Disk
	failure atomic.Pointer[error]
	moved   atomic.Pointer[error]
	fault   atomic.Pointer[error] // of every operation but the creation of files
}

func newTold(opened bool) *told {
	d := new(told)
	d.Disk = New(func(err error) error { d.failure.Store(&err); return err },
		func() error { return read(&d.moved) }, slog.New(slog.DiscardHandler))
	d.FS = vfs.NewMem()
	d.Fault = func(operation, _ string) error {
		if operation == "create" {
			return nil
		}
		return read(&d.fault)
	}
	if opened {
		d.Opened()
	}
	return d
}

// write writes a byte to a new file, and syncs it.
func (d *told) write(name string) error {
	f, err := d.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{1})
	return errors.Join(err, f.Sync())
}

// ends reports whether an operation ends in some time.
func ends(fn func() error) (error, bool) {
	done := make(chan error, 1)
	go func() { done <- fn() }()
	select {
	case err := <-done:
		return err, true
	case <-time.After(3 * RoomPause):
		return nil, false
	}
}

// TestFaults has writes fail: what the engine is told, what the store is told, and who waits.
func TestFaults(t *testing.T) {
	broken := errors.New("input/output error")
	for _, c := range []struct {
		name    string
		fault   error
		opened  bool
		returns bool
		tells   bool
	}{
		{"000001.sst", broken, true, true, false},
		{"000001.sst", syscall.ENOSPC, true, true, false},
		{"000001.log", broken, true, false, true},
		{"000001.log", syscall.ENOSPC, true, false, true}, // its sync is not tried again
		{"MANIFEST-000001", broken, true, false, true},
		{"000001.log", broken, false, true, true},
		{"000001.log", syscall.ENOSPC, false, true, true},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.fault, " ", c.opened), func(t *testing.T) {
			t.Parallel()
			d := newTold(c.opened)
			f, err := d.Create(c.name, vfs.WriteCategoryUnspecified)
			if err != nil {
				t.Fatal(err)
			}
			d.fault.Store(&c.fault)
			err, ended := ends(f.SyncData)
			if ended != c.returns || ended && !errors.Is(err, c.fault) {
				t.Errorf("got %v, ended %v, want the error returned: %v", err, ended, c.returns)
			}
			if got := read(&d.failure); (got != nil) != c.tells {
				t.Errorf("the store is told %v, want it told: %v", got, c.tells)
			}
		})
	}
}

// TestRoom has a log wait until there is room.
func TestRoom(t *testing.T) {
	d := newTold(true)
	f, err := d.Create("000007.log", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	full := error(syscall.ENOSPC)
	d.fault.Store(&full)
	done := make(chan error, 1)
	go func() {
		_, err := f.Write([]byte("entry"))
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("got %v, want to wait", err)
	case <-time.After(2 * RoomPause):
	}
	d.fault.Store(nil)
	if err := <-done; err != nil || read(&d.failure) != nil {
		t.Errorf("room again: got %v, and the store was told %v", err, read(&d.failure))
	}
	if err := f.Sync(); err != nil || d.SyncedLog() != 7 {
		t.Errorf("got %v, the log that was synced last is %d, want 7", err, d.SyncedLog())
	}
}

// TestEnds closes a disk, and gives it up: tables fail, then nothing is changed any more.
func TestEnds(t *testing.T) {
	d := newTold(true)
	away := errors.New("moved away")
	d.moved.Store(&away)
	if err := d.write("000001.sst"); !errors.Is(err, away) {
		t.Errorf("a table in a folder that was moved: got %v, want %v", err, away)
	}
	d.moved.Store(nil)
	d.End()
	if err := d.write("000002.sst"); err == nil {
		t.Error("a table was written while the store is closed")
	}
	if err := d.write("000003.log"); err != nil {
		t.Errorf("a log, while the store is closed: %v", err)
	}
	d.GiveUp()
	for name, change := range map[string]func() error{
		"create": func() error { return d.write("000004.log") },
		"remove": func() error { return d.Remove("000003.log") },
		"rename": func() error { return d.Rename("000003.log", "000005.log") },
	} {
		if err, ended := ends(change); ended {
			t.Errorf("%s after the disk was given up: got %v, want it to stay", name, err)
		}
	}
	if names, err := d.List(""); err != nil || !slices.Equal(names, []string{"000003.log"}) {
		t.Errorf("got files %q, %v, want the log as it was", names, err)
	}
}

// TestFiles: a log stays until there is a newer one, options are hidden, a missing table is damage.
func TestFiles(t *testing.T) {
	d := newTold(true)
	for _, name := range []string{"000001.log", "OPTIONS-000002"} {
		if f, err := d.FS.Create(name, vfs.WriteCategoryUnspecified); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	if err := d.Remove("000001.log"); err != nil {
		t.Error(err)
	}
	if names, err := d.List(""); err != nil || !slices.Equal(names, []string{"000001.log"}) {
		t.Errorf("got files %q, %v, want the log alone", names, err)
	}
	if err := errors.Join(d.write("000003.log"), d.Remove("000001.log")); err != nil {
		t.Error(err)
	}
	if names, err := d.List(""); err != nil || !slices.Equal(names, []string{"000003.log"}) {
		t.Errorf("got files %q, %v, want the newer log alone", names, err)
	}
	if _, err := d.Open("000004.sst"); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a missing table: got %v, want %v", err, store.ErrCorrupt)
	}
	if _, err := d.Open("000004.log"); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a missing log: got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestStuck tells of merges that fail while writers wait: the store fails, whatever comes first.
func TestStuck(t *testing.T) {
	broken, stall := errors.New("a bad block"), pebble.WriteStallBeginInfo{}
	for _, first := range []bool{false, true} {
		d := newTold(true)
		l := d.listener()
		if first {
			l.BackgroundError(broken)
		}
		l.WriteStallBegin(stall)
		if waits := d.Stall() != nil; !waits {
			t.Error("writers do not wait")
		}
		if !first {
			l.BackgroundError(syscall.ENOSPC)
			if read(&d.failure) != nil || d.Stuck() != nil {
				t.Errorf("got failure %v of a full disk, want to wait", read(&d.failure))
			}
			l.BackgroundError(broken)
		}
		if got := read(&d.failure); !errors.Is(got, broken) || d.Stuck() != broken {
			t.Errorf("got failure %v, stuck %v, want %v", got, d.Stuck(), broken)
		}
		ended := d.Stall()
		l.WriteStallEnd()
		if _, open := <-ended; open || d.Stall() != nil {
			t.Error("writers wait on")
		}
	}
	d := newTold(true)
	d.listener().FlushEnd(pebble.FlushInfo{Err: broken})
	if d.Trouble() != broken {
		t.Errorf("got %v, want %v", d.Trouble(), broken)
	}
	if d.listener().FlushEnd(pebble.FlushInfo{}); d.Trouble() != nil {
		t.Errorf("after a flush: got %v, want nil", d.Trouble())
	}
}

// TestShield makes errors of an engine's panic, and passes on one of the caller.
func TestShield(t *testing.T) {
	err := <-Start(func() error { panic("nonsense\nstack") })
	if !errors.Is(err, store.ErrCorrupt) || !strings.HasSuffix(err.Error(), ": nonsense") {
		t.Errorf("got %v, want %v in one line", err, store.ErrCorrupt)
	}
	defer func() {
		if recover() == nil {
			t.Error("the caller's panic was kept")
		}
	}()
	theirs := true
	defer Shield(&theirs, &err)
	panic("theirs")
}

// TestEndingIsNoError: what the engine gives up because it ends is no error of the log, and what
// fails otherwise is one.
func TestEndingIsNoError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool // an error is logged
	}{{fmt.Errorf("writing a table: %w", errEnding), false}, {syscall.EIO, true}} {
		var log strings.Builder
		d := New(func(err error) error { return err }, func() error { return nil },
			slog.New(slog.NewTextHandler(&log, nil)))
		d.listener().BackgroundError(c.err)
		if got := strings.Contains(log.String(), "ERROR"); got != c.want {
			t.Errorf("%v: logged %q, want an error: %v", c.err, log.String(), c.want)
		}
	}
}
