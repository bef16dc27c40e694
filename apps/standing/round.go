// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

const (
	// partChanges is how many records one commit of results has, at most.
	partChanges = 10_000

	// quietCommits is after how many commits of an index their number is kept, if they changed no
	// result.
	quietCommits = 1_000
)

// noRecord is the bitmap of no record.
var noRecord, _ = bitmap.Of().View().MarshalBinary()

// standing is a query that stands.
type standing struct {
	text    string
	expr    query.Expr
	shape   shape
	found   *bitmap.Bitmap // the IDs of its records
	unasked bool           // it was not asked since it stands
	failed  string         // why it could not be asked last time
}

// rounds finds out, round by round, what has entered and left the standing queries of an index. For
// one goroutine.
type rounds struct {
	db          *uproar.DB
	log         *slog.Logger
	index       *uproar.Index
	definitions *uproar.Index
	members     *uproar.Index
	schema      uint64          // the version of the fields that shapes are of
	relations   map[string]bool // in both directions; nil: not looked at yet
	queries     map[string]*standing
	defined     uint64 // the commit of the definitions that queries are of
	asked       uint64 // the commit of the index that the results are of
	kept        uint64 // the last such commit that stands beside the results
	ticked      time.Time
	writes      []write
}

// write is a record that enters a query, or leaves it.
type write struct {
	name, key string
	left      bool
}

// newRounds goes on from the results that there are.
func newRounds(ctx context.Context, db *uproar.DB, definitions *uproar.Index, index string, log *slog.Logger) (*rounds,
	error) {
	ix, err := db.Index(index)
	if err != nil {
		return nil, err
	}
	members, err := open(ctx, db, membersPrefix+index, memberFields, true)
	if err != nil {
		return nil, err
	}
	k := &rounds{db: db, log: log, index: ix, definitions: definitions, members: members,
		queries: make(map[string]*standing), ticked: time.Now()}
	return k, k.resume(ctx)
}

// reshape looks at the fields again, if they are others now. What was dropped or added is in no
// commit, so each query is asked anew.
func (k *rounds) reshape(s uproar.Snapshot) {
	if k.relations != nil && s.SchemaVersion() == k.schema {
		return
	}
	k.schema, k.relations = s.SchemaVersion(), make(map[string]bool)
	for _, f := range k.index.Fields() {
		if f.Type == uproar.Relation {
			k.relations[f.Name], k.relations[f.Inverse] = true, true
		}
	}
	for _, q := range k.queries {
		if q.expr != nil {
			q.shape, q.unasked = shapeOf(q.expr, k.relations), true
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
	if k.asked, err = asOf(m); err != nil {
		return err
	}
	if k.kept = k.asked; k.asked > s.Sequence() { // a restored index is older
		k.asked = 0
	}
	for row, err := range m.Rows(ctx, inField) {
		if err != nil {
			return err
		}
		q := &standing{found: new(bitmap.Bitmap)}
		k.queries[row.Key] = q
		keys, err := m.Keys(ctx, query.Equal{Field: inField, Value: row.Key}, uproar.Page{})
		if err != nil {
			return err
		}
		for _, key := range keys.Keys {
			id, err := s.ID(key[len(recordMark):])
			switch {
			case err == nil:
				q.found.Add(id)
			case errors.Is(err, uproar.ErrUnknownRecord):
				k.writes = append(k.writes, write{row.Key, key[len(recordMark):], true})
			default:
				return err
			}
		}
	}
	return nil
}

// define reads the definitions, if they are others now.
func (k *rounds) define(ctx context.Context) error {
	s := k.definitions.Snapshot()
	sequence := s.Sequence()
	s.Close()
	if sequence == k.defined {
		return nil
	}
	texts, err := texts(ctx, k.db, k.index.Name())
	if err != nil {
		return err
	}
	k.defined = sequence
	for name, text := range texts {
		q := k.queries[name]
		if q == nil {
			q = &standing{found: new(bitmap.Bitmap)}
			k.queries[name] = q
		}
		if q.text == text {
			continue
		}
		e, err := query.Parse(text)
		if err != nil {
			k.log.Warn("a standing query is no query", "index", k.index.Name(), "name", name, "error", err)
			continue
		}
		q.text, q.expr, q.shape, q.unasked = text, e, shapeOf(e, k.relations), true
	}
	for name, q := range k.queries {
		if _, ok := texts[name]; !ok {
			q.expr, q.text, q.unasked = query.Nothing{}, "", true // its records leave
		}
	}
	return nil
}

// round brings all results to the newest commit.
func (k *rounds) round(ctx context.Context) error {
	s := k.index.Snapshot().Under(ctx)
	defer s.Close()
	k.reshape(s)
	if err := k.define(ctx); err != nil {
		return err
	}
	c, err := changesOf(ctx, k.index, s, k.asked, k.relations)
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
	for name, q := range k.queries {
		if err := k.ask(ctx, s, name, q, c, touched); err != nil {
			return err
		}
	}
	if err := k.write(ctx, s.Sequence()); err != nil {
		return err
	}
	k.asked = s.Sequence()
	for name, q := range k.queries {
		if q.text == "" {
			delete(k.queries, name)
		}
	}
	return nil
}

// ask finds out what entered and left a query. A query that cannot be asked, for a field that is
// gone, keeps its records until it can.
func (k *rounds) ask(ctx context.Context, s uproar.Snapshot, name string, q *standing, c *changes,
	ids []byte) error {
	how := q.shape.affectedBy(c)
	if q.unasked || q.failed != "" {
		how = whole
	}
	e, before := q.expr, q.found
	switch how {
	case nothing:
		return nil
	case touched:
		e = query.And{Of: []query.Expr{query.Bitmap{Bytes: ids}, e}}
		before = bitmap.And(before.View(), c.records.View())
	}
	of, err := s.Select(ctx, e)
	if err != nil && ctx.Err() == nil && (errors.Is(err, uproar.ErrUnknownField) || errors.Is(err, uproar.ErrInvalid) ||
		errors.Is(err, uproar.ErrUnknownSet) || errors.Is(err, uproar.ErrLimit)) {
		if q.failed != err.Error() {
			k.log.Warn("a standing query has no answer", "index", k.index.Name(), "name", name, "error", err)
		}
		q.failed = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	entered := bitmap.AndNot(of.View(), before.View())
	left := bitmap.AndNot(before.View(), of.View())
	if err := k.note(s, name, c, entered, false); err != nil {
		return err
	}
	if err := k.note(s, name, c, left, true); err != nil {
		return err
	}
	q.found.Or(entered.View())
	q.found.AndNot(left.View())
	q.unasked, q.failed = false, ""
	return nil
}

// note notes the keys of records that are to be written.
func (k *rounds) note(s uproar.Snapshot, name string, c *changes, records *bitmap.Bitmap, left bool) error {
	var there []uint64
	for id := range records.All() {
		if key, ok := c.deleted[id]; ok {
			k.writes = append(k.writes, write{name, key, left})
		} else {
			there = append(there, id)
		}
	}
	for part := range slices.Chunk(there, partChanges) {
		keys, err := s.KeysOf(part)
		if err != nil {
			return err
		}
		for _, key := range keys {
			k.writes = append(k.writes, write{name, key, left})
		}
	}
	return nil
}

// write commits which records entered and left. The last of its commits says which commit of the
// index the result is as of.
func (k *rounds) write(ctx context.Context, sequence uint64) error {
	if len(k.writes) == 0 && sequence < k.kept+quietCommits {
		return nil
	}
	k.cancelOut()
	var b uproar.Batch
	for i, w := range k.writes {
		if w.left {
			b.Clear(inField, recordMark+w.key, w.name)
		} else {
			b.Set(inField, recordMark+w.key, w.name)
		}
		if i%partChanges == partChanges-1 && i+1 < len(k.writes) {
			if _, err := k.members.Write(ctx, &b); err != nil {
				return err
			}
			b.Reset()
		}
	}
	b.SetInt(asOfField, positionRecord, int64(sequence))
	if _, err := k.members.Write(ctx, &b); err != nil {
		return err
	}
	k.kept, k.writes = sequence, k.writes[:0]
	return nil
}

// cancelOut takes out records that left and entered in the same round: they were deleted, and made
// anew under the same key.
func (k *rounds) cancelOut() {
	left := make(map[[2]string]bool)
	for _, w := range k.writes {
		if w.left {
			left[[2]string{w.name, w.key}] = true
		}
	}
	both := make(map[[2]string]bool)
	for _, w := range k.writes {
		if at := [2]string{w.name, w.key}; !w.left && left[at] {
			both[at] = true
		}
	}
	if len(both) > 0 {
		k.writes = slices.DeleteFunc(k.writes, func(w write) bool { return both[[2]string{w.name, w.key}] })
	}
}

// wait waits for a commit, another definition, or time to pass.
func (k *rounds) wait(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, tick)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if k.definitions.Wait(waiting, k.defined) == nil {
			cancel()
		}
	}()
	err := k.index.Wait(waiting, k.asked)
	cancel()
	<-done
	if ctx.Err() == nil && waiting.Err() != nil && !errors.Is(err, uproar.ErrClosed) {
		return nil
	}
	return err
}
