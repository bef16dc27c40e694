// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// A run goes on with what an earlier one has left: entries get new keys, pages are not made again.
func TestReuse(t *testing.T) {
	for _, change := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Sorted, o.Writers = true, 1 },
		func(o *Options) { o.Mode, o.ValueBytes = Pages, 500 },
	} {
		o := tiny(t, Entries)
		change(&o)
		want := int64(0)
		for i := range int64(3) {
			o.Count = 300 + i
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Found != want {
				t.Errorf("%s, run %d: found %d, want %d", o.Mode, i, r.Found, want)
			}
			if want += o.Count; o.Mode == Pages {
				want = int64(o.Pages)
			}
			if r.Disk.Live != want*int64(o.KeyBytes+o.ValueBytes) {
				t.Errorf("%s, run %d: got %d bytes alive, want %d entries", o.Mode, i, r.Disk.Live, want)
			}
		}
		if o.Mode == Entries {
			o.Seed += 1 << 40
			if _, err := Run(t.Context(), o); !o.Sorted && !errors.Is(err, errOther) {
				t.Errorf("another seed: got %v, want %v", err, errOther)
			}
		}
	}
}

// The store compacts itself when it is told to, by batches and by time.
func TestCompactEvery(t *testing.T) {
	for _, every := range []Compaction{{Batches: 2}, {Every: time.Millisecond}} {
		o := tiny(t, Entries)
		o.Compact, o.Writers = every, 1
		r, err := Run(t.Context(), o)
		if err != nil || r.Engine.Compactions == 0 || r.Engine.Compacting <= 0 {
			t.Errorf("%+v: got %d compactions, %v", every, r.Engine.Compactions, err)
		}
	}
	o := tiny(t, Entries)
	o.Open = func(string) (store.Store, error) { return struct{ store.Store }{memstore.New()}, nil }
	o.Compact.Batches = 1
	if _, err := Run(t.Context(), o); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a store without that power: got %v, want %v", err, errors.ErrUnsupported)
	}
}
