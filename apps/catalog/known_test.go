// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestKnown checks that what is known of values is bounded, and never of another value or field. A
// value that is asked for again and again comes in.
func TestKnown(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	index, err := db.CreateIndex(t.Context(), "x", uproar.Field{Name: "f", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for _, v := range []string{"0", "1"} {
		b.Set("f", "record "+v, v)
	}
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s := index.Snapshot()
	defer s.Close()
	var rows [2]uproar.RowID
	for i := range rows {
		if rows[i], _, err = s.RowID("f", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	var all known
	k := all.of(2)
	if _, ok := k.find(1, "a"); ok {
		t.Error("nothing is known: got a row")
	}
	long := strings.Repeat("x", longestKnown+1)
	k.note(1, long, rows[0])
	if _, ok := k.find(1, long); ok {
		t.Error("a long value: got it noted")
	}
	values := 4 * mostKnown
	for i := range values {
		k.note(i%3, fmt.Sprint("value ", i), rows[i%2])
	}
	found := 0
	for i := range values {
		row, ok := k.find(i%3, fmt.Sprint("value ", i))
		if ok && row != rows[i%2] {
			t.Fatalf("value %d: got another row", i)
		}
		if _, other := k.find(i%3+1, fmt.Sprint("value ", i)); other {
			t.Fatalf("value %d: got the row of another field", i)
		}
		if ok {
			found++
		}
	}
	if found < mostKnown/2 || found > mostKnown {
		t.Errorf("got %d values of %d, want at most %d, and not many less", found, values, mostKnown)
	}
	for i := 0; ; i++ {
		if _, ok := k.find(1, "often"); ok {
			break
		}
		if k.note(1, "often", rows[1]); i > rarely {
			t.Fatal("a value that is asked for often did not come in")
		}
	}
	const fields, most = 64, 8 // that find no room, by chance
	missing := 0
	k = new(known).of(2)
	for field := range fields {
		k.note(field, "yes", rows[0])
	}
	for field := range fields {
		if _, ok := k.find(field, "yes"); !ok {
			missing++
		}
	}
	if missing > most {
		t.Errorf("a value of %d fields: got it left out of %d", fields, missing)
	}
	k = all.of(2)
	if past := all.of(1); past != nil {
		t.Error("a schema of before: got a table")
	}
	all.of(1).note(1, "often", rows[0])
	if row, ok := all.of(1).find(1, "often"); ok {
		t.Errorf("a schema of before: got row %v", row)
	}
	if all.of(2) != k {
		t.Error("the same schema: got another table")
	}
	if _, ok := all.of(3).find(1, "often"); ok {
		t.Error("a later schema: got a row of the one before")
	}
}
