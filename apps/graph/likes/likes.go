// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// Fields of the index of accounts.
const (
	LikersField  = "likers" // subject to the accounts that like it
	LikesField   = "likes"
	SlotsField   = "likeslots" // account to bucket
	SlottedField = "likeslotted"
)

// fields are the fields that likes need.
var fields = []uproar.Field{
	{Name: LikersField, Type: uproar.Relation, Inverse: LikesField, Column: uproar.KeyColumn},
	{Name: SlotsField, Type: uproar.Relation, Inverse: SlottedField, Column: uproar.KeyColumn},
}

// Likes are the likes of a graph's accounts. It has no state beside the index. Safe for concurrent
// use; it must not be used after its database is closed (uproar.ErrClosed).
type Likes struct {
	index   *uproar.Index
	buckets [bucketCount]uint64 // their IDs
}

// Open opens the likes of a graph, and adds their fields to its index if it has none. A database
// that is only to be read must have them. Errors: ctx's, or the database's.
func Open(ctx context.Context, db *uproar.DB, g *graph.Graph) (*Likes, error) {
	index := g.Index()
	if len(missing(index)) > 0 {
		if _, err := db.AddFields(ctx, index.Name(), fields...); err != nil {
			return nil, fmt.Errorf("likes: opening: %w", err)
		}
	}
	l := &Likes{index: index}
	for range 2 {
		ok, err := l.findBuckets(ctx)
		if ok || err != nil {
			return l, err
		}
		var b uproar.Batch
		for i := range l.buckets {
			b.AddRecord(bucketKey(i))
		}
		_, err = index.Write(ctx, &b)
		if errors.Is(err, uproar.ErrReadOnly) { // who only reads asks for no bucket
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("likes: opening: %w", err)
		}
	}
	return nil, fmt.Errorf("likes: opening: %w: index %q has no buckets", uproar.ErrCorrupt, index.Name())
}

// Kept reports whether the index of a graph has the fields of likes.
func Kept(index *uproar.Index) bool { return len(missing(index)) == 0 }

// missing returns the fields of likes that an index does not have.
func missing(index *uproar.Index) (names []string) {
	has := make(map[string]bool)
	for _, f := range index.Fields() {
		has[f.Name] = true
	}
	for _, f := range fields {
		if !has[f.Name] {
			names = append(names, f.Name)
		}
	}
	return names
}

// bucketCount is how many buckets subjects are in, by their IDs.
const bucketCount = 64

// bucketKey returns the key of the record that stands for a bucket.
func bucketKey(i int) string { return bucketPrefix + strconv.Itoa(i) }

// findBuckets looks the records up that stand for buckets. ok is false if one does not exist.
func (l *Likes) findBuckets(ctx context.Context) (ok bool, err error) {
	s := l.index.Snapshot().Under(ctx)
	defer s.Close()
	names, found := make([]string, bucketCount), 0
	for i := range names {
		names[i] = bucketKey(i)
	}
	err = s.LookUp(ctx, names, func(i int, id uint64) {
		l.buckets[i] = id
		found++
	})
	return found == bucketCount, err
}

// InvalidError says why a change or a question cannot be. It matches uproar.ErrInvalid.
type InvalidError struct {
	What   string // "subject"
	Text   string // the whole text
	Reason string // "has 600 bytes, want 1 to 512"
}

// Error shows the text, cut if long.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("likes: %s %s %s", e.What, shown(e.Text), e.Reason)
}

// maxShown bounds how much of untrusted text an error repeats, in bytes.
const maxShown = 80

// shown quotes untrusted text for a message, cut if long.
func shown(text string) string {
	if len(text) > maxShown {
		return strconv.Quote(text[:maxShown]) + "..."
	}
	return strconv.Quote(text)
}

// Is reports whether target is uproar.ErrInvalid.
func (e *InvalidError) Is(target error) bool { return target == uproar.ErrInvalid }

// CheckSubject returns nil if a text can be a subject: what can be an account, of up to MaxSubject
// bytes.
func CheckSubject(subject string) error {
	if len(subject) < 1 || len(subject) > MaxSubject {
		return &InvalidError{"subject", subject, fmt.Sprintf("has %d bytes, want 1 to %d", len(subject), MaxSubject)}
	}
	if err := graph.CheckAccount(subject); err != nil {
		return &InvalidError{"subject", subject, "has a control character, or is not valid UTF-8"}
	}
	return nil
}
