// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"math/rand/v2"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/names"
)

// smallBase is how many records a set may have whose IDs are read in any case, to choose from.
const smallBase = 1 << 12

// A record is drawn from all until it is in the set, if that takes less time than to read the set:
// on average as many looks as there are records to one of the set, of which each takes the time of
// reading readPerLook records.
const readPerLook = 1 << 5

// mostLooks is how many times that average is looked, before the set is read: its records may all
// be young, or a part of them.
const mostLooks = 8

// Random returns a member, each as likely as any other. ok is false if there is none.
func (r *Row) Random() (member []byte, ok bool, err error) {
	name, ok, err := r.random()
	if err != nil || !ok {
		return nil, false, err
	}
	return names.AppendRaw(nil, []byte(name)), true, nil
}

// random draws a member: of those that were added, or of the base without those taken away.
func (r *Row) random() (name string, ok bool, err error) {
	n, err := r.Len()
	if err != nil || n == 0 {
		return "", false, err
	}
	for {
		base, err := r.baseLen()
		if err != nil {
			return "", false, err
		}
		// Every place of the base and of the additions is as likely. What was taken away is drawn
		// again.
		at := rand.Uint64N(base + uint64(len(r.added)))
		if at >= base {
			return r.added[at-base], true, nil
		}
		id, err := r.drawID(base)
		if err != nil {
			return "", false, err
		}
		key, err := r.st.snap.AppendKey(nil, id)
		if err != nil {
			return "", false, err
		}
		if in, changed := r.changed[string(key)]; !changed || in {
			return string(key), true, nil
		}
	}
}

// inBase reports whether a member is in what the changes go over.
func (r *Row) inBase(name string) (bool, error) {
	id, ok, err := r.st.idOf(name)
	if err != nil || !ok {
		return false, err
	}
	return r.hasID(id)
}

// drawID draws a record of a base of n.
func (r *Row) drawID(n uint64) (uint64, error) {
	if r.stored != nil {
		id, _ := r.stored.Select(rand.Uint64N(n))
		return id, nil
	}
	if r.ids == nil && n > smallBase {
		top := r.st.snap.IDBound()
		for looks := top / n * mostLooks; top/n*readPerLook < n && looks > 0; looks-- {
			id := rand.Uint64N(top)
			if in, err := r.hasID(id); in || err != nil {
				return id, err
			}
		}
	}
	if r.ids == nil {
		ids, err := r.st.snap.IDs(r.st.ctx, r.base(), uproar.Page{})
		if err != nil {
			return 0, err
		}
		r.ids = ids.IDs
	}
	return r.ids[rand.IntN(len(r.ids))], nil
}

// Sample returns n different members, or all if there are no more, drawn without preference.
// Errors: ErrLater.
func (r *Row) Sample(n uint64) (*Members, error) {
	size, err := r.Len()
	if err != nil {
		return nil, err
	}
	small := n == 1 || n > 0 && n <= pageOfMembers && size/n > 16
	if small && n < size {
		return r.draw(n)
	}
	all, err := r.st.combine(union, []*Row{r})
	if err != nil || n >= size {
		return all, err
	}
	chosen := &Members{st: r.st}
	if n == 0 {
		return chosen, nil
	}
	set, err := r.st.snap.Select(r.st.ctx, all.expr)
	if err != nil {
		return nil, err
	}
	if err := r.st.Memory.take(8 * int(n)); err != nil {
		return nil, err
	}
	left := n
	for _, name := range all.names { // each as likely as those that are not looked at yet
		if rand.Uint64N(size) < left {
			chosen.names = append(chosen.names, name)
			left--
		}
		size--
	}
	chosen.ids = set.Sample(int(left), rand.Uint64())
	return chosen, nil
}

// draw draws n different members, which are few of all.
func (r *Row) draw(n uint64) (*Members, error) {
	chosen := &Members{st: r.st}
	seen := make(map[string]bool)
	for uint64(len(chosen.names)) < n {
		name, ok, err := r.random()
		if err != nil || !ok {
			return nil, err
		}
		if seen[name] {
			continue
		}
		seen[name], chosen.names = true, append(chosen.names, name)
		if err := r.st.Memory.take(len(name)); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

// Pop takes n members out of the set, drawn without preference, or all. Errors: ErrLater.
func (r *Row) Pop(n uint64) (*Members, error) {
	m, err := r.Sample(n)
	if err != nil {
		return nil, err
	}
	size, err := m.Len()
	if err != nil {
		return nil, err
	}
	all := &Members{st: r.st, names: make([]string, 0, size)}
	err = m.eachName(func(name string) error {
		all.names = append(all.names, name)
		return r.st.Memory.take(2 * len(name)) // the set loses it, too
	})
	if err != nil {
		return nil, err
	}
	m = all
	if whole, err := r.Len(); err != nil {
		return nil, err
	} else if size == whole {
		return m, r.st.delete(r.name)
	}
	_, err = r.remove(m.names)
	return m, err
}
