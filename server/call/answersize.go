// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"fmt"

	"github.com/uproar-db/uproar/api"
)

const (
	// SmallAnswer is the size, in bytes, up to which an answer is not counted: the limit on
	// concurrent requests bounds small answers well enough.
	SmallAnswer = 64 << 10

	// EntryBytes is the memory of a list's entry with a short key, and of what it is made from.
	EntryBytes = 64
)

// EntriesBytes returns what to tell grow before entries more are built. It may be fewer bytes than
// they take: it makes a list that may be large wait for its share, and refuses none that turns out
// to be small.
func EntriesBytes(entries int) int { return min(EntryBytes*entries, SmallAnswer+1) }

// AnswerTooLarge is the error of an answer that is larger than the memory for all answers.
func AnswerTooLarge(format string, most any) error {
	return &api.Error{Code: api.CodeAnswerTooLarge, Message: fmt.Sprintf(format, most)}
}
