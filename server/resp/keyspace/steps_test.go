// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// kept is a store that is not closed by who uses it.
type kept struct{ store.Store }

// Close does nothing.
func (kept) Close() error { return nil }

// TestEndedBetweenSteps: whenever the storing of a set in steps ends, the members that the key had
// before have their times as long as they are there.
func TestEndedBetweenSteps(t *testing.T) {
	const timed = pageOfMembers + 500
	for nth, whole := 1, false; !whole; nth++ {
		mem := kept{memstore.New()}
		faulty := storetest.NewFaulty(mem)
		db, err := uproar.Open(t.Context(), faulty, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), db, "redis", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.must(t, func(st *State) error { st.space.limits.times = manyTimed / 6; return nil })
		addTimed(t, s, "timed", timed)
		s.must(t, addTo("few", "a", "b"))
		s.holdLeft(t, true)
		faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: nth, Err: errors.New("killed")})
		whole = s.Do(t.Context(), again(func(st *State) error {
			two, err := st.Unite([]byte("few"))
			if err == nil {
				_, err = st.Store([]byte("timed"), two)
			}
			return err
		})) == nil
		s.Close()
		_ = db.Close()
		if db, err = uproar.Open(t.Context(), mem, nil); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(t.Context(), db, "redis", nil, nil); err != nil {
			t.Fatal(err)
		}
		old, without := 0, 0
		s.must(t, func(st *State) error {
			r, err := st.Row([]byte("timed"))
			if err != nil {
				return err
			}
			for i := range timed {
				member := []byte(fmt.Sprintf("%0120d", i))
				has, err := r.Has(member)
				if err != nil {
					return err
				}
				at, err := r.Expires(member)
				if err != nil {
					return err
				}
				if has {
					old++
				}
				if has && at == 0 {
					without++
				}
			}
			return nil
		})
		t.Logf("ended at write %d: %d members of before", nth, old)
		if without > 0 || whole && old > 0 {
			t.Errorf("ended at write %d: %d members of before are there, %d without their times", nth, old, without)
		}
		s.Close()
		_ = db.Close()
	}
}
