// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
)

// MaxSubject is the largest length of a subject, in bytes.
const MaxSubject = 512

// What the keys of records that are no accounts begin with.
const (
	postPrefix   = "\x01" // the ID of an account and the TID of its post
	partPrefix   = "\x02" // the ID of an account, and what comes after its DID
	textPrefix   = "\x03" // the subject itself
	bucketPrefix = "\x04" // a bucket's number
)

const (
	scheme         = "at://"
	postCollection = "/app.bsky.feed.post/"
	digits         = "234567abcdefghijklmnopqrstuvwxyz" // of a TID
	digitBits      = 5
	tidLength      = 13
	idLength       = 7 // digits of an account's ID, which has at most 31 bits
)

// parts takes a subject apart: the author's DID, and what comes after it, which begins with a
// slash. ok is false for a subject that does not begin with a DID.
func parts(subject string) (author, rest string, ok bool) {
	after, ok := strings.CutPrefix(subject, scheme)
	if !ok || !strings.HasPrefix(after, "did:") {
		return "", "", false
	}
	at := strings.IndexByte(after, '/')
	if at < 0 || at == len(after)-1 {
		return "", "", false
	}
	return after[:at], after[at:], true
}

// isTID reports whether a text has the form of a TID.
func isTID(text string) bool {
	return len(text) == tidLength && strings.Trim(text, digits) == ""
}

// partKey returns the key of a subject of an author.
func partKey(author uint64, rest string) string {
	var id [idLength]byte
	for i := range id {
		id[i] = digits[author>>(digitBits*(idLength-1-i))&(1<<digitBits-1)]
	}
	if tid, ok := strings.CutPrefix(rest, postCollection); ok && isTID(tid) {
		return postPrefix + string(id[:]) + tid
	}
	return partPrefix + string(id[:]) + rest
}

// subjectKey returns the key of a subject. Where its author does not exist, ok is false.
func subjectKey(s uproar.Snapshot, subject string) (key string, ok bool, err error) {
	author, rest, ok := parts(subject)
	if !ok {
		return textPrefix + subject, true, nil
	}
	id, err := s.ID(author)
	if err != nil {
		return "", false, knownOnly(err)
	}
	if id>>(digitBits*idLength) != 0 {
		return "", false, fmt.Errorf("%w: likes: account %s has the ID %d, want one below 2^%d", uproar.ErrLimit,
			shown(author), id, digitBits*idLength)
	}
	return partKey(id, rest), true, nil
}

// subject is the record of a subject.
type subject struct {
	key    string
	id     uint64
	exists bool
}

// lookUp looks a subject up.
func lookUp(s uproar.Snapshot, name string) (of subject, err error) {
	key, ok, err := subjectKey(s, name)
	if err != nil || !ok {
		return of, err
	}
	id, err := s.ID(key)
	return subject{key, id, err == nil}, knownOnly(err)
}

// subjectOf returns the subject that a key is of. ok is false for a key of something else, and if
// its author exists no more.
func subjectOf(s uproar.Snapshot, key string) (subject string, ok bool, err error) {
	if text, ok := strings.CutPrefix(key, textPrefix); ok {
		return text, true, nil
	}
	rest, post := strings.CutPrefix(key, postPrefix)
	if !post {
		if rest, ok = strings.CutPrefix(key, partPrefix); !ok {
			return "", false, nil
		}
	}
	if len(rest) <= idLength {
		return "", false, nil
	}
	id := uint64(0)
	for _, digit := range []byte(rest[:idLength]) {
		at := strings.IndexByte(digits, digit)
		if at < 0 {
			return "", false, nil
		}
		id = id<<digitBits | uint64(at)
	}
	author, err := s.Key(id)
	if err != nil {
		return "", false, knownOnly(err)
	}
	if rest = rest[idLength:]; post {
		rest = postCollection + rest
	}
	return scheme + author + rest, true, nil
}

// knownOnly returns an error, unless it is that a record does not exist.
func knownOnly(err error) error {
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return nil
	}
	return err
}

// intern has records of subjects exist, and those of their authors, and returns the keys of the
// subjects. What it makes it commits: first authors, then subjects.
func (l *Likes) intern(ctx context.Context, subjects []string) (keys map[string]string, err error) {
	for {
		var b uproar.Batch
		if keys, err = l.internIn(ctx, subjects, &b); err != nil || b.Len() == 0 {
			return keys, err
		}
		if _, err := l.index.Write(ctx, &b); err != nil {
			return nil, err
		}
	}
}

// internIn returns the keys of subjects, and adds to a batch what does not exist yet.
func (l *Likes) internIn(ctx context.Context, subjects []string, b *uproar.Batch) (keys map[string]string, err error) {
	s := l.index.Snapshot().Under(ctx)
	defer s.Close()
	keys, added := make(map[string]string, len(subjects)), make(map[string]bool)
	add := func(record string) {
		if !added[record] {
			added[record] = true
			b.AddRecord(record)
		}
	}
	var names []string
	for _, subject := range subjects {
		if _, done := keys[subject]; done {
			continue
		}
		key, ok, err := subjectKey(s, subject)
		if err != nil {
			return nil, err
		}
		if !ok {
			author, _, _ := parts(subject)
			add(author)
			continue
		}
		keys[subject], names = key, append(names, key)
	}
	if len(added) > 0 { // first authors, so that subjects appear in their order
		return nil, nil
	}
	exists := make([]bool, len(names))
	if err := s.LookUp(ctx, names, func(i int, _ uint64) { exists[i] = true }); err != nil {
		return nil, err
	}
	for i, name := range names {
		if !exists[i] {
			add(name)
		}
	}
	return keys, nil
}
