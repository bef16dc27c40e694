// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// ReplaceOptions sets up a replacement. The zero value means the defaults.
type ReplaceOptions struct {
	MemoryBytes int64                   // of the load. Default: the database's
	Progress    func(done, total int64) // told during Commit how many values of how many are written
	// share of the lines that Read may leave out as bad: above it, Commit fails. Default: none
	MaxBad float64
	Empty  bool // a replacement without records is meant. Default: Commit fails
}

// A Replacement makes a catalog, or replaces all records of one. Nothing of it is visible before
// Commit, and all of it at once afterwards. Meanwhile searches and writes go on with the present
// records; what is written meanwhile is replaced as well. Not safe for concurrent use.
type Replacement struct {
	db     *uproar.DB
	name   string
	opts   ReplaceOptions
	layout *layout
	load   *uproar.Loader
	seen   map[string]bool
	room   int64 // bytes of the memory that was taken for seen and that are left of it
	lines  int64 // of the tables that were read, which number records without a key
	tally  tolerance.Tally
	ended  bool
}

// Replace begins to make a catalog of a name, with records of a schema. If there is one, it is
// replaced, and may have had another schema. ctx ends the replacement. Memory: that of the load,
// and beside it the keys of all records with some 56 bytes each, which the bound of the database
// has to have room for. Errors: ErrSchema, ErrReplacing, or those of uproar.DB.LoadIndex.
func Replace(ctx context.Context, db *uproar.DB, name string, schema *Schema, opts ReplaceOptions) (*Replacement,
	error) {
	own := *schema
	own.Attributes = append([]Attribute(nil), schema.Attributes...)
	if err := own.Check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(note{&own})
	if err != nil {
		return nil, err
	}
	r := &Replacement{db: db, name: name, opts: opts}
	if _, busy := replacing.LoadOrStore(r.target(), r); busy {
		return nil, fmt.Errorf("%w: %q", ErrReplacing, name)
	}
	if err := r.begin(ctx, &own, text); err != nil {
		replacing.Delete(r.target())
		return nil, err
	}
	return r, nil
}

// ErrReplacing is returned by Replace while another replacement of the same catalog is under way.
var ErrReplacing = errors.New("catalog: the catalog is being replaced")

// replacing has the replacements that are under way, by target.
var replacing sync.Map

// target is a catalog that is replaced.
type target struct {
	db   *uproar.DB
	name string
}

func (r *Replacement) target() target { return target{r.db, r.name} }

// begin makes the new index, and begins to load it.
func (r *Replacement) begin(ctx context.Context, schema *Schema, text []byte) (err error) {
	db, name := r.db, r.name
	if slices.Contains(db.Indexes(), name) {
		return fmt.Errorf("%w: index %q is no catalog", ErrSchema, name)
	}
	// and would be dropped, also if it is one that a program has given that alias
	if index := db.Aliases()[name]; index != "" {
		old, err := db.Index(index)
		if err != nil {
			return err
		}
		if _, err := schemaOf(old, name); err != nil {
			return err
		}
	}
	opts := &uproar.LoadOptions{MemoryBytes: r.opts.MemoryBytes, Progress: r.opts.Progress}
	for i := 1; r.load == nil; i++ {
		r.load, err = db.LoadIndex(ctx, fmt.Sprintf("%s_%d", name, i), schema.fields(), text, opts)
		if err != nil && !errors.Is(err, uproar.ErrIndexExists) && !errors.Is(err, uproar.ErrLoading) {
			return err
		}
	}
	r.layout = newLayout(schema, r.load.Index())
	return nil
}

// ErrTwice is matched when two records of a replacement have the same key.
var ErrTwice = errors.New("catalog: two records of the same key")

// Add adds a record, with values or without. It returns a *CheckError, with ErrUnknownAttribute,
// ErrCondition, ErrTwice or uproar.ErrInvalid, if the record is the cause; the replacement may then
// go on. After an error of uproar.Loader it has to be aborted.
func (r *Replacement) Add(record *Record) error {
	type value struct{ field, text string }
	var room [32]value
	values := room[:0]
	err := r.layout.values(record, func(field, text string) error {
		values = append(values, value{field, text})
		return nil
	})
	if err != nil {
		return &CheckError{record.Key, err}
	}
	if r.seen[record.Key] {
		return &CheckError{record.Key, ErrTwice}
	}
	for _, v := range values { // before the first is set: of a record that is left out nothing may stay
		if len(v.text) > maxValue {
			return &CheckError{record.Key, fmt.Errorf("%w: %s: got a value of %d bytes, want at most %d", ErrCondition,
				v.field, len(v.text), maxValue)}
		}
	}
	if err := r.load.AddRecord(record.Key); err != nil {
		if errors.Is(err, uproar.ErrInvalid) {
			err = &CheckError{record.Key, err}
		}
		return err
	}
	for _, v := range values {
		if err := r.load.Set(v.field, record.Key, v.text); err != nil {
			return err
		}
	}
	r.tally.Good++
	return r.remember(record.Key)
}

// The memory of remember, in bytes: for each key in a map beside the key's own bytes, and how much
// it takes at a time.
const (
	rememberedBytes = 56
	rememberedPart  = 1 << 20
)

// remember notes a key, so that a second one is found. Errors: uproar.ErrMemory.
func (r *Replacement) remember(key string) error {
	if r.room -= rememberedBytes + int64(len(key)); r.room < 0 {
		if err := r.load.Take(rememberedPart); err != nil {
			return err
		}
		r.room += rememberedPart
	}
	if r.seen == nil {
		r.seen = make(map[string]bool)
	}
	r.seen[key] = true
	return nil
}

// maxValue is how many bytes a value may have, as may those combined by a group together
// (uproar.Loader.Set).
const maxValue = 65534

// Errors of a replacement that is not carried out.
var (
	// ErrTooManyBad is matched when more lines of the tables are bad than ReplaceOptions.MaxBad
	// allows.
	ErrTooManyBad = errors.New("catalog: too many bad lines")

	// ErrEmpty is returned when a replacement has no record, and ReplaceOptions.Empty does not
	// allow that.
	ErrEmpty = errors.New("catalog: got no record, want at least one")
)

// Check fails if Commit would, because of what was read: ErrTooManyBad, ErrEmpty.
func (r *Replacement) Check() error {
	if err := r.tally.Check(r.opts.MaxBad, "line"); err != nil {
		return fmt.Errorf("%w: %w", ErrTooManyBad, err)
	}
	if r.tally.Good == 0 && !r.opts.Empty {
		return ErrEmpty
	}
	return nil
}

// Commit makes the records visible, durably, and removes the earlier ones. It keeps their index if
// it has another alias. The replacement has ended, whatever Commit returns: after an error the
// catalog is as it was. Errors: those of Check and uproar.Loader.CommitAs.
func (r *Replacement) Commit(ctx context.Context) error {
	defer r.Abort()
	err := r.Check()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return r.load.CommitAs(r.name)
}

// Abort ends a replacement without effect. After Commit it does nothing, so that it can be
// deferred.
func (r *Replacement) Abort() {
	if r.ended {
		return
	}
	r.load.Abort()
	r.end()
}

// end lets others replace the catalog.
func (r *Replacement) end() {
	r.ended = true
	replacing.Delete(r.target())
}
