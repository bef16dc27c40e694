// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// engines are those whose files are damaged: how a store is made, and opened for a salvage.
var engines = map[string]struct {
	open    func(dir string) (store.Store, error)
	salvage func(dir string) (s store.Store, lost, err error)
}{
	"bbolt": {
		func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) },
		func(dir string) (store.Store, error, error) {
			s, err := bboltstore.Open(dir, &bboltstore.Options{Salvage: true})
			if err != nil {
				return nil, nil, err
			}
			return s, s.Lost(), nil
		},
	},
	"pebble": {
		func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) },
		func(dir string) (store.Store, error, error) {
			s, err := pebblestore.Open(dir, &pebblestore.Options{Salvage: true})
			if err != nil {
				return nil, nil, err
			}
			return s, s.Lost(), nil
		},
	},
}

// TestCopyDamagedFiles flips a bit of a file at a time.
func TestCopyDamagedFiles(t *testing.T) {
	flips, records := 6, 2000
	if testing.Short() {
		flips, records = 3, 500
	}
	if os.Getenv("UPROAR_LONG") != "" {
		flips, records = 300, 12_000
	}
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := engine.open(dir)
			must(t, err)
			w := fill(t, kept{s}, records, 4)
			o := newOriginal(t, s, w)
			o.allowed = w.ever // older states may come back with a log that is cut
			must(t, s.Close())
			rng, refused := rand.New(rand.NewPCG(5, 5)), 0
			for range flips {
				damaged, where := flipFile(t, rng, dir)
				if !copyFolder(t, o, damaged, where, engine.salvage) {
					refused++
				}
			}
			t.Logf("%d of %d flips were refused", refused, flips)
		})
	}
}

// copyFolder salvages a folder and judges what comes of it. ok is false when it was refused.
func copyFolder(t *testing.T, o *original, dir, where string,
	open func(dir string) (store.Store, error, error)) (ok bool) {
	t.Helper()
	before := filesOf(t, dir)
	s, lost, err := open(dir)
	if err != nil {
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: open: got %v, want a store or ErrCorrupt", where, err)
		}
		t.Logf("%s: %v", where, err)
		return false
	}
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	defer db.Close()
	report, err := Copy(t.Context(), s, db, Options{Found: lost})
	must(t, s.Close())
	if after := filesOf(t, dir); strings.Join(after, "|") != strings.Join(before, "|") {
		t.Errorf("%s: the damaged folder has changed", where)
	}
	if err != nil {
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: copy: got %v, want a copy or ErrCorrupt", where, err)
		}
		t.Logf("%s: %v", where, err)
		return false
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Errorf("%s: verify of the new database: got %v, want nil", where, err)
	}
	t.Logf("%s: %+v", where, report.Indexes[0])
	if report.Indexes[0].Failure != "" || len(report.Notes) > 0 {
		return true
	}
	judge(t, o, report, all(t, db))
	return true
}

// TestCopyUnopened takes what an engine needs to open its files: a salvage copies what it says,
// or is refused with what to do. It makes nothing up, and changes nothing.
func TestCopyUnopened(t *testing.T) {
	remove := func(pattern string) func(dir string) error {
		return func(dir string) error {
			names, err := filepath.Glob(filepath.Join(dir, pattern))
			for _, name := range names {
				err = errors.Join(err, os.Remove(name))
			}
			return err
		}
	}
	write := func(name string, at int64, n int) func(dir string) error {
		return func(dir string) error {
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt(bytes.Repeat([]byte{0xA5}, n), at)
			return errors.Join(err, f.Close())
		}
	}
	for _, c := range []struct {
		engine, what string
		damage       func(dir string) error
	}{
		{"bbolt", "both roots", write(bboltstore.FileName, 0, 8192)},
		{"bbolt", "one root", write(bboltstore.FileName, 0, 4096)},
		{"bbolt", "cut", func(dir string) error {
			return os.Truncate(filepath.Join(dir, bboltstore.FileName), 64<<10)
		}},
		{"bbolt", "empty", func(dir string) error { return os.Truncate(filepath.Join(dir, bboltstore.FileName), 0) }},
		{"bbolt", "mark", write(bboltstore.FileName+".mark", 0, 12)},
		{"pebble", "manifest gone", remove("MANIFEST-*")},
		{"pebble", "marker gone", remove("marker.manifest*")},
		{"pebble", "tables gone", remove("*.sst")},
		{"pebble", "logs gone", remove("*.log")},
		{"pebble", "mark", write(pebblestore.FileName, 0, 20)},
	} {
		t.Run(c.engine+" "+c.what, func(t *testing.T) {
			dir, engine := t.TempDir(), engines[c.engine]
			s, err := engine.open(dir)
			must(t, err)
			w := fill(t, kept{s}, 500, 4)
			o := newOriginal(t, s, w)
			o.allowed = w.ever
			must(t, s.Close())
			must(t, c.damage(dir))
			_, _, err = engine.salvage(filepath.Join(dir, "none"))
			if err == nil {
				t.Error("a folder that is not there: got no error")
			}
			opened, _, err := engine.salvage(dir)
			if err == nil {
				must(t, opened.Close())
			} else if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try: restore a backup") {
				t.Errorf("got %v, want %v and advice", err, store.ErrCorrupt)
			}
			t.Logf("copied: %v", copyFolder(t, o, dir, c.what, engine.salvage))
		})
	}
}

// filesOf returns names and contents of the files of a folder.
func filesOf(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		out = append(out, e.Name(), string(content))
	}
	return out
}

// flipFile copies a folder and flips a bit of one of its files, by their sizes.
func flipFile(t *testing.T, rng *rand.Rand, dir string) (damaged, where string) {
	t.Helper()
	files, size := filesOf(t, dir), 0
	for i := 1; i < len(files); i += 2 {
		size += len(files[i])
	}
	damaged = t.TempDir()
	at := rng.IntN(size)
	for i := 0; i < len(files); i += 2 {
		content := []byte(files[i+1])
		if at >= 0 && at < len(content) {
			where = files[i] + " at " + Span{uint64(at), uint64(at)}.String()
			content[at] ^= 1 << rng.IntN(8)
		}
		at -= len(content)
		must(t, os.WriteFile(filepath.Join(damaged, files[i]), content, 0o600))
	}
	return damaged, where
}
