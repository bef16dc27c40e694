// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// job is what a test does with a state.
type job func(st *State)

// Run does it.
func (j job) Run(st *State) bool { j(st); return true }

// Keep does nothing.
func (job) Keep() {}

// TestRandom draws members of a set that is too large to be read, among records that are mostly in
// no set: each part of it comes as often as any other, also while members are taken out.
func TestRandom(t *testing.T) {
	const members, others = 6000, 14_000
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := Open(t.Context(), db, "redis", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	do := func(j job) {
		t.Helper()
		if err := s.Do(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	add := func(key, member string, n int) {
		do(func(st *State) {
			r, err := st.Row([]byte(key))
			for i := 0; i < n && err == nil; i++ {
				_, err = r.Add(fmt.Appendf(nil, "%s%d", member, i))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	add("other", "x", others/2)
	add("set", "m", members)
	add("other", "y", others/2)
	const parts, draws = 6, 3000
	var counts [parts]int
	count := func(member []byte) {
		digits, ok := bytes.CutPrefix(member, []byte("m"))
		n, err := strconv.Atoi(string(digits))
		if !ok || err != nil || n >= members {
			t.Fatalf("got %q, want a member", member)
		}
		counts[n*parts/members]++
	}
	if err := s.Read(t.Context(), func(st *State) error {
		r, err := st.Row([]byte("set"))
		for i := 0; i < draws && err == nil; i++ {
			var member []byte
			if member, _, err = r.Random(); err == nil {
				count(member)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	popped := make(map[string]bool)
	do(func(st *State) { // some in one commit, each by itself and three together
		r, err := st.Row([]byte("set"))
		for i := 0; i < draws/6 && err == nil; i++ {
			var m *Members
			if m, err = r.Pop(uint64(1 + i%2*2)); err != nil {
				break
			}
			err = m.Each(func(member []byte) error {
				if popped[string(member)] {
					t.Errorf("got %q twice", member)
				}
				popped[string(member)] = true
				count(member)
				return nil
			})
		}
		if n, _ := r.Len(); err != nil || int(n) != members-len(popped) || len(popped) != draws/3 {
			t.Errorf("got %d members after %d were taken out, %v, want %d", n, len(popped), err, members-draws/3)
		}
	})
	const want = float64(draws+draws/3) / parts
	for i, n := range counts {
		if math.Abs(float64(n)-want) > 6*math.Sqrt(want) {
			t.Errorf("part %d: got %d draws, want about %.0f", i, n, want)
		}
	}
}
