// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/store/memstore"
)

// people is an index with fields of every type, and what is known of them.
type people struct {
	t      testing.TB
	lists  *posting.Index
	memory *memory.Bound
	entry  schema.Index
	fields *schema.Schema
}

var declared = []schema.Field{{Name: "tag", Type: schema.Set}, {Name: "city", Type: schema.Single},
	{Name: "follows", Type: schema.Relation, Inverse: "followers"}, {Name: "age", Type: schema.Integer},
	{Name: "price", Type: schema.Integer, Scale: 2}, {Name: "born", Type: schema.Integer, Format: schema.Date},
	{Name: "seen", Type: schema.Integer, Format: schema.Time}}

// newPeople opens an empty index in memory.
func newPeople(t testing.TB) *people {
	t.Helper()
	stored, err := schema.Declare(nil, declared)
	if err != nil {
		t.Fatal(err)
	}
	p := &people{t: t, entry: schema.Index{ID: 1, Name: "people", Secret: strings.Repeat("07", 16), Fields: stored},
		fields: schema.New(stored)}
	config := posting.Config{ID: p.entry.ID, DeltaBytes: 1 << 20}
	if config.Memory, err = memory.New(64 << 20); err != nil {
		t.Fatal(err)
	}
	if config.Secret, config.Fields, err = p.entry.Posting(); err != nil {
		t.Fatal(err)
	}
	p.memory = config.Memory
	if p.lists, err = posting.Open(memstore.New(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.lists.Close() })
	return p
}

// drop drops a field.
func (p *people) drop(name string) {
	p.t.Helper()
	f := p.fields.Named(name)
	ids := []uint32{f.ID}
	if f.InverseID != 0 {
		ids = append(ids, f.InverseID)
	}
	p.entry.DropFields(ids...)
	p.fields = schema.New(p.entry.Fields)
	if err := p.lists.DropFields(ids...); err != nil {
		p.t.Fatal(err)
	}
}

// unknownField returns the error of a field that there is not, as the caller of Bind makes it.
func unknownField(s *schema.Schema, name string) error {
	return fmt.Errorf("%w %q, did you mean %q", sentinel.ErrUnknownField, name, s.Suggest(name))
}

// write binds some writes and commits them. It returns how many writes came of them.
func (p *people) write(writes ...Write) (bound int, err error) {
	p.t.Helper()
	snap := p.lists.Snapshot()
	defer snap.Close()
	n := New()
	defer n.Done()
	b, err := n.Bind(p.t.Context(), writes, snap, p.fields, unknownField)
	if err != nil {
		return 0, err
	}
	if _, err = p.lists.CommitFrom(p.t.Context(), snap, b); err != nil {
		return 0, err
	}
	return b.Len(), nil
}

// must is write for writes that are taken.
func (p *people) must(writes ...Write) (bound int) {
	p.t.Helper()
	bound, err := p.write(writes...)
	if err != nil {
		p.t.Fatal(err)
	}
	return bound
}

// state returns all that the index says: each row with its records, integers, and the records.
func (p *people) state() string {
	p.t.Helper()
	snap := p.lists.Snapshot()
	defer snap.Close()
	var all overlay.List
	if err := snap.List(model.Exists, 0, &all); err != nil {
		p.t.Fatal(err)
	}
	records := all.AppendTo(nil, new(overlay.Cursor))
	var parts []string
	for _, f := range p.fields.Fields() {
		if f.Type == schema.Integer {
			for _, r := range records {
				if x, ok, err := snap.Int(f.ID, r); err != nil {
					p.t.Fatal(err)
				} else if ok {
					parts = append(parts, fmt.Sprintf("%s(%s)=%s", f.Name, p.keys(snap, r), f.Text(x)))
				}
			}
			continue
		}
		var rows []string
		err := snap.Rows(p.t.Context(), f.ID, 0, func(row uint64, l *overlay.List) error {
			if of := l.AppendTo(nil, new(overlay.Cursor)); len(of) > 0 {
				key, ok, err := snap.AppendKey(nil, f.Space(), row)
				if err != nil || !ok {
					return errors.Join(err, RowWithoutKey(f.Name, row))
				}
				rows = append(rows, fmt.Sprintf("%s=%s:%s", f.Name, key, p.keys(snap, of...)))
			}
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
		slices.Sort(rows)
		parts = append(parts, rows...)
	}
	return strings.Join(append(parts, "all:"+p.keys(snap, records...)), " ")
}

// keys returns the keys of records, sorted.
func (p *people) keys(snap reader.Snapshot, ids ...uint64) string {
	p.t.Helper()
	keys, err := Keys(snap, ids, plenty)
	if err != nil {
		p.t.Fatal(err)
	}
	slices.Sort(keys)
	return strings.Join(keys, ",")
}

// set and clear are the writes of a value.
func set(field, record, value string) Write {
	return Write{Kind: Set, Field: field, Record: record, Value: value}
}

func clearing(field, record, value string) Write {
	return Write{Kind: Clear, Field: field, Record: record, Value: value}
}

func integer(field, record string, x int64) Write {
	return Write{Kind: Int, Field: field, Record: record, Integer: x}
}

func unset(field, record string) Write { return Write{Kind: Unset, Field: field, Record: record} }

func deletion(record string) Write { return Write{Kind: Delete, Record: record} }

func emptying(field, row string) Write { return Write{Kind: Empty, Field: field, Value: row} }
