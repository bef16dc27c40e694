// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar"
)

// numberedNote is the note of an index whose records are numbered, because their tables have no
// column of keys. Such an index takes no keys of other tables, which would be merged into numbers
// by chance.
var numberedNote = []byte(`{"records":"numbered"}`)

// numbering names records by numbers that no record has. nil names none.
type numbering struct {
	last   int64
	taken  uproar.Snapshot // of an index that has records
	looks  bool            // there is one
	unsaid bool            // the index is to be marked as one of numbers
}

// beginNumbering returns how the records of an import into an index are named: nil if a column has
// their keys. Errors: ErrSchema, if the index has records that are named otherwise.
func beginNumbering(index *uproar.Index, key string) (*numbering, error) {
	numbered := bytes.Equal(index.Note(), numberedNote)
	stats, err := index.Stats()
	if err != nil {
		return nil, err
	}
	switch {
	case numbered && key != "" && stats.Records > 0:
		return nil, fmt.Errorf("%w: index %q numbers its records, got column %q as the key; "+
			"import without a key, or into another index", ErrSchema, index.Name(), key)
	case key != "":
		return nil, nil
	case !numbered && (stats.Records > 0 || len(index.Note()) > 0):
		return nil, fmt.Errorf("%w: the records of index %q have keys, got none for those of the table; "+
			"name the column of the key, or import into another index", ErrSchema, index.Name())
	}
	n := &numbering{last: int64(stats.Records), unsaid: !numbered}
	if stats.Records > 0 {
		n.taken, n.looks = index.Snapshot(), true
	}
	return n, nil
}

// next returns the next number that no record has.
func (n *numbering) next() (string, error) {
	for {
		n.last++
		key := strconv.FormatInt(n.last, 10)
		if !n.looks {
			return key, nil
		}
		_, err := n.taken.ID(key)
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return key, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// mark sets the note of an empty index that had none: before its first record is there, and back if
// none comes. Of an empty index whose records get keys it takes the note of numbers away.
func (n *numbering) mark(ctx context.Context, db *uproar.DB, index *uproar.Index, note []byte) error {
	switch {
	case n == nil && bytes.Equal(index.Note(), numberedNote):
		return db.SetNote(ctx, index.Name(), nil)
	case n == nil || !n.unsaid:
		return nil
	}
	return db.SetNote(ctx, index.Name(), note)
}

// end lets go of what the numbering holds.
func (n *numbering) end() {
	if n != nil && n.looks {
		n.taken.Close()
		n.looks = false
	}
}
