// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// powerCuts is how often the power is cut in a round, each time beside the process, which goes on.
const powerCuts = 3

// powerDisk records what the engine writes, and forgets at a power cut what was not synced.
//
// The engine's own order is relied on: pages, a sync, the root, a sync.
type powerDisk struct {
	mu      sync.Mutex
	durable []byte
	writes  []powerWrite // since the last sync
	mark    string       // the path of the mark, which is never synced
	marks   [][]byte     // what was seen of it: any of them may be on the disk
	wait    int          // writes until the next cut
	cuts    func() int   // cuts, and returns how many writes until the next one
}

type powerWrite struct {
	content []byte
	offset  int64
}

// writeHook returns the place of the function that an engine writes its file by.
func writeHook(e *engine) *func([]byte, int64) (int, error) {
	hook := reflect.ValueOf(e.db).Elem().FieldByName("ops").FieldByName("writeAt")
	return (*func([]byte, int64) (int, error))(unsafe.Pointer(hook.UnsafeAddr()))
}

// attach has an engine write through the disk. It need not sync then, which takes time.
func (d *powerDisk) attach(e *engine) error {
	content, err := os.ReadFile(e.file.Name())
	d.durable = content
	e.db.NoSync = true
	hook := writeHook(e)
	write := *hook
	*hook = func(b []byte, offset int64) (int, error) {
		d.mu.Lock()
		root := offset < 2*pageSize
		if root || len(d.writes) == 1 && d.writes[0].offset < 2*pageSize {
			d.synced()
		}
		d.writes = append(d.writes, powerWrite{slices.Clone(b), offset})
		if d.wait--; d.wait < 0 || root && d.wait%8 == 0 { // which is rare, and of interest
			d.wait = d.cuts()
		}
		d.mu.Unlock()
		return write(b, offset)
	}
	return err
}

// synced makes all writes durable.
func (d *powerDisk) synced() {
	for _, w := range d.writes {
		d.durable = overwrite(d.durable, w.content, w.offset)
	}
	d.writes = nil
}

func overwrite(to, content []byte, offset int64) []byte {
	if end := int(offset) + len(content); end > len(to) {
		to = append(to, make([]byte, end-len(to))...)
	}
	copy(to[offset:], content)
	return to
}

// cut leaves in dir what a power cut leaves now: of what was not synced each 4 KB by itself, whole,
// in part or not at all.
func (d *powerDisk) cut(dir string, rng *rand.Rand) error {
	left := slices.Clone(d.durable)
	percent := []int{0, 20, 50, 80, 100}[rng.IntN(5)]
	for _, w := range d.writes {
		for at := 0; at < len(w.content); at += 4096 {
			part := w.content[at:min(at+4096, len(w.content))]
			if w.offset < 2*pageSize || rng.IntN(8) == 0 {
				part = part[:rng.IntN(min(len(part), 128))] // a torn page
			}
			if rng.IntN(100) < percent {
				left = overwrite(left, part, w.offset+int64(at))
			}
		}
	}
	mark, err := os.ReadFile(d.mark)
	d.marks = append(d.marks, mark)
	if rng.IntN(2) == 0 {
		mark = d.marks[rng.IntN(len(d.marks))]
	}
	path := filepath.Join(dir, FileName)
	return errors.Join(err, os.MkdirAll(dir, 0o700), os.WriteFile(path, left, 0o600),
		os.WriteFile(path+markSuffix, mark, 0o600))
}

// TestPowerCut has writers on a disk that at a power cut forgets what was not synced. Every
// acknowledged batch is found again, none is torn, and no power cut is taken for damage.
// UPROAR_POWERCUTS says how many.
func TestPowerCut(t *testing.T) {
	cuts := storetest.Times(t, "UPROAR_POWERCUTS", 6, 15, 300)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	total, torn := 0, 0
	for round := range (cuts + powerCuts - 1) / powerCuts {
		base := t.TempDir()
		dirs, acked := runUntilPowerCut(t, base, rng)
		for i, dir := range dirs {
			roots, err := readMetas(mustOpenFile(t, filepath.Join(dir, FileName)))
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			torn += 2 - len(roots)
			for _, n := range acked[i] {
				total += n
			}
			s, err := Open(dir, nil)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			for w := range crashWriters {
				if last, err := crashState(s, w); err != nil || last < acked[i][w] {
					t.Fatalf("round %d, writer %d: the store ends at batch %d, %d was acknowledged: %v", round, w, last,
						acked[i][w], err)
				}
			}
			if err := errors.Join(s.Verify(t.Context()), s.Close()); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if err := os.RemoveAll(base); err != nil {
			t.Fatal(err)
		}
	}
	if total < cuts {
		t.Errorf("%d batches before %d cuts: the power is cut before much is written", total, cuts)
	}
	t.Logf("%d batches before %d cuts, %d torn roots", total, cuts, torn)
}

// runUntilPowerCut writes, and leaves in some folders what power cuts leave. It returns the last
// batch of each writer that was acknowledged before each.
func runUntilPowerCut(t *testing.T, base string, rng *rand.Rand) (dirs []string, acked [][crashWriters]int) {
	t.Helper()
	living := filepath.Join(base, "db")
	s, err := Open(living, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &powerDisk{mark: s.path + markSuffix, marks: [][]byte{nil}}
	var counts [crashWriters]atomic.Int64
	s.reached = func(at milestone) error {
		if at == commitSynced {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.synced()
		}
		return nil
	}
	if err := d.attach(s.engine.Load()); err != nil {
		t.Fatal(err)
	}
	var cut atomic.Bool
	enough := make(chan struct{})
	d.mu.Lock()
	d.wait = rng.IntN(100)
	d.cuts = func() int { // at any write of a commit
		if len(dirs) == powerCuts {
			return 1 << 30
		}
		var before [crashWriters]int
		for w := range before {
			before[w] = int(counts[w].Load())
		}
		dirs, acked = append(dirs, fmt.Sprint(living, len(dirs))), append(acked, before)
		if err := d.cut(dirs[len(dirs)-1], rng); err != nil {
			t.Error(err)
		}
		if len(dirs) == powerCuts {
			close(enough)
		}
		return rng.IntN(200)
	}
	d.mu.Unlock()
	var writers sync.WaitGroup
	for w := range crashWriters {
		writers.Go(func() {
			for n := 1; !cut.Load(); n++ {
				b := new(store.Batch)
				for i := range crashGroup {
					b.Put(crashKey(w, i), crashValue(n, i))
				}
				b.Put(crashLog(w, n), nil)
				b.Delete(crashLog(w, n-20))
				if err := s.Apply(b, w > 0); err != nil {
					t.Error(err)
					return
				}
				counts[w].Store(int64(n))
			}
		})
	}
	<-enough
	cut.Store(true)
	writers.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dirs, acked
}
