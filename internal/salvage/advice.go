// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"errors"
	"regexp"

	"github.com/uproar-db/uproar/store"
)

// advice is what stores say to try about damage: to restore a backup, or a salvage.
var advice = regexp.MustCompile(`(\. |\n)Try: [^\n]*`)

// unadvised is an error with another text.
type unadvised struct {
	error
	text string
}

// Error returns the text.
func (u *unadvised) Error() string { return u.text }

// Unwrap returns the error.
func (u *unadvised) Unwrap() error { return u.error }

// Advise returns an error by which a salvage ends. Of damage its text says to try a backup, and
// nothing else: a store would say to try the salvage.
func Advise(err error) error {
	if !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	return &unadvised{err, advice.ReplaceAllString(err.Error(), "") + ". Try: a backup"}
}

// unadvise takes out of a report what errors say to try.
func (r *Report) unadvise() {
	strip := func(text *string) { *text = advice.ReplaceAllString(*text, "") }
	for i := range r.Notes {
		strip(&r.Notes[i])
	}
	for _, ix := range r.Indexes {
		strip(&ix.Failure)
		for i := range ix.Manifest {
			strip(&ix.Manifest[i])
		}
		for i := range ix.Damage {
			strip(&ix.Damage[i].Error)
		}
	}
}
