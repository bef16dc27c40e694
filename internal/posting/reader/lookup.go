// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// LookupPage returns the ID of a key that is on the pages of a manifest.
func (src *Source) LookupPage(m *format.Manifest, space uint32, key string) (id uint64, ok bool, err error) {
	return src.LookupHash(m, space, key, src.Secret.Hash(key), 0)
}

// LookupHash is LookupPage for a key whose hash is known, and an ID of at least from.
func (src *Source) LookupHash(m *format.Manifest, space uint32, key string, hash, from uint64) (id uint64, ok bool,
	err error) {
	r, ok := m.HashPage(space+1, hash)
	if !ok {
		return 0, false, nil
	}
	p, err := src.Page(r)
	if err != nil {
		return 0, false, err
	}
	ok = false
	p.Candidates(r.First, hash, func(candidate uint64) bool {
		if candidate < from {
			return true
		}
		refs := m.Pages(space, candidate)
		if len(refs) == 0 {
			err = model.Corrupt(r.String(), "got ID %d, which no page of keys has", candidate)
			return false
		}
		var kp *format.Page
		if kp, err = src.Page(&refs[0]); err != nil {
			return false
		}
		if id, ok = candidate, format.IsKey(kp.Row(candidate-refs[0].First), key); ok {
			return false
		}
		return true
	})
	return id, ok && err == nil, err
}

// Lookup returns the ID of a key in a key space. ok is false when it was never given one. Errors as
// of List.
func (s Snapshot) Lookup(space uint32, key string) (id uint64, ok bool, err error) {
	if s.Closed() {
		return 0, false, model.ErrClosed
	}
	if id, ok = s.St.lookupDelta(space, key); ok {
		return id, !(space == model.RecordSpace && s.St.Masks.IsDead(id)), nil
	}
	misses := s.St.Source.Misses.Load()
	if id, ok, err = s.St.Source.LookupPage(s.St.Version.Manifest, space, key); err == nil {
		err = s.patient(misses)
	}
	return id, ok && !(space == model.RecordSpace && s.St.Masks.IsDead(id)), err
}

// AppendKey appends the key that has an ID in a key space. ok is false when none has. Errors as of
// List.
func (s Snapshot) AppendKey(dst []byte, space uint32, id uint64) (key []byte, ok bool, err error) {
	r := s.Keys(space)
	return r.Append(dst, id)
}
