// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"

	"github.com/uproar-db/uproar/query"
)

// wholeLikes is up to how many likes of a subject are read at once: they are about a page.
const wholeLikes = 1024

// likes reports whether an actor has a record of a subject that does not go. Of a subject with many
// likes it reads those of the seconds in which the actor liked something in the subject's bucket,
// one in 64.
func (w *writer) likes(ctx context.Context, a *actor, subject uint64) (bool, error) {
	name, err := w.s.Key(subject)
	if err != nil {
		return false, err
	}
	n, err := w.s.CountAnd(ctx, query.Related{Field: LikersField, Key: name})
	if err != nil {
		return false, err
	}
	if n <= wholeLikes {
		return w.left(ctx, subject, a.id, 0, everyKey)
	}
	if !a.whole {
		if a.slots, err = w.slots.Append(nil, a.id, everyKey, allKeys); err != nil {
			return false, err
		}
		a.whole = true
	}
	texts := false
	for _, k := range a.slots {
		if k.Target != w.buckets[subject%bucketCount] {
			continue
		}
		if k.Key>>clockBits >= textSlots {
			texts = true
			continue
		}
		from, to := slotRange(k.Key)
		if left, err := w.left(ctx, subject, a.id, from, to); left || err != nil {
			return left, err
		}
	}
	if !texts {
		return false, nil
	}
	return w.left(ctx, subject, a.id, 0, textSlots) // which all texts are below, and no TID
}
