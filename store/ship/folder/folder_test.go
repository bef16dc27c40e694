// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package folder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/folder"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

func open(t *testing.T, dir string) *folder.Engine {
	t.Helper()
	e, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConformance(t *testing.T) {
	shiptest.RunEngine(t, func(t *testing.T) ship.Engine { return open(t, t.TempDir()+"/new/folder") })
}

// childFolder tells the program that it is one of the processes of TestProcesses.
const childFolder = "UPROAR_TEST_FOLDER"

const raceNames = 300

func TestMain(m *testing.M) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		os.Exit(m.Run())
	}
	e, err := folder.Open(dir)
	if err != nil {
		panic(err)
	}
	for i := range raceNames {
		err := e.Create(context.Background(), fmt.Sprintf("race/%d/%d", i%3, i), fmt.Appendf(nil, "of %d", os.Getpid()))
		switch {
		case err == nil:
			fmt.Println(i, os.Getpid())
		case !errors.Is(err, ship.ErrExists):
			panic(err)
		}
	}
}

// TestProcesses: of several processes exactly one creates each object.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var children []*exec.Cmd
	outputs := make([]bytes.Buffer, 4)
	for i := range outputs {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFolder+"="+dir)
		c.Stdout, c.Stderr = &outputs[i], os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	winners := make(map[string]string)
	for i, c := range children {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(outputs[i].String()) {
			name, pid, _ := strings.Cut(strings.TrimSpace(line), " ")
			if winners[name] != "" {
				t.Errorf("object %s: both %s and %s created it", name, winners[name], pid)
			}
			winners[name] = pid
		}
	}
	e := open(t, dir)
	for i := range raceNames {
		want := "of " + winners[fmt.Sprint(i)]
		if got, err := e.Get(t.Context(), fmt.Sprintf("race/%d/%d", i%3, i)); err != nil || string(got) != want {
			t.Fatalf("object %d: got %q, %v; want %q", i, got, err, want)
		}
	}
	if left := names(t, filepath.Join(dir, ".writing")); len(left) > 0 {
		t.Errorf("files left beside: %q", left)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestReopened: objects are there for the next process, and what a killed one left is removed when
// it is old.
func TestReopened(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Create(t.Context(), "log/1", []byte("one")); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old": 2 * time.Hour, "new": 0} {
		file := filepath.Join(dir, ".writing", name)
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	e := open(t, dir)
	if got, err := e.Get(t.Context(), "log/1"); err != nil || string(got) != "one" {
		t.Errorf("Get after reopening: got %q, %v", got, err)
	}
	if got := names(t, filepath.Join(dir, ".writing")); !slices.Equal(got, []string{"new"}) {
		t.Errorf("files beside: got %q, want the new one", got)
	}
}

// TestForeign: what is no object of ours is not shown, and is an error where it is in the way.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	large, err := os.Create(filepath.Join(dir, "large"))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(large.Truncate(ship.MaxObject+1), large.Close(), os.Mkdir(filepath.Join(dir, "made"), 0o755),
		os.WriteFile(filepath.Join(dir, "a b"), nil, 0o644), os.Symlink("large", filepath.Join(dir, "link")),
		os.WriteFile(filepath.Join(dir, "made", ".DS_Store"), nil, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, err := range e.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name)
	}
	if !slices.Equal(got, []string{"large"}) {
		t.Errorf("List: got %q, want the one name that is one", got)
	}
	if _, err := e.Get(t.Context(), "large"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Get of a file that is too large: got %v, want an error", err)
	}
	if err := e.Create(t.Context(), "made", nil); err == nil || errors.Is(err, ship.ErrExists) {
		t.Errorf("Create of a name that is a folder: got %v, want an error that says so", err)
	}
	if err := e.Create(t.Context(), "large/below", nil); err == nil || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Create below an object: got %v, want an error for ever", err)
	}
}

// TestEmptyFolders: folders of objects that are gone go too, but for the first level.
func TestEmptyFolders(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	for _, name := range []string{"ckpt/1/a", "ckpt/1/b/c", "ckpt/2/a"} {
		if err := e.Create(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ckpt/1/b/c", "ckpt/1/a"} {
		if err := e.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t, filepath.Join(dir, "ckpt")); !slices.Equal(got, []string{"2"}) {
		t.Errorf("folders: got %q, want 2 only", got)
	}
	if err := e.Delete(t.Context(), "ckpt/2/a"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{".writing", "ckpt"}) {
		t.Errorf("folders: got %q", got)
	}
	if err := e.Create(t.Context(), "ckpt/1/a", nil); err != nil {
		t.Errorf("Create in a folder that was removed: %v", err)
	}
}
