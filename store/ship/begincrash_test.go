// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/folder"
)

// beginCrash is set in the children of TestBeginCrash: the folder of all, and the object after
// which to die.
const beginCrash = "UPROAR_TEST_BEGIN"

// deadly is an engine whose process is killed when it has created an object.
type deadly struct {
	ship.Engine
	after string // its name begins so
}

func (d *deadly) Create(ctx context.Context, name string, data []byte) error {
	err := d.Engine.Create(ctx, name, data)
	if err == nil && strings.HasPrefix(name, d.after) {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		panic(fmt.Sprint("still alive: ", err))
	}
	return err
}

// TestBeginCrashChild is a child of TestBeginCrash. It dies while its database becomes the
// beginning of a log.
func TestBeginCrashChild(t *testing.T) {
	dir, after, ok := strings.Cut(os.Getenv(beginCrash), "|")
	if !ok {
		t.Skip("runs as a child of TestBeginCrash")
	}
	e, err := folder.Open(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	local := pebble(t, filepath.Join(dir, "first"))
	if err := local.Apply(put("mine", "old"), true); err != nil {
		t.Fatal(err)
	}
	_, err = ship.Open(t.Context(), local, &deadly{e, after}, quick(ship.Auto, "first"))
	t.Fatalf("it lives: %v", err)
}

// TestBeginCrash kills a process whose database becomes the beginning of a log, after each object
// that it creates. Opened again it goes on, also if another node has led meanwhile.
func TestBeginCrash(t *testing.T) {
	for _, c := range []struct {
		after string
		other bool // another node begins, and leads
	}{
		{"log.json", false}, {"log/00000000000000000001", false}, {"blocks/", false}, {"checkpoint/", false},
		{"log/00000000000000000002", false}, {"checkpoint/", true}, {"log/00000000000000000002", true},
	} {
		t.Run(fmt.Sprint(filepath.Base(c.after), ", another has led: ", c.other), func(t *testing.T) {
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestBeginCrashChild$")
			child.Env = append(os.Environ(), beginCrash+"="+dir+"|"+c.after)
			if out, err := child.CombinedOutput(); err == nil || strings.Contains(string(out), "FAIL") {
				t.Fatalf("the child: got %v, want that it is killed: %s", err, out)
			}
			at := func(name string) *ship.Store {
				e, err := folder.Open(filepath.Join(dir, "log"))
				if err != nil {
					t.Fatal(err)
				}
				s := open(t, pebble(t, filepath.Join(dir, name)), e, quick(ship.Auto, name))
				s.Watch(follower{})
				t.Cleanup(func() { _ = s.Close() })
				return s
			}
			want := 2
			if c.other {
				other := at("other")
				await(t, "the other leads", func() bool { return other.Status().Leads })
				if err := other.Apply(put("other", "new"), true); err != nil {
					t.Fatal(err)
				}
				want += 2
			}
			first := at("first")
			await(t, "it follows or leads", func() bool { return len(content(t, first)) == want })
			if !c.other {
				await(t, "it leads", func() bool { return first.Status().Leads })
				if err := first.Apply(put("more", "new"), true); err != nil {
					t.Fatal(err)
				}
				want += 2
			}
			if got := len(awaitEqual(t, first, at("third"))); got != want {
				t.Errorf("got %d entries, want %d", got, want)
			}
		})
	}
	// What another database writes into the folder meanwhile is not of the log.
	dir := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestBeginCrashChild$")
	child.Env = append(os.Environ(), beginCrash+"="+dir+"|checkpoint/")
	_ = child.Run()
	local, err := pebblestore.Open(filepath.Join(dir, "first"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	var b store.Batch
	b.Put([]byte("else"), []byte("x"))
	if err := local.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	e, err := folder.Open(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ship.Open(t.Context(), local, e, quick(ship.Auto, "first")); !errors.Is(err, ship.ErrNotEmpty) {
		t.Errorf("a folder that was written to meanwhile: got %v, want ErrNotEmpty", err)
	}
}
