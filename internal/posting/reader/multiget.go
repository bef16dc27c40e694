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
	page   *format.Page // of hashes, until the candidate is known
	found  bool         // there is a candidate
	want   uint64       // the hash as the page has it
	text   *format.Page // of keys, that has the text of the first candidate
	offset uint64       // of the candidate, from the first row of text
	code   []byte       // of the candidate
}

// MultiGet is Lookup for many keys. Each needs some bytes of memory, one after the other, that are
// in no cache of the processor; of many keys these are fetched at the same time, step by step,
// which takes about a third of the time. More than a few hundred are looked up in the order of the
// pages (see lookupMany). Errors: those of Lookup; of many keys also the context's, if the snapshot
// has one.
func (s Snapshot) MultiGet(keys []Lookup) error {
	if s.Closed() {
		return model.ErrClosed
	}
	m := multiGet{snap: s}
	defer func() { s.St.Source.hit(m.hits) }()
	if len(keys) > multiGetTogether {
		return m.lookupMany(keys)
	}
	return m.lookup(keys)
}

// multiGet looks up keys of a snapshot together, step by step. Not for concurrent use.
type multiGet struct {
	snap Snapshot
	hits uint64 // of the cache, not counted yet
}

// lookup looks up a few keys.
func (m *multiGet) lookup(keys []Lookup) error {
	if err := m.findCandidates(keys); err != nil {
		return err
	}
	return m.decideAll(keys)
}

// findCandidates finds, for each key, what deltas say of it, or the first ID whose key has its
// hash.
func (m *multiGet) findCandidates(keys []Lookup) error {
	touched := byte(0)
	for i := range keys { // hashing a key takes less time than waiting for it
		if key := keys[i].Key; len(key) > 0 {
			touched += key[0] + key[len(key)-1]
		}
	}
	for i := range keys {
		if err := m.locate(&keys[i]); err != nil {
			return err
		}
	}
	for i := range keys {
		if l := &keys[i]; l.page != nil {
			touched += l.page.TouchHash(l.want)
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loops out
	for i := range keys {
		m.candidate(&keys[i])
	}
	return nil
}

// decideAll finds out whether the candidates have the keys.
func (m *multiGet) decideAll(keys []Lookup) error {
	touched := byte(0)
	for i := range keys {
		if err := m.candidateText(&keys[i]); err != nil {
			return err
		}
	}
	for i := range keys {
		if l := &keys[i]; l.text != nil {
			l.code = l.text.Row(l.offset)
		}
		touched += m.touchList(&keys[i])
	}
	for i := range keys {
		if code := keys[i].code; len(code) > 0 {
			touched += code[0] + code[len(code)-1]
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loops out
	for i := range keys {
		if err := m.decide(&keys[i]); err != nil {
			return err
		}
	}
	return nil
}

// touchList reads where the list of a candidate begins, if its page is in the cache: that the
// candidate's key is the one that is looked for is as good as certain, and need not be waited for.
func (m *multiGet) touchList(l *Lookup) byte {
	if l.Near == 0 || !l.found {
		return 0
	}
	refs := m.snap.St.Version.Pages(l.Near, l.ID)
	if len(refs) != 1 {
		return 0
	}
	p, ok := m.snap.St.Source.Cache.Get(m.snap.St.Source.ID, refs[0].Generation)
	if !ok {
		return 0
	}
	if list := p.Row(l.ID - refs[0].First); len(list) > 0 {
		return list[0]
	}
	return 0
}

// locate looks a key up in the deltas, and else finds the page that may have its hash.
func (m *multiGet) locate(l *Lookup) error {
	l.ID, l.OK, l.found, l.page, l.text, l.code = 0, false, false, nil, nil, nil
	if id, ok := m.snap.St.lookupDelta(l.Space, l.Key); ok {
		l.ID, l.OK = id, !(l.Space == model.RecordSpace && m.snap.St.Masks.IsDead(id))
		return nil
	}
	l.hash = m.snap.St.Source.Secret.Hash(l.Key)
	r, ok := m.snap.St.Version.HashPage(l.Space+1, l.hash)
	if !ok {
		return nil
	}
	p, err := m.snap.pageOf(r, &m.hits)
	if err == nil {
		l.page, l.want = p, (l.hash-r.First)>>p.Shift
	}
	return err
}

// candidate finds the first ID whose key has the hash.
func (m *multiGet) candidate(l *Lookup) {
	if l.page == nil {
		return
	}
	at := l.page.FindHash(l.want)
	if l.found = at < l.page.Count && l.page.StoredHash(at) == l.want; l.found {
		l.ID = l.page.HashID(at)
	}
	l.page = nil // what is not needed any more is not kept alive
}

// candidateText finds the page that has the key of the candidate.
func (m *multiGet) candidateText(l *Lookup) error {
	if !l.found {
		return nil
	}
	refs := m.snap.St.Version.Pages(l.Space, l.ID)
	if len(refs) == 0 {
		return nil // decide says what is wrong
	}
	p, err := m.snap.pageOf(&refs[0], &m.hits)
	if err == nil {
		l.text, l.offset = p, l.ID-refs[0].First
	}
	return err
}

// decide compares the key with that of the candidate. If it is another one, further candidates are
// looked for.
func (m *multiGet) decide(l *Lookup) (err error) {
	if l.found {
		if l.OK = l.text != nil && format.IsKey(l.code, l.Key); !l.OK {
			src, manifest := m.snap.St.Source, m.snap.St.Version.Manifest
			misses := src.Misses.Load()
			if l.ID, l.OK, err = src.LookupHash(manifest, l.Space, l.Key, l.hash, 0); err == nil {
				err = m.snap.patient(misses)
			}
		}
		l.OK = l.OK && !(l.Space == model.RecordSpace && m.snap.St.Masks.IsDead(l.ID))
		l.found, l.text, l.code = false, nil, nil
	}
	if err == nil && l.OK && l.Exists {
		l.OK, err = m.snap.contains(model.Exists, 0, l.ID, &m.hits)
	}
	return err
}
