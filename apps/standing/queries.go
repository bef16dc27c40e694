// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
)

// Definitions is the index of the definitions. Its records are named INDEX/NAME.
const Definitions = "standing"

// membersPrefix is before the name of an index in the name of the index with its results.
const membersPrefix = "standing_"

// longestNamed is how many bytes the name of an index may have to be a part of another name.
const longestNamed = 64 - len(membersPrefix)

// membersOf returns the name of the index with the results of an index's queries. A long name
// stands there as its hash, behind an underscore, with which no other name begins.
func membersOf(index string) string {
	if len(index) > longestNamed {
		sum := sha256.Sum256([]byte(index))
		index = "_" + hex.EncodeToString(sum[:16])
	}
	return membersPrefix + index
}

// Fields of both indexes.
const (
	ofField    = "of"    // of a definition: its index
	queryField = "query" // of a definition: its query, as text
	inField    = "in"    // of a record: the queries that have it
	asOfField  = "as_of" // of a position record: the commit that the results are of
	askedField = "asked" // of the first position record: the hashes of queries that were asked
	errorField = "error" // of the record of a query's name: why it cannot be asked
	rightField = "right" // likewise: the commit that its records are of; 0: it never was asked
)

// In the index of results, a record has the key that it has in its own index. One of the
// positionRecords has the commit that the results are of. The other one takes its turn when that is
// the same again, because a number that stays is no change, and in no event. A record of the index
// may have the same key: it has nothing in that field.
var positionRecords = [2]string{"position", "again"}

var (
	definitionFields = []uproar.Field{{Name: ofField, Type: uproar.Single}, {Name: queryField, Type: uproar.Single}}
	memberFields     = []uproar.Field{{Name: inField, Type: uproar.Set, Column: uproar.FastColumn},
		{Name: asOfField, Type: uproar.Integer}}

	// stateFields are those of results as well. Older ones get them from the next keeper.
	stateFields = []uproar.Field{{Name: askedField, Type: uproar.Set}, {Name: errorField, Type: uproar.Single},
		{Name: rightField, Type: uproar.Integer}}
)

// Most is how many queries may stand in a database.
const Most = 10_000

// longest is the greatest length of a key or value, in bytes.
const longest = 65534

// ErrUnknown is matched when a standing query is named that there is not.
var ErrUnknown = errors.New("standing: unknown query")

// Query is a standing query.
type Query struct {
	Name    string
	Text    string
	Records uint64 // that it has found
	AsOf    uint64 // the commit of its index that they are of; 0: that one was not asked yet
	Error   string // why it cannot be asked any more; "": it can
}

// open returns an index with some fields, and makes it if it is missing and is to be made.
func open(ctx context.Context, db *uproar.DB, name string, fields []uproar.Field, missing bool) (*uproar.Index, error) {
	ix, err := db.Index(name)
	if missing && errors.Is(err, uproar.ErrUnknownIndex) {
		if ix, err = db.CreateIndex(ctx, name, fields...); errors.Is(err, uproar.ErrIndexExists) {
			ix, err = db.Index(name) // made since just now
		}
	}
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if !slices.Contains(ix.Fields(), f) {
			return nil, fmt.Errorf("%w: index %q has not the field %s, and so cannot hold standing queries",
				uproar.ErrInvalid, name, f)
		}
	}
	return ix, nil
}

// openMembers returns the index of the results of an index's queries, and makes what is missing.
func openMembers(ctx context.Context, db *uproar.DB, index string) (*uproar.Index, error) {
	ix, err := open(ctx, db, membersOf(index), memberFields, true)
	if err != nil || hasStates(ix) {
		return ix, err
	}
	return db.AddFields(ctx, membersOf(index), stateFields...)
}

// hasStates reports whether results tell of each query whether it was asked.
func hasStates(members *uproar.Index) bool {
	declared := members.Fields()
	return !slices.ContainsFunc(stateFields, func(f uproar.Field) bool { return !slices.Contains(declared, f) })
}

// hashOf returns what stands for a query of an index that was asked. It is that of no other text,
// and of no other index under the same alias.
func hashOf(ix *uproar.Index, name, text string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", ix.Name(), name, text))
	return hex.EncodeToString(sum[:16])
}

// Owns reports whether an index holds definitions or results.
func Owns(index string) bool { return index == Definitions || strings.HasPrefix(index, membersPrefix) }

// IsLeft reports whether an index has the results of queries of an index that is gone. Nobody needs
// it.
func IsLeft(db *uproar.DB, index string) bool {
	if !strings.HasPrefix(index, membersPrefix) {
		return false
	}
	names := slices.AppendSeq(db.Indexes(), maps.Keys(db.Aliases()))
	return !slices.ContainsFunc(names, func(name string) bool { return membersOf(name) == index })
}

// Set makes a query of an index stand under a name, in the place of one of that name. A keeper
// finds its records soon, which enter then. A query of an alias is of the index that the alias
// stands for at the time, and has nothing to do with those that were set by another name. Errors:
// ErrInvalid (a name of no bytes, with a slash or too long; an index of this package; Most stand
// already), query.ErrSyntax, those of the query, or of writing.
//
// The query may name saved audiences. Who enters or leaves one that it needs enters or leaves the
// query; one that is forgotten has no records.
func Set(ctx context.Context, db *uproar.DB, index, name, text string) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("%w: name of a standing query: got %q, want some bytes without a slash", uproar.ErrInvalid,
			name)
	}
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	if Owns(index) || Owns(ix.Name()) {
		return fmt.Errorf("%w: index %q holds standing queries, want another one", uproar.ErrInvalid, index)
	}
	e, err := query.Parse(text)
	if err != nil {
		return err
	}
	giveBack, err := Hold(ctx, db)
	if err != nil {
		return err
	}
	defer giveBack()
	as, err := audience.Of(db, index)
	if err != nil {
		return err
	}
	if e, err = as.Expand(ctx, e); err != nil {
		return err
	}
	s := ix.Snapshot()
	defer s.Close()
	if _, err := s.Count(ctx, query.And{Of: []query.Expr{query.Bitmap{Bytes: noRecord}, e}}); err != nil {
		return err
	}
	definitions, err := open(ctx, db, Definitions, definitionFields, true)
	if err == nil {
		_, err = openMembers(ctx, db, index)
	}
	if err != nil {
		return err
	}
	key := index + "/" + name
	if len(key) > longest || len(text) > longest {
		return fmt.Errorf("%w: standing query: got a name of %d bytes with its index and a query of %d, want at most %d",
			uproar.ErrInvalid, len(key), len(text), longest)
	}
	_, err = definitions.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
		if _, err := s.ID(key); errors.Is(err, uproar.ErrUnknownRecord) {
			n, err := s.Count(ctx, query.Any{Field: ofField})
			if err != nil {
				return err
			}
			if n >= Most {
				return fmt.Errorf("%w: standing query %q: got %d that stand in this database, want at most %d with it; "+
					"drop one that nobody follows first", uproar.ErrInvalid, name, n, Most)
			}
		}
		b.Set(ofField, key, index)
		b.Set(queryField, key, text)
		return nil
	})
	return err
}

// Drop ends a standing query: its records leave it. Errors: ErrUnknown, or of writing.
func Drop(ctx context.Context, db *uproar.DB, index, name string) error {
	definitions, err := open(ctx, db, Definitions, definitionFields, false)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return unknown(index, name)
	}
	if err != nil {
		return err
	}
	_, err = definitions.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
		if _, err := s.ID(index + "/" + name); err != nil {
			return unknown(index, name)
		}
		b.DeleteRecord(index + "/" + name)
		return nil
	})
	return err
}

func unknown(index, name string) error {
	return fmt.Errorf("%w %q of index %q", ErrUnknown, name, index)
}

// List returns the standing queries of an index, by name. Errors: those of reading.
func List(ctx context.Context, db *uproar.DB, index string) ([]Query, error) {
	texts, err := texts(ctx, db, index)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	var list []Query
	for name, text := range texts {
		list = append(list, Query{Name: name, Text: text})
	}
	slices.SortFunc(list, func(a, b Query) int { return strings.Compare(a.Name, b.Name) })
	return list, describe(ctx, db, index, list)
}

// Find returns a standing query of an index. Errors: ErrUnknown, or those of reading.
func Find(ctx context.Context, db *uproar.DB, index, name string) (Query, error) {
	definitions, err := open(ctx, db, Definitions, definitionFields, false)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return Query{}, unknown(index, name)
	}
	if err != nil {
		return Query{}, err
	}
	s := definitions.Snapshot()
	defer s.Close()
	text, ok, err := s.Value(queryField, index+"/"+name)
	if errors.Is(err, uproar.ErrUnknownRecord) || err == nil && !ok {
		return Query{}, unknown(index, name)
	}
	if err != nil {
		return Query{}, err
	}
	list := []Query{{Name: name, Text: text}}
	err = describe(ctx, db, index, list)
	return list[0], err
}

// Needs returns the name of a standing query that needs a field of an index, or the first one if
// the field is "". It may have been set by an alias. It returns "" if there is none. Errors: those
// of reading.
func Needs(ctx context.Context, db *uproar.DB, ix *uproar.Index, field string) (string, error) {
	names := []string{ix.Name()}
	for alias, of := range db.Aliases() {
		if of == ix.Name() {
			names = append(names, alias)
		}
	}
	inverse := fieldsOf(ix).inverse
	for _, index := range names {
		texts, err := texts(ctx, db, index)
		if err != nil {
			return "", err
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if field == "" {
				return name, nil
			}
			e, err := query.Parse(texts[name])
			if err != nil {
				continue
			}
			for needed := range query.Fields(e) {
				if needed == field || inverse[needed] == field {
					return name, nil
				}
			}
		}
	}
	return "", nil
}

// texts returns the texts of the standing queries of an index by their names.
func texts(ctx context.Context, db *uproar.DB, index string) (map[string]string, error) {
	definitions, err := open(ctx, db, Definitions, definitionFields, false)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := definitions.Snapshot()
	defer s.Close()
	keys, err := s.Keys(ctx, query.Equal{Field: ofField, Value: index}, uproar.Page{})
	if err != nil {
		return nil, err
	}
	of := make(map[string]string, len(keys.Keys))
	for _, key := range keys.Keys {
		text, _, err := s.Value(queryField, key)
		if err != nil {
			return nil, err
		}
		of[strings.TrimPrefix(key, index+"/")] = text
	}
	return of, nil
}

// asOf returns the commit that the results are of, and which position record says so; 0: there are
// none yet.
func asOf(s uproar.Snapshot) (commit uint64, at int, err error) {
	for i, record := range positionRecords {
		n, ok, err := s.Int(asOfField, record)
		if ok || err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
			return uint64(n), i, err
		}
	}
	return 0, 0, nil
}
