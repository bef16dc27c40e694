// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

var _ sql.Scanner = (*Bitmap)(nil)

// shelf is a database of one row and one column: what is executed with an argument is stored, what
// is queried returns it, in the type that a driver may choose.
type shelf struct {
	stored driver.Value
	give   func(driver.Value) driver.Value
}

func (s *shelf) Connect(context.Context) (driver.Conn, error) { return s, nil }
func (s *shelf) Driver() driver.Driver                        { return nil }
func (s *shelf) Prepare(string) (driver.Stmt, error)          { return s, nil }
func (s *shelf) Close() error                                 { return nil }
func (s *shelf) Begin() (driver.Tx, error)                    { return nil, errors.New("no transactions") }
func (s *shelf) NumInput() int                                { return -1 }

func (s *shelf) Exec(args []driver.Value) (driver.Result, error) {
	s.stored = args[0]
	return driver.RowsAffected(1), nil
}

func (s *shelf) Query([]driver.Value) (driver.Rows, error) { return &shelfRows{shelf: s}, nil }

type shelfRows struct {
	shelf *shelf
	done  bool
}

func (r *shelfRows) Columns() []string { return []string{"set"} }
func (r *shelfRows) Close() error      { return nil }

func (r *shelfRows) Next(dest []driver.Value) error {
	if r.done {
		return io.EOF
	}
	r.done = true
	dest[0] = r.shelf.give(r.shelf.stored)
	return nil
}

// TestSQL stores sets of all shapes in a database and scans them, as bytes, strings and text.
func TestSQL(t *testing.T) {
	s := &shelf{}
	db := sql.OpenDB(s)
	defer db.Close()
	r := rand.New(rand.NewPCG(75, 76))
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		if len(values) > 5000 && testing.Short() {
			continue
		}
		b := FromSorted(values)
		text, _ := b.MarshalText()
		for form, arg := range map[string]any{"pointer": b, "value": *b, "view": b.View(), "text": text,
			"string": string(text)} {
			if _, err := db.Exec("store", arg); err != nil {
				t.Fatalf("%s, %s: %v", name, form, err)
			}
			if data, ok := s.stored.([]byte); ok && form != "text" && !bytes.Equal(data, b.Bytes()) {
				t.Fatalf("%s, %s: other bytes were stored", name, form)
			}
			for kind, give := range map[string]func(driver.Value) driver.Value{
				"as stored": func(v driver.Value) driver.Value { return v },
				"string": func(v driver.Value) driver.Value {
					if data, ok := v.([]byte); ok {
						return string(data)
					}
					return v
				},
			} {
				s.give = give
				c := Of(1, 5)
				if err := db.QueryRow("load").Scan(c); err != nil {
					t.Fatalf("%s, %s, %s: %v", name, form, kind, err)
				}
				hasValues(t, name+", "+form+", "+kind, c, values)
			}
		}
	}
}

// TestSQLNull stores no set and scans NULL.
func TestSQLNull(t *testing.T) {
	s := &shelf{give: func(v driver.Value) driver.Value { return v }}
	db := sql.OpenDB(s)
	defer db.Close()
	var none *Bitmap
	if _, err := db.Exec("store", none); err != nil || s.stored != nil {
		t.Fatalf("stored %v, %v", s.stored, err)
	}
	b := Of(1, 2)
	if err := db.QueryRow("load").Scan(b); err != nil || !b.IsEmpty() {
		t.Fatalf("got %d values, %v", b.Len(), err)
	}
	hasValues(t, "NULL", b, nil)
	n := sql.Null[Bitmap]{V: *Of(1), Valid: true}
	if err := db.QueryRow("load").Scan(&n); err != nil || n.Valid {
		t.Fatalf("sql.Null: %v, %v", n.Valid, err)
	}
}

// TestScanFailure checks that a set stays as it was.
func TestScanFailure(t *testing.T) {
	for _, src := range []any{int64(7), 1.5, true, []byte{}, "", []byte{0xB5, 9}, "no set", []uint64{1}} {
		b := Of(3, 4)
		if err := b.Scan(src); err == nil || b.Len() != 2 || !b.Contains(4) {
			t.Errorf("%T %v: got %v and %d values", src, src, err, b.Len())
		}
	}
}
