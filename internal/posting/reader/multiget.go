// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"runtime"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Lookup is a key to be looked up with others, and what came of it.
type Lookup struct {
	Space  uint32
	Key    string
	Near   uint32 // the field whose list of the ID is asked for next, and is fetched together with the key; 0: none
	Exists bool   // of RecordSpace: only a record that exists is wanted
	ID     uint64
	OK     bool // the key has an ID, of what is wanted

	hash   uint64
	Page   *format.Page // of hashes, until the candidate is known
	found  bool         // there is a candidate
	want   uint64       // the hash as the page has it
	Text   *format.Page // of keys, that has the text of the first candidate
	Offset uint64       // of the candidate, from the first row of text
	Code   []byte       // of the candidate
}

// Lookups is Lookup for many keys. Each needs some bytes of memory, one after the other, that are
// in no cache of the processor; of many keys these are fetched at the same time, step by step,
// which takes about a third of the time. More than a few hundred are looked up in the order of the
// pages (see lookupMany). Errors: those of Lookup; of many keys also the context's, if the snapshot
// has one.
func (s Snapshot) Lookups(keys []Lookup) error {
	if s.Closed() {
		return model.ErrClosed
	}
	hits := uint64(0)
	defer func() { s.St.Source.hit(hits) }()
	if len(keys) > lookupsTogether {
		return s.lookupMany(keys, &hits)
	}
	if err := s.findCandidates(keys, &hits); err != nil {
		return err
	}
	return s.decideAll(keys, &hits)
}

// findCandidates finds, for each key, what deltas say of it, or the first ID whose key has its
// hash.
func (s Snapshot) findCandidates(keys []Lookup, hits *uint64) error {
	touched := byte(0)
	for i := range keys { // hashing a key takes less time than waiting for it
		if key := keys[i].Key; len(key) > 0 {
			touched += key[0] + key[len(key)-1]
		}
	}
	for i := range keys {
		if err := s.Locate(&keys[i], hits); err != nil {
			return err
		}
	}
	for i := range keys {
		if l := &keys[i]; l.Page != nil {
			touched += l.Page.TouchHash(l.want)
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loops out
	for i := range keys {
		s.Candidate(&keys[i])
	}
	return nil
}

// decideAll finds out whether the candidates have the keys.
func (s Snapshot) decideAll(keys []Lookup, hits *uint64) error {
	touched := byte(0)
	for i := range keys {
		if err := s.CandidateText(&keys[i], hits); err != nil {
			return err
		}
	}
	for i := range keys {
		if l := &keys[i]; l.Text != nil {
			l.Code = l.Text.Row(l.Offset)
		}
		touched += s.touchList(&keys[i])
	}
	for i := range keys {
		if code := keys[i].Code; len(code) > 0 {
			touched += code[0] + code[len(code)-1]
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loops out
	for i := range keys {
		if err := s.Decide(&keys[i], hits); err != nil {
			return err
		}
	}
	return nil
}

// touchList reads where the list of a candidate begins, if its page is in the cache: that the
// candidate's key is the one that is looked for is as good as certain, and need not be waited for.
func (s Snapshot) touchList(l *Lookup) byte {
	if l.Near == 0 || !l.found {
		return 0
	}
	refs := s.St.Version.Pages(l.Near, l.ID)
	if len(refs) != 1 {
		return 0
	}
	p, ok := s.St.Source.Cache.Get(s.St.Source.ID, refs[0].Generation)
	if !ok {
		return 0
	}
	if list := p.Row(l.ID - refs[0].First); len(list) > 0 {
		return list[0]
	}
	return 0
}

// Locate looks a key up in the deltas, and else finds the page that may have its hash.
func (s Snapshot) Locate(l *Lookup, hits *uint64) error {
	l.ID, l.OK, l.found, l.Page, l.Text, l.Code = 0, false, false, nil, nil, nil
	if id, ok := s.lookupDelta(l.Space, l.Key); ok {
		l.ID, l.OK = id, !(l.Space == model.RecordSpace && s.St.Masks.IsDead(id))
		return nil
	}
	l.hash = s.St.Source.Secret.Hash(l.Key)
	r, ok := s.St.Version.HashPage(l.Space+1, l.hash)
	if !ok {
		return nil
	}
	p, err := s.pageOf(r, hits)
	if err == nil {
		l.Page, l.want = p, (l.hash-r.First)>>p.Shift
	}
	return err
}

// Candidate finds the first ID whose key has the hash.
func (s Snapshot) Candidate(l *Lookup) {
	if l.Page == nil {
		return
	}
	at := l.Page.FindHash(l.want)
	if l.found = at < l.Page.Count && l.Page.StoredHash(at) == l.want; l.found {
		l.ID = l.Page.HashID(at)
	}
	l.Page = nil // what is not needed any more is not kept alive
}

// CandidateText finds the page that has the key of the candidate.
func (s Snapshot) CandidateText(l *Lookup, hits *uint64) error {
	if !l.found {
		return nil
	}
	refs := s.St.Version.Pages(l.Space, l.ID)
	if len(refs) == 0 {
		return nil // decide says what is wrong
	}
	p, err := s.pageOf(&refs[0], hits)
	if err == nil {
		l.Text, l.Offset = p, l.ID-refs[0].First
	}
	return err
}

// Decide compares the key with that of the candidate. If it is another one, further candidates are
// looked for.
func (s Snapshot) Decide(l *Lookup, hits *uint64) (err error) {
	if l.found {
		if l.OK = l.Text != nil && format.IsKey(l.Code, l.Key); !l.OK {
			misses := s.St.Source.Misses.Load()
			if l.ID, l.OK, err = s.St.Source.LookupHash(s.St.Version.Manifest, l.Space, l.Key, l.hash, 0); err == nil {
				err = s.patient(misses)
			}
		}
		l.OK = l.OK && !(l.Space == model.RecordSpace && s.St.Masks.IsDead(l.ID))
		l.found, l.Text, l.Code = false, nil, nil
	}
	if err == nil && l.OK && l.Exists {
		l.OK, err = s.contains(model.Exists, 0, l.ID, hits)
	}
	return err
}
