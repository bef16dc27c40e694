// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Definitions is the name of the index that has the queries of saved audiences that follow the
// data. It is made with the first one. Its records are named INDEX/NAME.
const Definitions = "audiences"

// Fields of the index of definitions.
const (
	ofField    = "of"    // the index that the audience is of
	queryField = "query" // its query, as text
)

// ErrRecursive is matched when a saved audience needs itself, or too many others.
var ErrRecursive = errors.New("audience: recursive")

// maxExpanded is how many saved audiences a query may name, those in their queries included.
const maxExpanded = 1000

// Saved is a saved audience.
type Saved struct {
	Name    string `json:"name"`
	Follows bool   `json:"follows"`     // it is a query, evaluated whenever it is asked for; else a set of records
	Query   string `json:"q,omitempty"` // of one that follows
	Records uint64 `json:"records"`     // now
	// why the query of one that follows has no answer any more: it needs an audience, or a field,
	// that is gone
	Broken error `json:"-"`
}

// definitions returns the index of the definitions; nil if there is none.
func (as Audiences) definitions() (*uproar.Index, error) {
	ix, err := as.db.Index(Definitions)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, f := range definitionFields {
		if !slices.Contains(ix.Fields(), f) {
			return nil, fmt.Errorf("%w: index %s has not field %+v, and so cannot hold saved audiences", ErrSchema,
				Definitions, f)
		}
	}
	return ix, nil
}

var definitionFields = []uproar.Field{{Name: ofField, Type: uproar.Single}, {Name: queryField, Type: uproar.Single}}

// makeDefinitions is definitions, and makes the index if need be.
func (as Audiences) makeDefinitions(ctx context.Context) (*uproar.Index, error) {
	ix, err := as.definitions()
	if ix != nil || err != nil {
		return ix, err
	}
	ix, err = as.db.CreateIndex(ctx, Definitions, definitionFields...)
	if errors.Is(err, uproar.ErrIndexExists) { // since just now
		return as.definitions()
	}
	return ix, err
}

// record returns the key of the definition of a name.
func (as Audiences) record(name string) string { return as.index.Name() + "/" + name }

// Freeze saves the records that a query fits now under a name, and returns their number. It
// replaces what was saved there. Errors: those of View.Find and uproar.Index.Save.
func (as Audiences) Freeze(ctx context.Context, name string, q query.Expr) (uint64, error) {
	v, err := as.View(ctx)
	if err != nil {
		return 0, err
	}
	defer v.Close()
	if q, err = v.expand(q); err != nil {
		return 0, err
	}
	n, err := as.index.Save(ctx, name, q)
	if err != nil {
		return 0, err
	}
	// Until here a definition of that name is what is found, from here on the set.
	_, err = as.undefine(ctx, name)
	return n, err
}

// Follow saves a query under a name, and returns how many records it fits now. It replaces what was
// saved there. saved(name) means the query from then on, whatever is written. Its text may
// have 65 534 bytes. Errors: ErrRecursive, those of View.Find, and uproar.Index.Write.
func (as Audiences) Follow(ctx context.Context, name string, q query.Expr) (uint64, error) {
	if name == "" {
		return 0, fmt.Errorf("%w: name of a saved audience: got none, want one", uproar.ErrInvalid)
	}
	v, err := as.View(ctx)
	if err != nil {
		return 0, err
	}
	defer v.Close()
	e := expansion{view: v, path: []string{name}}
	whole, err := e.expand(q)
	if err != nil {
		return 0, err
	}
	n, err := v.snap.Count(ctx, whole)
	if err != nil {
		return 0, err
	}
	definitions, err := as.makeDefinitions(ctx)
	if err != nil {
		return 0, err
	}
	var b uproar.Batch
	b.Set(ofField, as.record(name), as.index.Name())
	b.Set(queryField, as.record(name), q.String())
	if _, err := definitions.Write(ctx, &b); err != nil {
		return 0, err
	}
	b.Reset()
	b.DeleteRow(uproar.SavedField, name)
	_, err = as.index.Write(ctx, &b)
	return n, err
}

// Forget deletes a saved audience. Errors: uproar.ErrUnknownSet, and those of uproar.Index.Write.
func (as Audiences) Forget(ctx context.Context, name string) error {
	v, err := as.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	n, err := v.snap.Count(ctx, query.Saved{Name: name})
	if err != nil && !errors.Is(err, uproar.ErrUnknownSet) {
		return err
	}
	if n > 0 {
		var b uproar.Batch
		b.DeleteRow(uproar.SavedField, name)
		if _, err := as.index.Write(ctx, &b); err != nil {
			return err
		}
	}
	defined, err := as.undefine(ctx, name)
	if err == nil && n == 0 && !defined {
		err = &uproar.UnknownError{What: "saved set", Name: name}
	}
	return err
}

// undefine deletes the definition of a name, and reports whether there was one.
func (as Audiences) undefine(ctx context.Context, name string) (bool, error) {
	definitions, err := as.definitions()
	if definitions == nil || err != nil {
		return false, err
	}
	s := definitions.Snapshot()
	_, err = s.ID(as.record(name))
	s.Close()
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var b uproar.Batch
	b.DeleteRecord(as.record(name))
	_, err = definitions.Write(ctx, &b)
	return err == nil, err
}

// Saved returns the saved audiences, by name. Those that follow are evaluated; one that needs what
// is gone is broken, and the others are not for that. Errors: those of reading.
func (v *View) Saved(ctx context.Context) ([]Saved, error) {
	var list []Saved
	names := map[string]bool{}
	if v.defined != nil {
		keys, err := v.defined.Keys(ctx, query.Equal{Field: ofField, Value: v.audiences.index.Name()}, uproar.Page{})
		if err != nil {
			return nil, err
		}
		for _, key := range keys.Keys {
			name := strings.TrimPrefix(key, v.audiences.index.Name()+"/")
			q, _, err := v.definition(name)
			if err != nil {
				return nil, err
			}
			n, err := v.count(ctx, query.Saved{Name: name})
			if err != nil && !isBroken(err) {
				return nil, err
			}
			list, names[name] = append(list, Saved{Name: name, Follows: true, Query: q, Records: n, Broken: err}), true
		}
	}
	for row, err := range v.snap.Rows(ctx, uproar.SavedField) {
		if err != nil {
			return nil, err
		}
		if !names[row.Key] {
			list = append(list, Saved{Name: row.Key, Records: row.Len})
		}
	}
	slices.SortFunc(list, func(a, b Saved) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// isBroken reports whether an error is the query's own: something that it needs is gone, it has
// become too large with what it needs, or it needs itself, because two audiences were saved at
// once.
func isBroken(err error) bool {
	for _, own := range [...]error{uproar.ErrUnknownSet, uproar.ErrUnknownField, uproar.ErrLimit, uproar.ErrInvalid,
		query.ErrInvalid, ErrRecursive} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}

// count counts the records of a query, in which saved audiences may be named.
func (v *View) count(ctx context.Context, q query.Expr) (uint64, error) {
	q, err := v.expand(q)
	if err != nil {
		return 0, err
	}
	return v.snap.Count(ctx, q)
}

// definition returns the text of the query of a saved audience that follows.
func (v *View) definition(name string) (text string, ok bool, err error) {
	if v.defined == nil {
		return "", false, nil
	}
	text, ok, err = v.defined.Value(queryField, v.audiences.record(name))
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return "", false, nil
	}
	return text, ok, err
}

// Expand puts the queries of saved audiences that follow the data in the place of their names, as
// they are now. Errors: ErrRecursive, query.ErrInvalid, or those of reading.
func (as Audiences) Expand(ctx context.Context, q query.Expr) (query.Expr, error) {
	v, err := as.View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	return v.expand(q)
}

// expand puts the queries of saved audiences in the place of their names.
func (v *View) expand(q query.Expr) (query.Expr, error) {
	if err := query.Validate(q); err != nil {
		return nil, err
	}
	e := expansion{view: v}
	return e.expand(q)
}

// expansion is the work of expand.
type expansion struct {
	view  *View
	path  []string // names within whose queries it is
	count int
}

func (e *expansion) expand(q query.Expr) (out query.Expr, err error) {
	out = query.Map(q, func(x query.Expr) query.Expr {
		if leaf, ok := x.(query.Saved); ok && err == nil {
			x, err = e.saved(leaf)
		}
		return x
	})
	return out, err
}

// saved returns the query of a saved audience that follows; of a frozen one the leaf itself.
func (e *expansion) saved(leaf query.Saved) (query.Expr, error) {
	text, ok, err := e.view.definition(leaf.Name)
	if err != nil {
		return leaf, err
	}
	if slices.Contains(e.path, leaf.Name) { // also one that is not saved yet
		return leaf, fmt.Errorf("%w: saved(%s) needs itself: %s", ErrRecursive, leaf.Name,
			strings.Join(append(slices.Clone(e.path), leaf.Name), ", which needs "))
	}
	if !ok {
		return leaf, nil
	}
	if e.count++; e.count > maxExpanded {
		return leaf, fmt.Errorf("%w: got more than %d saved audiences in a query, with those that they need",
			ErrRecursive, maxExpanded)
	}
	q, err := query.Parse(text)
	if err != nil {
		return leaf, fmt.Errorf("saved(%s): %w", leaf.Name, err)
	}
	e.path = append(e.path, leaf.Name)
	defer func() { e.path = e.path[:len(e.path)-1] }()
	return e.expand(q)
}
