// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// FieldType says what a field's values are.
type FieldType string

const (
	// Set is a field with any number of values for each record, known by strings: tags, countries.
	Set FieldType = "set"

	// Relation is a field whose values are themselves records of the same index. It is kept with
	// its inverse: "follows" with "followers".
	Relation FieldType = "relation"

	// Single is a field with at most one value for each record, known by a string: setting one
	// takes the other away.
	Single FieldType = "single"

	// Integer is a field with at most one int64 for each record.
	Integer FieldType = "integer"
)

// Field declares a field of an index.
type Field struct {
	Name    string    // 1 to 64 letters, digits and underscores, beginning with a letter
	Type    FieldType // Set, Relation, Single or Integer
	Inverse string    // Relation only: the name of the inverse, which is read and written like a field
	Format  Format    // Integer only: how its integers are written as text
	Scale   int       // Integer only, of format Number: 0 to 18 decimal digits of the integer stand after the point
	// Set: whether the values of each record are kept together as well; Single, which has that:
	// FastColumn for lists that are combined faster
	Column Column
}

// Column says whether a Set field keeps the values of each record together, beside the records of
// each value. With it, counts of all values within a set of records take time in proportion to that
// set, and deleting a record does not take a walk over the whole field; writes cost twice as much.
// A Single or Integer field always has that, and a Relation has its inverse.
type Column string

const (
	// NoColumn is the default.
	NoColumn Column = ""

	// FastColumn takes 1 to 4 bytes for each value of a record. Lists of values that very many
	// records, or any value in a Single field, take up to twice the room, and are combined faster.
	FastColumn Column = "fast"

	// SmallColumn takes some 2 bits more than the logarithm of the distance between values: about
	// half of FastColumn. Reading takes several times as long.
	SmallColumn Column = "small"

	// KeyColumn keeps the records of a Relation's edges by their keys, see Batch.SetEdge.
	KeyColumn Column = "keys"
)

// Format says how the integers of an Integer field are written as text, in queries, batches, loads
// and changes.
type Format string

const (
	// Number is a decimal number: -7, or with a Scale of 2 also -7.25, which is the integer -725.
	Number Format = ""

	// Date is a day, 2026-01-31: the integer is the number of days since 1970-01-01.
	Date Format = "date"

	// Time is a time of RFC 3339 in whole seconds, 2026-01-31T12:00:00Z: the integer is the number
	// of seconds since 1970-01-01T00:00:00Z.
	Time Format = "time"
)

// SavedField is the name of the field, which every index has, whose rows are the saved sets. It is
// read and written like a Set field that was declared: Rows lists the saved sets, Batch.DeleteRow
// empties one, and Changes tells of them. Deleted records leave saved sets as they leave other
// rows.
const SavedField = schema.SavedName

// declared returns the field as package schema has it.
func (f Field) declared() schema.Field {
	return schema.Field{Name: f.Name, Type: schema.Type(f.Type), Inverse: f.Inverse, Format: schema.Format(f.Format),
		Scale: f.Scale, Column: schema.Column(f.Column)}
}

// fieldOf returns a field as users see it.
func fieldOf(f schema.Field) Field {
	return Field{Name: f.Name, Type: FieldType(f.Type), Inverse: f.Inverse, Format: Format(f.Format),
		Scale: f.Scale, Column: Column(f.Column)}
}

// declared returns fields as package schema has them.
func declared(fields []Field) []schema.Field {
	out := make([]schema.Field, len(fields))
	for i, f := range fields {
		out[i] = f.declared()
	}
	return out
}

// String returns the field as command lines say it, such as born:date, height:decimal:scale=2 or
// likes:set:column=fast.
func (f Field) String() string { return f.declared().String() }

// Text returns the text of an integer of the field, as Format and Scale declare it. What is no day
// or time of the years 0 to 9999 is a decimal number.
func (f Field) Text(x int64) string { return f.declared().Text(x) }

// AppendText appends what Text returns.
func (f Field) AppendText(dst []byte, x int64) []byte { return f.declared().AppendText(dst, x) }

// Parse reads the text of an integer of the field: what Text writes, or another form of the same
// number, day or time, such as 39.0, 3.9e1 or a day's midnight. Errors: ErrInvalid.
func (f Field) Parse(text string) (int64, error) { return f.declared().Parse(text) }

// ParseFieldType reads the one word for type and format that String writes: set, single, integer,
// date, time or decimal, which needs a Scale as well. Errors: ErrInvalid.
func ParseFieldType(text string) (FieldType, Format, error) {
	t, format, err := schema.ParseType(text)
	return FieldType(t), Format(format), err
}

// FieldConflictError says that an index has a field otherwise than it is wanted, or not at all. It
// matches ErrInvalid.
type FieldConflictError struct {
	Index string
	Has   Field // without a name: the index has none
	Want  Field
}

// Error names the index, what it has, what is wanted and what can be done.
func (e *FieldConflictError) Error() string {
	if e.Has.Name == "" {
		return fmt.Sprintf("field %q of index %q: has none, want %s; add the field, or name another index",
			e.Want.Name, e.Index, e.Want)
	}
	return fmt.Sprintf("field %q of index %q: has %s, want %s; drop the field, with its values, or name another one",
		e.Want.Name, e.Index, e.Has, e.Want)
}

// Is reports whether the error is ErrInvalid.
func (e *FieldConflictError) Is(target error) bool { return target == sentinel.ErrInvalid }

// AddFields is ChangeFields that drops none.
func (db *DB) AddFields(ctx context.Context, name string, fields ...Field) (*Index, error) {
	return db.ChangeFields(ctx, name, nil, fields)
}

// DropField is ChangeFields that drops one field.
func (db *DB) DropField(ctx context.Context, index, field string) error {
	_, err := db.ChangeFields(ctx, index, []string{field}, nil)
	return err
}

// ChangeFields drops fields of an index with all their values, then adds others, and returns the
// index. All of it is done or nothing, durably and without waiting for readers and writers.
//
// A relation is dropped together with its inverse. When ChangeFields returns nil, new snapshots,
// batches and loads do not know what was dropped. Open ones keep it until they are closed. A batch
// that is written meanwhile is refused with ErrUnknownField, or written without values of the
// field. Its name may be added again, for a field without values. The next flush deletes the pages.
// Their room is freed as the store handles deleted entries, or by Compact. Writes to the field stay
// in the log until it is trimmed.
//
// Fields that the index has already, exactly as they are to be added, stay. No record has a value
// in the others yet. They may be written and asked about, also in snapshots that are open.
//
// Errors: ErrUnknownIndex, ErrUnknownField, ErrInvalid (a field that cannot be, an inverse that is
// dropped by itself, or SavedField), *FieldConflictError (one that is there otherwise),
// ErrReadOnly, ErrClosed, ctx's, or the store's. After an error nothing has changed.
func (db *DB) ChangeFields(ctx context.Context, name string, drop []string, add []Field) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, ErrClosed
	}
	ix, err := db.Index(name)
	if err != nil {
		return nil, err
	}
	numbers, err := ix.numbersOf(drop)
	if err != nil {
		return nil, err
	}
	next := db.catalog.Clone()
	entry := next.Index(ix.name)
	entry.DropFields(numbers...)
	missing, err := ix.lacks(schema.New(entry.Fields), add)
	if err != nil || len(numbers)+len(missing) == 0 {
		return ix, err
	}
	if db.ReadOnly() {
		return nil, fmt.Errorf("uproar: changing fields of index %q: %w", name, ErrReadOnly)
	}
	added, err := schema.Declare(entry.Fields, declared(missing))
	if err != nil {
		return nil, err
	}
	kept, err := schema.PostingFields(added)
	if err != nil {
		return nil, err
	}
	// First the catalog: a write to a field must never be in a log whose catalog does not know the
	// field. Pages may go only when no opening knows the field any more, and snapshots that begin
	// with them gone must not know it either.
	entry.Fields = append(slices.Clone(entry.Fields), added...)
	if err := next.Write(db.store); err != nil {
		return nil, err
	}
	db.catalog = next
	if err := ix.lists.AddFields(kept...); err != nil {
		return nil, err
	}
	ix.schema.Store(schema.New(entry.Fields))
	if len(numbers) > 0 {
		err = ix.lists.DropFields(numbers...)
	}
	return ix, err
}

// numbersOf returns the numbers of fields that are to be dropped, those of inverses included.
func (ix *Index) numbersOf(drop []string) (numbers []uint32, err error) {
	for i, name := range drop {
		f, err := ix.field(name)
		switch {
		case err != nil:
			return nil, err
		case f.ID == schema.SavedID:
			return nil, invalid("drop: got %q, which every index has", name)
		case f.Derived:
			return nil, invalid("drop: got %q, the inverse of %q, which is dropped with it", name, f.Inverse)
		case slices.Contains(drop[:i], name):
			return nil, invalid("drop: got %q twice", name)
		}
		if numbers = append(numbers, f.ID); f.InverseID != 0 {
			numbers = append(numbers, f.InverseID)
		}
	}
	return numbers, nil
}

// lacks returns the fields that are not among those of a schema.
func (ix *Index) lacks(of *schema.Schema, fields []Field) (missing []Field, err error) {
	for _, f := range fields {
		have := of.Named(f.Name)
		switch {
		case have == nil || f.Name == SavedField: // which cannot be declared
			missing = append(missing, f)
		case fieldOf(have.Field) != f:
			return nil, &FieldConflictError{Index: ix.name, Has: fieldOf(have.Field), Want: f}
		}
	}
	return missing, nil
}
