// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/exported"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// taken is an export that was taken.
type taken struct {
	since, to exported.Mark
	ops       []store.Op
}

// take exports an index, as of now, from a mark on.
func take(t *testing.T, ix *Index, since exported.Mark) taken {
	t.Helper()
	e, err := ix.Export()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.CheckSince(since); err != nil {
		t.Fatal(err)
	}
	x := taken{since: since, to: e.Mark()}
	err = e.Each(t.Context(), since.Generation, func(key, value []byte) error {
		x.ops = append(x.ops, store.Op{Key: slices.Clone(key), Value: slices.Clone(value)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// bring imports exports one after the other.
func bring(s store.Store, exports ...taken) error {
	im := exported.New(s, 7)
	for _, x := range exports {
		if err := im.Begin(x.since, x.to); err != nil {
			return err
		}
		for _, op := range x.ops {
			if err := im.Put(op.Key, op.Value); err != nil {
				return err
			}
		}
		if err := im.End(); err != nil {
			return err
		}
	}
	return nil
}

// TestExportGroups exports an index whose log has commits in groups. It makes a full export and two
// increments, in both versions of the log. The import has all commits, and of the log only what the
// last export has.
func TestExportGroups(t *testing.T) {
	for name, old := range map[string]bool{"version 2": false, "version 1 to begin with": true} {
		t.Run(name, func(t *testing.T) {
			s := memstore.New()
			config := testConfig(t, 16<<20)
			config.Retention = Retention{}
			ix := open(t, s, config)
			commitTogether(t, ix, 0, 10)
			commitTogether(t, ix, 10, 20)
			if old {
				ix.Close()
				oldLog(t, s)
				ix = open(t, s, config)
			}
			defer ix.Close()
			full := take(t, ix, exported.Mark{})
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			commitTogether(t, ix, 20, 30)
			first := take(t, ix, full.to)
			commitTogether(t, ix, 30, 40)
			second := take(t, ix, first.to)
			if second.to.Sequence != 40 || second.to.Flushed != 20 || second.to.Tail == 0 {
				t.Errorf("got %+v, want commit 40 at the end of a log entry, and 20 in pages", second.to)
			}
			for n, exports := range map[int][]taken{20: {full}, 30: {full, first}, 40: {full, first, second}} {
				into := memstore.New()
				if err := bring(into, exports...); err != nil {
					t.Fatal(err)
				}
				want := n - int(exports[len(exports)-1].to.Flushed)
				if commits, _ := logged(t, into); commits != want {
					t.Errorf("%d exports: got %d commits in the log, want %d", len(exports), commits, want)
				}
				back := open(t, into, config)
				acknowledged := map[int]bool{}
				for i := range n {
					acknowledged[i] = true
				}
				checkNumbered(t, back, acknowledged, nil, n)
				if err := back.Verify(t.Context(), nil); err != nil {
					t.Error(err)
				}
				back.Close()
			}
			// The same commits in other entries, as no index has them.
			other := second
			key := format.AppendLogKey(nil, 7, 40)
			last := slices.IndexFunc(other.ops, func(op store.Op) bool { return string(op.Key) == string(key) })
			commits, err := decodeAll(key, other.ops[last].Value)
			if err != nil {
				t.Fatal(err)
			}
			other.ops = slices.Clone(other.ops)
			other.ops[last].Value = encodeAll(key, commits[1:]...)
			if err := bring(memstore.New(), full, first, other); !errors.Is(err, model.ErrCorrupt) {
				t.Errorf("a commit is missing: got %v, want ErrCorrupt", err)
			}
			other.ops[last].Value = encodeAll(key, append([]*wal.Entry{{}}, commits...)...)
			if err := bring(memstore.New(), full, first, other); !errors.Is(err, model.ErrCorrupt) {
				t.Errorf("a commit twice: got %v, want ErrCorrupt", err)
			}
		})
	}
}

// TestExportWhileCommitsWait exports an index whose commits are acknowledged before they are
// written: it ends with those, and not within the entry that they share.
func TestExportWhileCommitsWait(t *testing.T) {
	config := testConfig(t, 16<<20)
	config.SyncEvery = time.Hour
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	commitNumbered(t, ix, 0, 7)
	x := take(t, ix, exported.Mark{})
	commitNumbered(t, ix, 7, 9)
	y := take(t, ix, x.to)
	if x.to.Sequence != 7 || y.to.Sequence != 9 || x.to.Tail == 0 || y.to.Tail == 0 {
		t.Errorf("got %+v and %+v, want the commits 7 and 9, each at the end of a log entry", x.to, y.to)
	}
	if err := bring(memstore.New(), x, y); err != nil {
		t.Error(err)
	}
}
