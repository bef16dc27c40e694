// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
)

// again is a job that is run again if it must come later.
type again func(st *State) error

// Run runs it.
func (fn again) Run(st *State) bool {
	err := fn(st)
	if errors.Is(err, ErrLater) {
		return false
	}
	if err != nil {
		st.Fail(err)
	}
	return true
}

// Keep does nothing.
func (again) Keep() {}

// timedModel is what sets have: when each member ends, and the sets; 0: never.
type timedModel struct {
	members map[string]map[string]int64
	keys    map[string]int64
}

func (m *timedModel) clone() *timedModel {
	c := &timedModel{make(map[string]map[string]int64), maps.Clone(m.keys)}
	for key, of := range m.members {
		c.members[key] = maps.Clone(of)
	}
	return c
}

// end takes away what has ended, and keys without members.
func (m *timedModel) end(now int64) {
	for key, of := range m.members {
		if at := m.keys[key]; at != 0 && at <= now {
			clear(of)
		}
		maps.DeleteFunc(of, func(_ string, at int64) bool { return at != 0 && at <= now })
		if len(of) == 0 {
			delete(m.members, key)
			delete(m.keys, key)
		}
	}
}

// put puts a set in the place of another.
func (m *timedModel) put(key string, of map[string]int64, at int64) {
	delete(m.keys, key)
	if m.members[key] = of; at != 0 {
		m.keys[key] = at
	}
}

// TestTimesModel runs random commands of members that end, with what others write between them, and
// compares all with a model after each.
func TestTimesModel(t *testing.T) {
	for _, most := range []int{mostTimed, 1} {
		t.Run(fmt.Sprint(most, " times at once"), func(t *testing.T) { timesModel(t, most) })
	}
}

// timesModel is TestTimesModel with a bound of the times that a commit takes away with their keys.
func timesModel(t *testing.T, most int) {
	s, ix := openSpace(t)
	s.must(t, func(st *State) error { st.space.limits.times = most; return nil })
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	model := &timedModel{make(map[string]map[string]int64), make(map[string]int64)}
	steps := 6000
	if testing.Short() {
		steps = 1500
	}
	for step := range steps {
		key, other := fmt.Sprint("k", r.IntN(4)), fmt.Sprint("k", r.IntN(4))
		member := fmt.Sprint("m", r.IntN(8))
		in := []int64{3_600_000, int64(1 + r.IntN(20))}[r.IntN(2)]
		kind := r.IntN(11)
		if kind == 10 {
			if model.keys[key] != 0 {
				continue // whether the key has ended by now is known within a command only
			}
			write(t, ix, func(b *uproar.Batch) { b.Set(memberField, "h"+member, key) })
		}
		var next *timedModel
		err := s.Do(t.Context(), again(func(st *State) error {
			next = model.clone()
			if kind == 10 {
				if next.members[key] == nil {
					next.put(key, make(map[string]int64), 0)
				}
				next.members[key]["h"+member] = 0
			}
			next.end(st.Now)
			row, err := st.Row([]byte(key))
			if err != nil {
				return err
			}
			of := next.members[key]
			_, has := of[member]
			switch kind {
			case 0, 1, 2:
				if _, err = row.Add([]byte(member)); !has && of == nil {
					next.put(key, map[string]int64{member: 0}, 0)
				} else if !has {
					of[member] = 0
				}
			case 3:
				_, err = row.Remove([]byte(member))
				delete(of, member)
			case 4, 5:
				if has {
					of[member] = st.Now + in
					err = row.Expire([]byte(member), st.Now+in)
				}
			case 6:
				if has {
					of[member] = 0
					err = row.Expire([]byte(member), 0)
				}
			case 7:
				if of != nil {
					next.keys[key] = st.Now + in
					err = st.Expire([]byte(key), st.Now+in)
				}
			case 8:
				if of != nil && key != other {
					if r.IntN(2) == 0 {
						next.put(other, maps.Clone(of), next.keys[key])
						_, err = st.Copy([]byte(key), []byte(other), true)
						break
					}
					next.put(other, of, next.keys[key])
					delete(next.members, key)
					delete(next.keys, key)
					err = st.Rename([]byte(key), []byte(other))
				}
			case 9:
				all, e := st.Unite([]byte(key), []byte(other))
				if e != nil {
					return e
				}
				union := make(map[string]int64)
				for _, from := range []string{key, other} {
					for m := range next.members[from] {
						union[m] = 0
					}
				}
				next.put("k0", union, 0)
				_, err = st.Store([]byte("k0"), all)
			}
			next.end(st.Now)
			return err
		}))
		if err != nil {
			t.Fatal(err)
		}
		model = next
		if err := s.Read(t.Context(), func(st *State) error { return compare(st, model, step) }); err != nil {
			t.Fatal(err)
		}
	}
	// All that ends has left no record behind, but for what is still to end.
	s.awaitLeft(t)
	s.must(t, func(st *State) error {
		model.end(st.Now)
		timed := 0
		for key, of := range model.members {
			for _, at := range of {
				if at != 0 {
					timed++
				}
			}
			if model.keys[key] != 0 {
				timed++
			}
		}
		if n, err := st.Times(); err != nil || n != uint64(timed) {
			t.Errorf("got %d times in the index (%v), want %d", n, err, timed)
		}
		return nil
	})
}

// compare compares the sets of a state with those of a model.
func compare(st *State, model *timedModel, step int) error {
	model = model.clone()
	model.end(st.Now)
	for i := range 4 {
		key := fmt.Sprint("k", i)
		row, err := st.Row([]byte(key))
		if err != nil {
			return err
		}
		all, err := st.Unite([]byte(key))
		if err != nil {
			return err
		}
		got := make(map[string]int64)
		if err := all.Each(func(member []byte) error {
			got[string(member)], err = row.Expires(member)
			return err
		}); err != nil {
			return err
		}
		if want := model.members[key]; !maps.Equal(got, want) && len(got)+len(want) > 0 {
			return fmt.Errorf("step %d, %s: got %v, want %v", step, key, got, want)
		}
		want, there := model.keys[key], model.members[key] != nil
		if at, is, err := st.Expires([]byte(key)); err != nil || is != there || at != want && is {
			return fmt.Errorf("step %d, %s: got the time %d (%v, %v), want %d", step, key, at, is, err, want)
		}
	}
	return nil
}
