// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// noRecord is the bitmap of no record.
var noRecord, _ = bitmap.Of().View().MarshalBinary()

// standing is a query that stands.
type standing struct {
	text    string     // "": it was dropped
	expr    query.Expr // nil: it cannot be asked
	shape   shape
	saved   bool           // it names saved sets
	found   *bitmap.Bitmap // the IDs of its records
	unasked bool           // it was not asked since it stands
	failed  string         // why it could not be asked last time; then its records stay
}

// rounds finds out, round by round, what has entered and left the standing queries of an index. For
// one goroutine.
type rounds struct {
	db          *uproar.DB
	log         *slog.Logger
	name        string // that queries were set by: of the index, or an alias of it
	index       *uproar.Index
	definitions *uproar.Index
	members     *uproar.Index
	schema      uint64 // the version of the fields
	fields      *fields
	queries     map[string]*standing
	defined     uint64           // the commit of the definitions that queries are of
	audiences   uint64           // likewise of the saved audiences that follow the data
	asked       uint64           // the commit of the index that the results are of
	kept        uint64           // the last such commit that stands beside the results
	at          int              // in which position record
	before      *uproar.Snapshot // of asked; nil: there was no round yet
	ticked      time.Time
	asking      time.Duration // of the last round, without what it wrote
	writes      map[write]*bitmap.Bitmap
	gone        []gone
	stand       states // those that stand beside the results
	restated    bool   // there may be others
	leftovers   leftovers
}

// errMoved ends the rounds of an alias that stands for another index now.
var errMoved = errors.New("standing: the alias stands for another index")

// newRounds goes on from the results that there are. Its caller closes it.
func newRounds(ctx context.Context, db *uproar.DB, definitions *uproar.Index, index string, log *slog.Logger) (*rounds,
	error) {
	ix, err := db.Index(index)
	if err != nil {
		return nil, err
	}
	members, err := openMembers(ctx, db, index)
	if err != nil {
		return nil, err
	}
	keeping.handle(db, index, 0)
	k := &rounds{db: db, log: log, name: index, index: ix, definitions: definitions, members: members,
		queries: make(map[string]*standing), writes: make(map[write]*bitmap.Bitmap), ticked: time.Now()}
	return k, k.resume(ctx)
}

// close lets go of the state that the next round would compare with.
func (k *rounds) close() {
	if k.before != nil {
		k.before.Close()
		k.before = nil
	}
}

// reshape looks at the fields again, if they are others now. What was dropped or added is in no
// commit, so each query is asked anew.
func (k *rounds) reshape(s uproar.Snapshot) {
	if k.fields != nil && s.SchemaVersion() == k.schema {
		return
	}
	k.schema, k.fields = s.SchemaVersion(), fieldsOf(k.index)
	for _, q := range k.queries {
		if q.expr != nil {
			q.shape, q.unasked = shapeOf(q.expr, k.fields), true
		}
	}
}

// resume reads which records the queries had found. One that is gone since leaves in the first
// round.
func (k *rounds) resume(ctx context.Context) error {
	s, m := k.index.Snapshot(), k.members.Snapshot()
	defer s.Close()
	defer m.Close()
	var err error
	if k.asked, k.at, err = asOf(m); err != nil {
		return err
	}
	if k.kept = k.asked; k.asked > s.Sequence() { // a restored index is older
		k.asked = 0
	}
	if err := k.stand.read(ctx, m); err != nil {
		return err
	}
	for row, err := range m.Rows(ctx, inField) {
		if err != nil {
			return err
		}
		q := &standing{found: new(bitmap.Bitmap)}
		k.queries[row.Key] = q
		of, err := m.Select(ctx, query.Equal{Field: inField, Value: row.Key})
		for page := (uproar.IDs{More: true}); err == nil && page.More; {
			if page, err = of.IDs(uproar.Page{From: page.Next, Limit: partChanges}); err == nil {
				err = k.find(s, of, page.IDs, row.Key, q)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find adds records of the results of a query to what it has found.
func (k *rounds) find(s uproar.Snapshot, of *uproar.Selection, members []uint64, name string, q *standing) error {
	keys, err := of.Keys(members)
	if err != nil {
		return err
	}
	for _, key := range keys {
		id, err := s.ID(key)
		switch {
		case err == nil:
			q.found.Add(id)
		case errors.Is(err, uproar.ErrUnknownRecord):
			k.gone = append(k.gone, gone{name, strings.Clone(key)})
		default:
			return err
		}
	}
	return nil
}

// define reads the definitions, and those of saved audiences, if they are others now.
func (k *rounds) define(ctx context.Context) error {
	s := k.definitions.Snapshot()
	sequence := s.Sequence()
	s.Close()
	audiences, err := k.audience()
	if err != nil || sequence == k.defined && audiences == k.audiences {
		return err
	}
	texts, err := texts(ctx, k.db, k.name)
	if err != nil {
		return err
	}
	as, err := audience.Of(k.db, k.index.Name())
	if err != nil {
		return err
	}
	others := audiences != k.audiences
	k.defined, k.audiences, k.restated = sequence, audiences, true
	for name, text := range texts {
		q := k.queries[name]
		if q == nil {
			q = &standing{found: new(bitmap.Bitmap)}
			k.queries[name] = q
		}
		if q.text == text && !(others && q.saved) {
			continue
		}
		e, err := query.Parse(text)
		q.saved = err == nil && namesSaved(e)
		if q.saved {
			e, err = as.Expand(ctx, e)
		}
		if err != nil {
			if !isOwn(err) {
				return err
			}
			q.text, q.expr, q.shape = text, nil, shape{}
			k.fail(name, q, err)
			continue
		}
		if q.text == text && q.expr != nil && q.expr.String() == e.String() {
			continue
		}
		q.text, q.expr, q.shape, q.unasked = text, e, shapeOf(e, k.fields), true
	}
	for name, q := range k.queries {
		if _, ok := texts[name]; !ok {
			*q = standing{expr: query.Nothing{}, found: q.found, unasked: true} // its records leave
		}
	}
	return nil
}

// isOwn reports whether an error is the query's own, and comes again whenever it is asked.
func isOwn(err error) bool {
	for _, own := range [...]error{uproar.ErrUnknownField, uproar.ErrInvalid, uproar.ErrLimit, query.ErrSyntax,
		query.ErrInvalid, audience.ErrRecursive} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}

// namesSaved reports whether a query names saved sets.
func namesSaved(e query.Expr) bool {
	for e := range query.Leaves(e) {
		if _, ok := e.(query.Saved); ok {
			return true
		}
	}
	return false
}

// audience returns the last commit of the definitions of saved audiences; 0: there are none.
func (k *rounds) audience() (uint64, error) {
	ix, err := k.db.Index(audience.Definitions)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	s := ix.Snapshot()
	defer s.Close()
	return s.Sequence(), nil
}

// round brings all results to the newest commit.
func (k *rounds) round(ctx context.Context) error {
	began := time.Now()
	if now, err := k.db.Index(k.name); err != nil {
		return err
	} else if now != k.index {
		return errMoved
	}
	s := k.index.Snapshot().Under(ctx)
	goesOn := false
	defer func() {
		if !goesOn {
			s.Close()
		}
	}()
	k.reshape(s)
	if err := k.define(ctx); err != nil {
		return err
	}
	c := &changes{last: s.Sequence()}
	var err error
	if len(k.queries) > 0 {
		c, err = changesOf(ctx, k.index, s, k.asked, k.fields, k.history(s))
	}
	if errors.Is(err, uproar.ErrSequenceTrimmed) {
		c.loaded, err = true, nil
	}
	if err != nil {
		return err
	}
	if time.Since(k.ticked) >= tick {
		k.ticked, c.tick = time.Now(), true
	}
	touched, err := c.records.View().MarshalBinary()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(k.queries)) {
		if err := k.ask(ctx, s, name, k.queries[name], c, touched); err != nil {
			return err
		}
	}
	k.asking = time.Since(began)
	if err := k.write(ctx, s, c); err != nil {
		return err
	}
	k.close()
	k.asked, k.before, goesOn = s.Sequence(), &s, true
	keeping.handle(k.db, k.name, k.asked)
	for name, q := range k.queries {
		if q.text == "" {
			delete(k.queries, name)
		}
	}
	return k.leftovers.sweep(ctx, k.members)
}

// history returns what takes the changes of several commits, where they may be told apart.
func (k *rounds) history(s uproar.Snapshot) *history {
	if k.before == nil || k.before.SchemaVersion() != s.SchemaVersion() || s.Sequence() <= k.asked+1 {
		return nil
	}
	asked := make(map[string]bool)
	for _, q := range k.queries {
		for field := range q.shape.fields {
			if k.fields.inverse[field] != "" {
				asked[field] = true
			}
		}
	}
	return newHistory(*k.before, s, k.fields, asked)
}

// wait waits for a commit, another definition, or time to pass.
func (k *rounds) wait(ctx context.Context) error {
	limit := tick
	if k.index.Name() != k.name { // an alias, which may move
		limit = retry
	}
	waits := map[*uproar.Index]uint64{k.definitions: k.defined}
	if slices.ContainsFunc(slices.Collect(maps.Values(k.queries)), func(q *standing) bool { return q.saved }) {
		if ix, err := k.db.Index(audience.Definitions); err == nil {
			waits[ix] = k.audiences
		} else {
			limit = retry // until there are any
		}
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan struct{}, len(waits))
	for ix, after := range waits {
		go func() {
			if ix.Wait(waiting, after) == nil {
				cancel()
			}
			done <- struct{}{}
		}()
	}
	err := k.index.Wait(waiting, k.asked)
	cancel()
	for range waits {
		<-done
	}
	if ctx.Err() == nil && waiting.Err() != nil && !errors.Is(err, uproar.ErrClosed) {
		return nil
	}
	return err
}
