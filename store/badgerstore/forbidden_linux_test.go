// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/uproar-db/uproar/store/badgerstore"
)

// TestForbidden opens a store in a folder that this user may not write to: the error is ours, and
// says what can be done. For reading only it opens.
func TestForbidden(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "db")
	s := open(t, dir)
	check := fill(t, s, 100)
	closeStore(t, s)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		mode := fs.FileMode(0o444)
		if d.IsDir() {
			mode = 0o555
		}
		return errors.Join(err, os.Chmod(path, mode))
	})
	if err = errors.Join(err, os.Chmod(filepath.Dir(top), 0o755)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755) // to be removed
	defer os.Chmod(top, 0o755)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if os.Geteuid() == 0 { // who may write everywhere: so this thread becomes nobody where files are concerned
			runtime.LockOSThread() // it ends with this goroutine, because it is not unlocked
			if err := syscall.Setfsuid(65534); err != nil {
				t.Logf("root, and not able to be another: %v", err)
				return
			}
		}
		for _, folder := range []string{dir, filepath.Join(dir, "new")} {
			_, err := badgerstore.Open(folder, nil)
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(),
				"badgerstore: open "+folder+" for writing: ") || !strings.Contains(err.Error(), "Try:") {
				t.Errorf("got %v, want %v, the folder and advice", err, fs.ErrPermission)
			}
		}
		reading, err := badgerstore.Open(dir, &badgerstore.Options{ReadOnly: true})
		if err != nil {
			t.Error(err)
			return
		}
		if err := reading.Close(); err != nil {
			t.Error(err)
		}
	}()
	<-ended
	reading, err := badgerstore.Open(dir, &badgerstore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	check(t, reading)
	closeStore(t, reading)
}

// TestProbeOfAnother opens a folder in which another user's process was killed. It was looking
// whether it may make files there. The folder's owner may remove that file, though not write to it.
func TestProbeOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	const nobody = 65534
	dir := filepath.Join(t.TempDir(), "db")
	probe := filepath.Join(dir, badgerstore.ProbeName)
	err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(probe, nil, 0o600), os.Chown(dir, nobody, nobody))
	for top := filepath.Dir(dir); err == nil && top != filepath.Dir(top); top = filepath.Dir(top) {
		if info, err := os.Stat(top); err != nil || info.Mode().Perm()&0o005 == 0o005 {
			continue
		}
		err = os.Chmod(top, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	opened := make(chan error)
	go func() {
		runtime.LockOSThread() // it ends with this goroutine, because it is not unlocked
		if err := syscall.Setfsuid(nobody); err != nil {
			t.Logf("root, and not able to be another: %v", err)
			opened <- nil
			return
		}
		s, err := badgerstore.Open(dir, nil)
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	if err := <-opened; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file that was left behind: got %v, want %v", err, fs.ErrNotExist)
	}
}
