// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// Question says what is wanted to know about subjects.
type Question struct {
	Liker   string // whose records of the subjects; "": nobody's
	Viewer  string // whose known likers; "": nobody's
	Limit   int    // how many known likers of a subject are listed; below 1: none are, nor counted
	Records bool   // how many records
}

// Answer is what is known about a subject. One that does not exist has no likes.
type Answer struct {
	Accounts uint64   // how many like it, hidden ones too
	Records  uint64   // if asked for
	Key      string   // of the first record of the liker; "": it does not like the subject
	Known    uint64   // how many known likers there are
	Likers   []string // the known likers, of the newest like first
}

// Ask answers a question about subjects, in their order, of one state. Known likers are accounts
// that the viewer follows, among those of the 500 newest likes of a subject; hidden ones are left
// out. Cost: of 50 subjects with their known likers a millisecond (BenchmarkKnown); of a key, or
// records, a pass over the likes of the subject, 10 ns each.
//
// Errors: *graph.InvalidAccountError, *InvalidError, ctx's, or the database's.
func (l *Likes) Ask(ctx context.Context, q Question, subjects ...string) (answers []Answer, err error) {
	for _, account := range [...]string{q.Liker, q.Viewer} {
		if account != "" {
			if err := graph.CheckAccount(account); err != nil {
				return nil, err
			}
		}
	}
	for _, subject := range subjects {
		if err := CheckSubject(subject); err != nil {
			return nil, err
		}
	}
	s := l.index.Snapshot().Under(ctx)
	defer s.Close()
	r, err := l.reader(s)
	if err != nil {
		return nil, err
	}
	var known *knownLikers
	if q.Viewer != "" && q.Limit > 0 {
		if known, err = r.knownTo(ctx, q.Viewer); err != nil {
			return nil, err
		}
	}
	answers = make([]Answer, len(subjects))
	for i, subject := range subjects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		of, err := lookUp(s, subject)
		if err != nil {
			return nil, err
		}
		if !of.exists {
			continue
		}
		if answers[i], err = r.ask(ctx, q, of); err != nil {
			return nil, err
		}
		if known == nil {
			continue
		}
		found, err := known.of(i, of.id)
		if err != nil {
			return nil, err
		}
		answers[i].Known = uint64(len(found))
		if answers[i].Likers, err = s.KeysOf(found[:min(len(found), q.Limit)]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// ask answers a question about one subject, but for known likers.
func (r *reader) ask(ctx context.Context, q Question, of subject) (a Answer, err error) {
	if a.Accounts, err = r.s.CountAnd(ctx, query.Related{Field: LikersField, Key: of.key}); err != nil {
		return a, err
	}
	if q.Liker != "" {
		if a.Key, err = r.keyOf(ctx, q.Liker, of); err != nil {
			return a, err
		}
	}
	if q.Records {
		err = r.newest(ctx, of.id, uproar.EdgeKey{Key: everyKey}, mostChunk, func(uproar.EdgeKey) (bool, error) {
			a.Records++
			return true, nil
		})
	}
	return a, err
}

// keyOf returns the key of an account's first record of a subject, "" if it has none.
func (r *reader) keyOf(ctx context.Context, account string, of subject) (string, error) {
	if likes, err := r.s.Has(LikersField, of.key, account); !likes || err != nil {
		return "", knownOnly(err)
	}
	id, err := r.s.ID(account)
	if err != nil {
		return "", err
	}
	numbers, err := r.recordsOf(ctx, of.id, id, 0, everyKey)
	if err != nil || len(numbers) == 0 {
		return "", err
	}
	text, err := r.likers.AppendText(nil, numbers[0])
	return string(text), err
}
