// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/query"
)

// Bind says what a leaf of a query is in the index, and of a query.Through its relation. An error
// of it ends the evaluation and is returned as it is.
type Bind func(query.Expr) (Leaf, error)

// Leaf is what an index has for a leaf of a query. The zero value is a leaf that can have no
// records, such as a value that no record ever had.
type Leaf struct {
	Kind     Kind
	Field    uint32
	Row      uint64    // of List
	From, To int64     // of Integers: the range, both included
	Space    uint32    // of Key and Prefix: where the keys of the rows are
	Key      string    // of Key
	Set      view.View // of Set: valid ([view.View.Validate]), and unchanged as long as the query runs
}

// Kind is the kind of a leaf.
type Kind uint8

const (
	// Empty has no records.
	Empty Kind = iota
	// List is the list of one row.
	List
	// Key is the list of the row that has a key, if one has; in the space of the records only that
	// of a record which exists. Many keys of a query are looked up together.
	Key
	// Any is the records that have a value in a field.
	Any
	// Integers is the records whose integer in a field is in a range.
	Integers
	// Prefix is the records in a row whose key begins with what a query.Prefix says.
	Prefix
	// Rows is a relation: the field whose rows are the records of the query in a query.Through.
	Rows
	// Set is a bitmap that is no list of the index.
	Set
)

// checkNames fails for an expression with a leaf that cannot be bound. It looks at leaves that
// simplifying drops, too: an unknown name is an error wherever it stands.
func checkNames(e query.Expr, bind Bind) error {
	if query.IsSimple(e) {
		return nil // nothing will be left out
	}
	for e := range query.Walk(e) {
		switch e.(type) {
		case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved,
			query.Bitmap, query.Through:
			if _, err := bind(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// isLeaf reports whether an expression is one that is bound, and not a Through.
func isLeaf(e query.Expr) bool {
	switch e.(type) {
	case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved, query.Bitmap:
		return true
	}
	return false
}

// lookup returns the question for the row of a leaf of kind Key.
func (l *Leaf) lookup() reader.Lookup {
	return reader.Lookup{Space: l.Space, Key: l.Key, Near: l.Field, Exists: l.Space == model.RecordSpace}
}
