// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// source is the store of a damaged database as package posting is shown it: it has one index, of
// which nothing is damaged. It is a store.Store that is only read.
type source struct {
	*damaged
	index  uint32
	fields map[uint32]model.Field
	report *IndexReport

	manifest *format.Manifest // without the pages of hashes
	records  []*format.ManifestRecord
	lost     map[uint32][]lostPage // by field, ascending
	unread   map[uint64]bool       // the pages that cannot be read, by generation
	log      logSource
	keys     map[model.RowName]string // of IDs on lost pages of keys, as the log has them; by space and ID
	assigned map[model.RowName]bool   // records on lost pages of values that the log assigns; by field and record
}

// newSource returns the source of an index whose manifest, pages and log were looked through.
// progress receives how many pages were read, and of how many. Errors: ctx's; store.ErrCorrupt when
// nothing can be read.
func newSource(d *damaged, index uint32, fields []model.Field, report *IndexReport,
	progress func(done, total int)) (*source, error) {
	s := &source{damaged: d, index: index, fields: map[uint32]model.Field{}, report: report,
		lost: map[uint32][]lostPage{}, unread: map[uint64]bool{}, keys: map[model.RowName]string{},
		assigned: map[model.RowName]bool{}}
	for _, f := range fields {
		s.fields[f.ID] = f
	}
	m, err := s.readManifest()
	if err != nil {
		return nil, err
	}
	if err := s.checkPages(m, progress); err != nil {
		return nil, err
	}
	return s, s.readLog()
}

// fieldOf returns the field of a page.
func (s *source) fieldOf(r *format.Ref) model.Field { return s.fields[r.Field-r.Field%4] }

// checkPages reads every page that the manifest names, and notes those that are damaged.
func (s *source) checkPages(m *format.Manifest, progress func(done, total int)) (err error) {
	done, total := 0, m.Count()
	m.All(func(r *format.Ref) {
		if err != nil {
			return
		}
		key := format.AppendPageKey(nil, s.index, r)
		found := s.get(key, func(value []byte) error { return check(key, value, r, s.fieldOf(r)) })
		if found != nil && s.isOver(found) {
			err = found
			return
		}
		if found != nil {
			s.lose(m, r, found)
		}
		done++
		progress(done, total)
	})
	return err
}

// Get returns pages. One that cannot be read is without content.
func (s *source) Get(key []byte, fn func(value []byte) error) error {
	r := s.ref(key)
	switch {
	case r == nil:
		return store.ErrNotFound
	case s.unread[r.Generation]:
		return fn(standIn(key, r, s.fieldOf(r)))
	}
	return s.get(key, fn)
}

// ref returns the page that a key is of, nil if the manifest has none.
func (s *source) ref(key []byte) *format.Ref {
	generation, ok := format.PageGeneration(key)
	if !ok {
		return nil
	}
	refs := s.manifest.Fields[binary.BigEndian.Uint32(key[5:])].Refs
	first := binary.BigEndian.Uint64(key[13:])
	for i := sort.Search(len(refs), func(i int) bool { return refs[i].First >= first }); i < len(refs) &&
		refs[i].First == first; i++ {
		if refs[i].Generation == generation {
			return &refs[i]
		}
	}
	return nil
}

// Scan shows the manifest and the log.
func (s *source) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	switch {
	case bytes.Equal(prefix, format.AppendIndexPrefix(nil, format.KindManifest, s.index)):
		for i, r := range s.records {
			key := format.AppendManifestKey(nil, s.index, uint64(i)+1)
			if err := fn(key, r.Encode(key)); err != nil {
				return stopped(err)
			}
		}
		return nil
	case bytes.Equal(prefix, format.AppendIndexPrefix(nil, format.KindLog, s.index)):
		return stopped(s.scanLog(start, fn))
	}
	return fmt.Errorf("salvage: got a scan of %x, want one of the manifest or the log", prefix)
}

// stopped returns the error of a scan that ended with that of its function.
func stopped(err error) error {
	if err == store.ErrStop {
		return nil
	}
	return err
}

// Keys shows the pages that the manifest names, and no others: none is to be removed.
func (s *source) Keys(prefix, _ []byte, fn func(key []byte) error) (err error) {
	if !bytes.Equal(prefix, format.AppendIndexPrefix(nil, format.KindPage, s.index)) {
		return nil
	}
	s.manifest.All(func(r *format.Ref) {
		if err == nil {
			err = fn(format.AppendPageKey(nil, s.index, r))
		}
	})
	return stopped(err)
}

// Apply refuses writes.
func (s *source) Apply(*store.Batch, bool) error { return store.ErrReadOnly }

// Sync does nothing.
func (s *source) Sync() error { return nil }

// Close does nothing: the store is the caller's.
func (s *source) Close() error { return nil }

// scanLog shows the entries of the log from a key on, with others in the places of those lost.
func (s *source) scanLog(start []byte, fn func(key, value []byte) error) error {
	prefix := format.AppendIndexPrefix(nil, format.KindLog, s.index)
	from, at := uint64(0), 0
	if len(start) == format.LogKeyLen {
		from = format.NumberOfKey(start)
	}
	gaps := s.log.gaps
	fill := func(before uint64) error { // shows the gaps that end before a commit
		for ; at < len(gaps) && gaps[at].Last < before; at++ {
			if gaps[at].Last < from {
				continue
			}
			if err := gaps[at].each(s.index, fn); err != nil {
				return err
			}
		}
		return nil
	}
	var ended error // of fn, which may want no more
	err := s.scan(prefix, start, format.LogKeyLen, func(error) {}, func(key, value []byte) error {
		if s.log.isBad(format.NumberOfKey(key)) {
			return nil
		}
		var f *wal.Frame
		if f, ended = wal.Open(key, value); ended == nil {
			ended = fill(f.First)
		}
		if ended == nil {
			ended = fn(key, value)
		}
		return ended
	})
	if err != nil || ended != nil {
		return cmp.Or(err, ended)
	}
	return fill(1<<64 - 1)
}
