// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// logSource is what is known of a damaged log.
type logSource struct {
	bad  []uint64 // entries that cannot be read, by their number, ascending
	gaps []*gap   // ascending
}

// isBad reports whether an entry cannot be read.
func (l *logSource) isBad(number uint64) bool {
	_, bad := slices.BinarySearch(l.bad, number)
	return bad
}

// gap is commits that are lost, and the keys that must have got their IDs in them: so many, of
// which none is known.
type gap struct {
	Span
	keys []wal.KeyRun
}

// maxCommits is how many commits an entry has at most that stands for a gap.
const maxCommits = 10_000

// each calls fn with entries that stand for the commits of the gap, and say nothing but that IDs
// were given.
func (g *gap) each(index uint32, fn func(key, value []byte) error) error {
	for first := g.First; first <= g.Last; {
		var p wal.Pending
		last := min(g.Last, first+maxCommits-1)
		for n := first; n <= last; n++ {
			entry := new(wal.Entry)
			if n == g.First {
				entry.Keys = g.keys
			}
			if err := p.Add(n, entry, entry.AppendSections(nil)); err != nil {
				return err
			}
		}
		key := format.AppendLogKey(nil, index, last)
		if err := fn(key, p.Frame(key, 0, p.Count())); err != nil {
			return err
		}
		first = last + 1
	}
	return nil
}

// logWalk goes through the log once, to find what is missing in it.
type logWalk struct {
	next   uint64            // the commit that must come
	spaces map[uint32]uint64 // the ID that must come in each space
	strict bool              // spaces has all; else the first keys of a space say where it goes on
	first  bool              // the first entry says where the log goes on
	begun  map[uint32]uint64 // the first ID of each space that the log gives
	gaps   []*gap
	entry  func(number uint64, e *wal.Entry) // is told of each commit
}

// take takes the next entry that can be read.
func (w *logWalk) take(first, last uint64, runs []wal.KeyRun) {
	switch {
	case last < w.next:
		return
	case w.first && first > w.next:
		w.next = first
	case first > w.next:
		w.gaps = append(w.gaps, &gap{Span: Span{w.next, first - 1}})
	}
	w.first, w.next = false, last+1
	for _, run := range runs {
		if _, ok := w.begun[run.Space]; !ok {
			w.begun[run.Space] = run.First
			if !w.strict {
				w.spaces[run.Space] = run.First
			}
		}
		want := w.spaces[run.Space]
		if n := len(w.gaps); run.First > want && n > 0 {
			w.gaps[n-1].keys = append(w.gaps[n-1].keys, wal.KeyRun{Space: run.Space, First: want,
				Keys: make([]string, run.First-want)})
		}
		w.spaces[run.Space] = run.First + uint64(len(run.Keys))
	}
}

// walkLog goes through the log. It adds to bad what cannot be read. cut is set when the engine did
// not read all of it, and nothing tells how much is missing.
func (s *source) walkLog(w *logWalk) (cut bool, err error) {
	s.log = logSource{}
	prefix := format.AppendIndexPrefix(nil, format.KindLog, s.index)
	end := uint64(0) // the last commit that there is an entry of, whether it can be read or not
	holed := false
	err = s.scan(prefix, nil, format.LogKeyLen, func(error) { holed = true }, func(key, value []byte) error {
		end, holed = format.NumberOfKey(key), false // what a hole before it had is missing, or nothing
		f, err := wal.Open(key, value)
		var runs []wal.KeyRun
		for number := uint64(0); err == nil; number++ {
			var entry *wal.Entry
			if entry, err = f.Decode(); entry == nil {
				break
			}
			w.entry(f.First+number, entry)
			runs = append(runs, entry.Keys...)
		}
		if err != nil {
			s.log.bad = append(s.log.bad, end)
			return nil
		}
		w.take(f.First, f.Last, runs)
		return nil
	})
	if end >= w.next {
		w.gaps = append(w.gaps, &gap{Span: Span{w.next, end}})
		w.next = end + 1
	}
	return holed && len(w.gaps) == 0, err
}

// readLog goes through the log, and finds what is missing behind what is in pages.
func (s *source) readLog() error {
	w := &logWalk{next: s.manifest.Flushed + 1, strict: true, spaces: map[uint32]uint64{}, begun: map[uint32]uint64{},
		entry: s.remember}
	for space, next := range s.manifest.Next {
		w.spaces[space] = next
	}
	cut, err := s.walkLog(w)
	s.log.gaps = w.gaps
	for _, g := range w.gaps {
		s.report.Log = append(s.report.Log, g.Span)
	}
	if cut {
		s.report.Log = append(s.report.Log, Span{w.next, w.next}) // and perhaps more
	}
	return err
}

// remember keeps of a commit the keys whose pages are lost, and which records it assigns something
// whose values are lost.
func (s *source) remember(number uint64, entry *wal.Entry) {
	for _, run := range entry.Keys {
		for i, key := range run.Keys {
			if id := run.First + uint64(i); s.isLost(run.Space, id, 0) {
				s.keys[model.RowName{Field: run.Space, Row: id}] = key
			}
		}
	}
	if number <= s.manifest.Flushed {
		return
	}
	for _, f := range entry.Values {
		if s.isLost(model.ValueField(f.Field), f.Record, 0) {
			s.assigned[model.RowName{Field: f.Field, Row: f.Record}] = true
		}
	}
}
