// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"fmt"

	"github.com/uproar-db/uproar/api"
)

const (
	// SmallAnswer is the size, in bytes, up to which an answer is not worth counting: the number of
	// requests that are worked on at a time bounds those.
	SmallAnswer = 64 << 10

	// EntryBytes is what an entry of a list takes, with what it is made from, when its key is
	// short.
	EntryBytes = 64
)

// EntriesBytes returns what to tell grow of so many entries to come. It may be fewer than they
// take: it has a list that may be large wait for its share, and refuses none that turns out to be
// small.
func EntriesBytes(entries int) int { return min(EntryBytes*entries, SmallAnswer+1) }

// AnswerTooLarge is the error of an answer for which there never is enough.
func AnswerTooLarge(format string, most any) error {
	return &api.Error{Code: api.CodeAnswerTooLarge, Message: fmt.Sprintf(format, most)}
}
