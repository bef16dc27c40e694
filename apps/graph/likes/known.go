// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// knownWindow is how many of the newest likes of a subject are looked at for known likers.
const knownWindow = 500

// knownLikers finds the known likers of subjects in one state. Not for concurrent use.
type knownLikers struct {
	*reader
	follows accountSet
	hides   func(account uint64) (bool, error)
	keys    []uproar.EdgeKey
	found   []uint64
}

// knownTo returns what finds the likers that a viewer knows.
func (r *reader) knownTo(ctx context.Context, viewer string) (*knownLikers, error) {
	page, err := r.s.IDs(ctx, query.Related{Field: graph.FollowsField, Key: viewer}, uproar.Page{})
	if knownOnly(err) != nil {
		return nil, err
	}
	k := &knownLikers{reader: r, follows: newAccountSet(page.IDs)}
	k.hides, err = r.hidden()
	return k, err
}

// of returns the known likers of a subject, the newest like first. They are valid until the next
// call, which is for another place.
func (k *knownLikers) of(place int, subject uint64) (found []uint64, err error) {
	if k.found = k.found[:0]; len(k.follows.ids) == 0 {
		return nil, nil
	}
	if k.keys, err = k.likers.Append(k.keys[:0], subject, everyKey, knownWindow); err != nil {
		return nil, err
	}
	for _, like := range slices.Backward(k.keys) {
		if !k.follows.meets(like.Target, place) {
			continue
		}
		hidden, err := k.hides(like.Target)
		if err != nil {
			return nil, err
		}
		if !hidden {
			k.found = append(k.found, like.Target)
		}
	}
	return k.found, nil
}

// accountSet is a set of accounts that is asked often.
type accountSet struct {
	ids    []uint64 // ascending
	filter []uint64 // bits of hashes
	met    []int    // the place above the last at which each of ids was met
	shift  int
}

// newAccountSet takes ascending IDs over.
func newAccountSet(ids []uint64) accountSet {
	s := accountSet{ids: ids, met: make([]int, len(ids)), shift: 58}
	for 1<<(64-s.shift) < 16*len(ids) {
		s.shift--
	}
	s.filter = make([]uint64, 1<<(64-s.shift)/64)
	for _, id := range ids {
		bit := s.bit(id)
		s.filter[bit/64] |= 1 << (bit % 64)
	}
	return s
}

// bit returns the place of an ID in the filter.
func (s *accountSet) bit(id uint64) uint64 { return id * 0x9e3779b97f4a7c15 >> s.shift }

// meets reports whether an account is in the set, and is met for the first time at a place.
func (s *accountSet) meets(id uint64, place int) bool {
	if bit := s.bit(id); s.filter[bit/64]&(1<<(bit%64)) == 0 {
		return false
	}
	at, ok := slices.BinarySearch(s.ids, id)
	if !ok || s.met[at] == place+1 {
		return false
	}
	s.met[at] = place + 1
	return true
}
