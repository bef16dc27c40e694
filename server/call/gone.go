// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// Gone returns the error for who follows an index by a name that now stands for no index, or for
// another one; nil if it still stands for that one.
func Gone(db *uproar.DB, name string, followed *uproar.Index) error {
	now, err := db.Index(name)
	if err != nil || now == followed {
		return err
	}
	return Another(name, now)
}

// Another returns the error for who has followed another index before the one of a name.
func Another(name string, now *uproar.Index) error {
	s := now.Snapshot()
	defer s.Close()
	oldest := s.Sequence() + 1
	return &api.Error{Code: api.CodeSequenceTrimmed, Oldest: &oldest, Message: "index " + Quote(name) +
		" is another one now: it was dropped and made anew, or an alias was moved; begin anew with a copy of all, " +
		"and follow from there"}
}
