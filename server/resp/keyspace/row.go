// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

// Row is the set of one key in a State. It is what is stored, or was stored by an earlier command,
// with some members added and others taken away.
type Row struct {
	st      *State
	name    string
	id      uproar.RowID
	emptied bool           // nothing of what is stored in the index counts
	stored  *bitmap.Bitmap // counts in its place; nil: nothing does
	changed map[string]bool
	added   []string       // members that the base does not have, in any order
	places  map[string]int // of added, once one of them is dropped; nil: not known
	n       uint64         // of what is stored in the index, if counted
	counted bool
	diff    int64    // by which the changes make it larger
	ids     []uint64 // of a small base, for Random
}

// base returns what the changes go over, as a query.
func (r *Row) base() query.Expr {
	switch {
	case r.stored != nil:
		return query.Bitmap{Bytes: r.stored.Bytes()}
	case r.emptied:
		return query.Nothing{}
	}
	return query.Equal{Field: memberField, Value: r.name}
}

// clean reports whether the set is its base.
func (r *Row) clean() bool { return len(r.changed) == 0 }

// Len returns the number of members.
func (r *Row) Len() (uint64, error) {
	n, err := r.baseLen()
	return uint64(int64(n) + r.diff), err
}

func (r *Row) baseLen() (uint64, error) {
	switch {
	case r.stored != nil:
		return r.stored.Len(), nil
	case r.emptied:
		return 0, nil
	case r.counted:
		return r.n, nil
	}
	s, sequence := r.st.space, r.st.snap.Sequence()
	if n, ok := s.countOf(r.name, sequence); ok {
		r.n, r.counted = n, true
		return n, nil
	}
	n, err := r.st.snap.Count(r.st.ctx, r.base())
	if err == nil {
		r.n, r.counted = n, true
		s.keepCount(r.name, sequence, n)
	}
	return n, err
}

// Has reports whether a member is in the set.
func (r *Row) Has(member []byte) (bool, error) {
	if len(member) > names.MaxMember {
		return false, nil
	}
	name, err := r.nameOf(member)
	if err != nil {
		return false, err
	}
	return r.has(name)
}

// nameOf returns the name of a member, which others may have given one of their own.
func (r *Row) nameOf(member []byte) (string, error) {
	name := names.Of(member)
	if !names.Odd(member) {
		return name, nil
	}
	if has, err := r.has(string(member)); err != nil || !has {
		return name, err
	}
	return string(member), nil
}

// HasEach reports for each of some members whether it is in the set.
func (r *Row) HasEach(members [][]byte, tell func(has bool)) error {
	if err := r.lookUp(members); err != nil {
		return err
	}
	for _, m := range members {
		has, err := r.Has(m)
		if err != nil {
			return err
		}
		tell(has)
	}
	return nil
}

// together is from how many members on it pays to look them up together.
const together = 8

// lookUp looks up members together, if they are many.
func (r *Row) lookUp(members [][]byte) error {
	if len(members) < together || r.emptied && r.stored == nil && r.st.batch == nil {
		return nil
	}
	list := make([]string, 0, len(members))
	for _, m := range members {
		if len(m) <= names.MaxMember {
			list = append(list, names.Of(m))
		}
	}
	return r.st.lookUp(list)
}

func (r *Row) has(name string) (bool, error) {
	if in, ok := r.changed[name]; ok {
		return in, nil
	}
	if r.emptied && r.stored == nil {
		return false, nil
	}
	id, ok, err := r.st.idOf(name)
	if err != nil || !ok {
		return false, err
	}
	return r.hasID(id)
}

// hasID reports whether a record is in the base.
func (r *Row) hasID(id uint64) (bool, error) {
	switch {
	case r.stored != nil:
		return r.stored.Contains(id), nil
	case r.emptied:
		return false, nil
	}
	return r.st.snap.HasRow(r.id, id)
}

// Add adds members. It returns how many were new. Errors: ErrTooLong, before anything is added.
func (r *Row) Add(members ...[]byte) (added int64, err error) {
	for _, m := range members {
		if len(m) > names.MaxMember {
			return 0, tooLong("a member", len(m), names.MaxMember)
		}
	}
	if err := r.lookUp(members); err != nil {
		return 0, err
	}
	for _, m := range members {
		name, err := r.nameOf(m)
		if err != nil {
			return added, err
		}
		has, err := r.has(name)
		if err != nil {
			return added, err
		}
		if !has {
			if err := r.add(name); err != nil {
				return added, err
			}
			added++
		}
	}
	return added, nil
}

// Remove takes members out of the set. It returns how many there were. A set without members is
// none: what is known of its key is forgotten.
func (r *Row) Remove(members ...[]byte) (removed int64, err error) {
	list := make([]string, 0, len(members))
	for _, m := range members {
		if len(m) <= names.MaxMember {
			name, err := r.nameOf(m)
			if err != nil {
				return 0, err
			}
			list = append(list, name)
		}
	}
	return r.remove(list)
}

func (r *Row) remove(names []string) (removed int64, err error) {
	if r.emptied && r.stored == nil && len(r.changed) == 0 {
		return 0, nil
	}
	if err := r.st.lookUp(names); err != nil {
		return 0, err
	}
	for _, name := range names {
		has, err := r.has(name)
		if err != nil {
			return removed, err
		}
		if has {
			r.drop(name)
			if err := r.st.dropTime(r.name, name); err != nil {
				return removed, err
			}
			removed++
		}
	}
	if removed == 0 {
		return 0, nil
	}
	a, err := r.st.attributesOf(r.name)
	if err != nil || a == (attributes{}) {
		return removed, err
	}
	n, err := r.Len()
	if err == nil && n == 0 {
		err = r.st.delete(r.name)
	}
	return removed, err
}

// add adds a member that the set does not have. Times that are left of a member or key which others
// have taken away, by calls that know of no times, are those of what was before.
func (r *Row) add(member string) error {
	if a := r.st.about[r.name]; a.expires != 0 && a.kind == "" {
		if n, err := r.Len(); err != nil {
			return err
		} else if n == 0 || a.expires <= r.st.Now {
			r.st.setAttributes(r.name, a, attributes{})
		}
	}
	if err := r.st.dropTime(r.name, member); err != nil {
		return err
	}
	if r.changed == nil {
		r.changed = make(map[string]bool)
	}
	inBase, err := false, error(nil)
	if _, was := r.changed[member]; was {
		if inBase, err = r.inBase(member); err != nil {
			return err
		}
	}
	if !inBase {
		if r.places != nil {
			r.places[member] = len(r.added)
		}
		r.added = append(r.added, member)
	}
	r.changed[member] = true
	r.diff++
	r.st.batch.Set(memberField, member, r.name)
	r.st.note(r.name, len(member))
	return nil
}

// drop takes out a member that the set has.
func (r *Row) drop(member string) {
	if r.changed == nil {
		r.changed = make(map[string]bool)
	}
	if r.places == nil && len(r.added) > 0 {
		r.places = make(map[string]int, len(r.added))
		for at, name := range r.added {
			r.places[name] = at
		}
	}
	if at, ok := r.places[member]; ok {
		last := r.added[len(r.added)-1]
		r.added[at], r.places[last] = last, at
		r.added = r.added[:len(r.added)-1]
		delete(r.places, member)
	}
	r.changed[member] = false
	r.diff--
	r.st.removed++
	r.st.batch.Clear(memberField, member, r.name)
	r.st.note(r.name, len(member))
}

// clear takes all members out of the set, and all that is kept of it.
func (r *Row) clear() {
	if !r.emptied || r.stored != nil || len(r.changed) > 0 {
		if n, err := r.Len(); err == nil {
			r.st.removed += int(n)
		}
		r.st.batch.DeleteRow(memberField, r.name)
		r.st.note(r.name, 0)
	}
	*r = Row{st: r.st, name: r.name, id: r.id, emptied: true}
}

// CheckTimes fails for members that are too long, with the key, to have a time. Errors: ErrTooLong.
func (r *Row) CheckTimes(members [][]byte) error {
	for _, m := range members {
		if _, err := r.timeRecord(m); err != nil {
			return err
		}
	}
	return nil
}

// timeRecord returns the record of a member's time.
func (r *Row) timeRecord(member []byte) (string, error) {
	name, err := r.nameOf(member)
	if err != nil {
		return "", err
	}
	record := names.OfMember(r.name, name)
	if len(record) > names.MaxMember {
		return "", tooLong(bothTimed, len(record), names.MaxMember)
	}
	return record, nil
}

// Expires returns when a member that is in the set ends; 0: never.
func (r *Row) Expires(member []byte) (int64, error) {
	if r.st.simple {
		return 0, nil
	}
	record, err := r.timeRecord(member)
	if errors.Is(err, ErrTooLong) { // it cannot have a time
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return r.st.timeOf(record)
}

// Expire sets when a member that is in the set ends; 0: never. What has passed ends it now. Errors:
// ErrTooLong, for a key and member that are too long together.
func (r *Row) Expire(member []byte, at int64) error {
	if at != 0 && at <= r.st.Now {
		_, err := r.Remove(member)
		return err
	}
	record, err := r.timeRecord(member)
	if err != nil {
		return err
	}
	r.st.setTime(record, at)
	r.st.touched[r.name] = true
	r.st.simple = false
	return nil
}
