// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/names"
)

// SetType is the type of a set, and NoType that of a key that is not there.
const (
	SetType = "set"
	NoType  = "none"
)

// State is the sets as one client sees them: a snapshot and what was written since. Not safe for
// concurrent use.
type State struct {
	Now    int64 // milliseconds since 1970: one command sees one time
	Atomic bool  // no other client's command comes between: nothing can be put off
	Second bool  // the job has run a command before in the same commit

	Memory Memory // of the command under way

	ctx    context.Context
	snap   uproar.Snapshot
	space  *Space
	batch  *uproar.Batch // nil: for reading only
	simple bool          // no key has a time or a type but that of sets
	bytes  int           // of what was written, about

	rows    map[string]*Row
	known   map[string]recordID
	about   map[string]attributes // of keys, by their names
	timed   map[string]int64      // times that were set, by record; 0: taken away
	timedOf map[string][]string   // members of timed, by key

	timedKeys map[string]bool // keys of which it is known whether members had times
	touched   map[string]bool // names of keys
	stores    []largeStore
	left      map[string]bool // names of keys that are deleted but for the times of their members
	dropped   int             // times that were taken away with their keys
	removed   int             // members that were taken out of sets, and times that were taken away, about
	failed    error           // nothing may be committed
	turn      turn
	stored    uint64              // members of sets that were stored
	ended     map[string][]string // members that have ended, by key, which a copy cannot delete; nil: not read
}

// turn is what is known of the job under way.
type turn struct {
	whole  bool // it is a transaction
	shared bool // others have written before it in the commit
}

// recordID is the ID of a member that was looked up.
type recordID struct {
	id     uint64
	exists bool
}

// attributes are what is known of a key beside its members.
type attributes struct {
	kind    string // "": a set, or nothing
	expires int64  // 0: never
}

func newState(ctx context.Context, s *Space, snap uproar.Snapshot, b *uproar.Batch, now int64) *State {
	return &State{Now: now, ctx: ctx, snap: snap.Under(ctx), space: s, batch: b, simple: s.simpleIn(snap),
		rows: make(map[string]*Row), known: make(map[string]recordID), about: make(map[string]attributes),
		touched: make(map[string]bool)}
}

// ReadUnder has what is read from now on be of ctx.
func ReadUnder(ctx context.Context, st *State) { st.ctx, st.snap = ctx, st.snap.Under(ctx) }

// Fail has nothing committed of what was written: a command has failed halfway.
func (st *State) Fail(err error) { st.failed = err }

// Begin begins a transaction.
func (st *State) Begin() {
	st.turn = turn{whole: true, shared: st.batch != nil && st.batch.Len() > 0 && !st.space.limits.last}
}

// Shared reports whether others have written in the same commit before the transaction under way:
// one that fails for this is run again in another, after Fail.
func (st *State) Shared() bool { return st.turn.shared }

// Failed reports whether nothing will be committed, also because it is too much.
func (st *State) Failed() bool {
	if st.failed == nil && st.batch != nil && st.stored+uint64(st.batch.Len()) > mostWrites {
		st.failed = fmt.Errorf("%w: got more than %d writes", uproar.ErrTooLarge, mostWrites)
	}
	return st.failed != nil
}

// Full reports whether so much was written that the rest should come in another commit.
func (st *State) Full() bool {
	return !st.Atomic && (st.bytes > st.space.limits.bytes || len(st.stores) > 0)
}

// revived tells which records got a value.
func revived(st *State, tell func(name string)) {
	for _, r := range st.rows {
		for member, in := range r.changed {
			if in {
				tell(member)
			}
		}
	}
	for record := range st.timed {
		tell(record)
	}
	for name := range st.about {
		tell(names.OfKey(name))
	}
}

// Touched reports whether something was written to a key.
func (st *State) Touched(key string) bool { return st.touched[key] }

// note notes that something was written to a key, and how many bytes beside its name.
func (st *State) note(name string, bytes int) {
	st.touched[name] = true
	st.bytes += len(name) + bytes
}

// attributesOf reads what is known of a key.
func (st *State) attributesOf(name string) (a attributes, err error) {
	if a, ok := st.about[name]; ok || st.simple {
		return a, nil
	}
	record := names.OfKey(name)
	id, ok, err := st.idOf(record)
	if err != nil || !ok {
		return a, err
	}
	kind, _, err := st.snap.AppendValueOf(nil, typeField, id)
	if err != nil {
		return a, err
	}
	a.kind = string(kind)
	if a.expires, _, err = st.snap.IntOf(expiresField, id); err != nil {
		return a, err
	}
	if st.batch == nil && a.expires != 0 && a.expires <= st.Now {
		a = attributes{kind: NoType} // a copy that only reads cannot delete it
	}
	st.about[name] = a
	return a, nil
}

// idOf returns the ID of a record.
func (st *State) idOf(record string) (uint64, bool, error) {
	if r, ok := st.known[record]; ok {
		return r.id, r.exists, nil
	}
	id, err := st.snap.ID(record)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return 0, false, nil
	}
	return id, err == nil, err
}

// lookUp looks up the IDs of records together, if they are many.
func (st *State) lookUp(records []string) error {
	if len(records) < together {
		return nil
	}
	for _, r := range records {
		if _, ok := st.known[r]; !ok {
			st.known[r] = recordID{}
		}
	}
	return st.snap.LookUp(st.ctx, records, func(i int, id uint64) { st.known[records[i]] = recordID{id, true} })
}

// Row returns the set of a key, which may be empty. Errors: ErrWrongType, ErrTooLong.
func (st *State) Row(key []byte) (*Row, error) {
	if r := st.rows[string(key)]; r != nil && st.simple && names.Plain(key) {
		return r, nil // without memory for its name
	}
	name, err := st.nameOf(key)
	if err != nil {
		return nil, err
	}
	a, err := st.attributesOf(name)
	switch {
	case err != nil:
		return nil, err
	case a.kind == NoType:
		return &Row{st: st, name: name, emptied: true}, nil
	case a.kind != "":
		return nil, ErrWrongType
	}
	return st.row(name)
}

// nameOf returns the name of a key, which others may have given one of their own. Errors:
// ErrTooLong.
func (st *State) nameOf(key []byte) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	name := names.Of(key)
	if !names.Odd(key) {
		return name, nil
	}
	r, err := st.row(string(key))
	if err != nil {
		return "", err
	}
	if n, err := r.Len(); err != nil || n == 0 {
		return name, err
	}
	return string(key), nil
}

// row is Row of a name, whatever the type of the key.
func (st *State) row(name string) (*Row, error) {
	if r := st.rows[name]; r != nil {
		return r, nil
	}
	id, ok, err := st.snap.RowID(memberField, name)
	if err != nil {
		return nil, err
	}
	r := &Row{st: st, name: name, id: id, emptied: !ok}
	st.rows[name] = r
	return r, st.hide(r)
}

// Type returns the type of a key, NoType if there is no such key.
func (st *State) Type(key []byte) (string, error) {
	name, err := st.nameOf(key)
	if errors.Is(err, ErrTooLong) {
		return NoType, nil
	}
	if err != nil {
		return NoType, err
	}
	a, err := st.attributesOf(name)
	if err != nil || a.kind != "" {
		return a.kind, err
	}
	r, err := st.row(name)
	if err != nil {
		return NoType, err
	}
	n, err := r.Len()
	if err != nil || n == 0 {
		return NoType, err
	}
	return SetType, nil
}

// Exists reports whether there is a key.
func (st *State) Exists(key []byte) (bool, error) {
	kind, err := st.Type(key)
	return kind != NoType, err
}

// Delete deletes a key. It reports whether there was one.
func (st *State) Delete(key []byte) (bool, error) {
	exists, err := st.Exists(key)
	if err != nil || !exists {
		return false, err
	}
	name, err := st.nameOf(key)
	if err != nil {
		return false, err
	}
	return true, st.delete(name)
}

// delete deletes the key of a name, with all that is known of it, but for times of its members
// that are too many for a commit. One that is not there is not touched by it.
func (st *State) delete(name string) error {
	a, err := st.attributesOf(name)
	if err != nil {
		return err
	}
	r, err := st.row(name)
	if err != nil {
		return err
	}
	n, err := r.Len()
	if err != nil {
		return err
	}
	touched := st.touched[name] || n > 0 || a != attributes{}
	if fits, err := st.dropTimes(name); err != nil {
		return err
	} else if fits {
		st.setAttributes(name, a, attributes{})
	} else {
		leaveTimes(st, name, a)
	}
	r.clear()
	if st.touched[name] = true; !touched {
		delete(st.touched, name)
	}
	return nil
}

// setAttributes changes what is known of a key.
func (st *State) setAttributes(name string, from, to attributes) {
	record := names.OfKey(name)
	if from.kind != to.kind {
		if to.kind == "" {
			st.batch.Unset(typeField, record)
		} else {
			st.batch.Set(typeField, record, to.kind)
		}
	}
	if from.expires != to.expires {
		st.setTime(record, to.expires)
	}
	if from != to {
		st.about[name], st.bytes = to, st.bytes+len(record)
		st.simple = false
	}
}

// SetType makes a key that is no set, and has a type only, in the place of the one before.
func (st *State) SetType(key []byte, kind string) error {
	name, err := st.nameOf(key)
	if err != nil {
		return err
	}
	if err := st.delete(name); err != nil {
		return err
	}
	a, err := st.attributesOf(name)
	if err != nil {
		return err
	}
	st.setAttributes(name, a, attributes{kind: kind})
	st.touched[name] = true
	return nil
}

// Expires returns when a key ends, 0: never. ok is false if there is no such key.
func (st *State) Expires(key []byte) (at int64, ok bool, err error) {
	ok, err = st.Exists(key)
	if err != nil || !ok {
		return 0, false, err
	}
	name, err := st.nameOf(key)
	if err != nil {
		return 0, false, err
	}
	a, err := st.attributesOf(name)
	return a.expires, true, err
}

// Expire sets when a key that exists ends; 0: never. What has passed ends it now.
func (st *State) Expire(key []byte, at int64) error {
	name, err := st.nameOf(key)
	if err != nil {
		return err
	}
	if at != 0 && at <= st.Now {
		return st.delete(name)
	}
	a, err := st.attributesOf(name)
	if err != nil {
		return err
	}
	st.setAttributes(name, a, attributes{a.kind, at})
	st.touched[name] = true
	return nil
}

// Rename gives a key that exists another name, in the place of the one that had it. Errors:
// ErrTooLong, ErrTransaction, ErrLater.
func (st *State) Rename(from, to []byte) error {
	target, err := st.nameOf(to)
	if err != nil {
		return err
	}
	name, err := st.nameOf(from)
	if err != nil {
		return err
	}
	of := largeStore{name: target, source: name}
	if of.about, err = st.attributesOf(name); err != nil {
		return err
	}
	source, err := st.row(name)
	if err != nil {
		return err
	}
	all, err := st.combine(union, []*Row{source})
	if err != nil {
		return err
	}
	if of.times, err = timesUnder(st, source, target); err != nil {
		return err
	}
	return put(st, of, all)
}

// Copy gives a key another name beside its own. It reports whether it did: not if there is no such
// key, or another has the name and must not be replaced.
func (st *State) Copy(from, to []byte, replace bool) (bool, error) {
	is, err := st.Exists(from)
	if err != nil || !is {
		return false, err
	}
	if taken, err := st.Exists(to); err != nil || taken && !replace {
		return false, err
	}
	source, err := st.nameOf(from)
	if err != nil {
		return false, err
	}
	target, err := st.nameOf(to)
	if err != nil {
		return false, err
	}
	of := largeStore{name: target}
	if of.about, err = st.attributesOf(source); err != nil {
		return false, err
	}
	if of.about.kind != "" {
		if err := st.SetType(to, of.about.kind); err != nil || of.about.expires == 0 {
			return err == nil, err
		}
		return true, st.Expire(to, of.about.expires)
	}
	r, err := st.row(source)
	if err != nil {
		return false, err
	}
	all, err := st.combine(union, []*Row{r})
	if err != nil {
		return false, err
	}
	if of.times, err = timesUnder(st, r, target); err != nil {
		return false, err
	}
	return true, put(st, of, all)
}
