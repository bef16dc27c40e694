// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// testDescriptors leaves the process no number for another open file.
func testDescriptors(t *testing.T, open Opener) {
	dir := inChild(t)
	if dir == "" {
		return
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	take := func() error {
		f, err := os.Open(os.DevNull) // the first number that is free
		if err != nil {
			return err
		}
		defer f.Close()
		return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(f.Fd()), Max: before.Max})
	}
	starve(t, open, dir, take, func() error { return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) })
}

// testSmallDisk fills a disk that is made for the test.
func testSmallDisk(t *testing.T, open Opener, options string, fill func(dir string) (func() error, error)) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be made here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	var free func() error
	take := func() (err error) {
		free, err = fill(dir)
		return err
	}
	starve(t, open, dir, take, func() error { return free() })
}

// testForbidden takes the folder of an open store from its user, who is not the superuser.
func testForbidden(t *testing.T, open Opener) {
	dir := inChild(t)
	if dir == "" {
		return
	}
	if os.Getuid() == 0 {
		const nobody = 65534
		err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chown(dir, nobody, nobody), syscall.Setgid(nobody),
			syscall.Setuid(nobody))
		if err != nil {
			t.Skipf("the superuser cannot become somebody else here: %v", err)
		}
	}
	db := filepath.Join(dir, "db")
	l := mustOpen(t, open, db)
	if _, err := l.write(4, time.Minute); err != nil || l.acked == 0 {
		t.Fatalf("%d batches, then %v", l.acked, err)
	}
	if err := os.Chmod(db, 0); err != nil {
		t.Fatal(err)
	}
	waiting, err := l.write(160, 2*noticed)
	if !errors.Is(err, fs.ErrPermission) || waiting != nil {
		t.Errorf("got %v (waiting: %v), want %v", err, waiting != nil, fs.ErrPermission)
	}
	l.check(t, "readers", fs.ErrPermission)
	if err := l.close(t, closeAnyhow); err == nil || !strings.Contains(err.Error(), "acknowledged") {
		t.Errorf("Close: got %v, want what is on the disk", err)
	}
	if _, err := open(db); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "Try:") {
		t.Errorf("opening it: got %v, want %v and advice", err, fs.ErrPermission)
	}
	if err := os.Chmod(db, 0o500); err != nil {
		t.Fatal(err)
	}
	if s, err := open(db); err == nil { // whose engine needs no other file
		l.store = s
		l.check(t, "opened in a folder that cannot be written")
		_ = l.close(t, closeAnyhow)
	} else if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "Try:") {
		t.Errorf("opening it in a folder that cannot be written: got %v, want %v and advice", err, fs.ErrPermission)
	}
	if err := os.Chmod(db, 0o700); err != nil {
		t.Fatal(err)
	}
	l.reopen(t, open, db)
}
