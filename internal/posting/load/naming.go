// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// naming has commits give IDs to the keys that a load meets. It names many keys at a time, while
// the load goes on.
type naming struct {
	host         Host
	ctx          context.Context
	ids          []uint64         // IDs of the Refs given out, by the numbers of their keys, as far as they are known
	Widest       uint64           // the greatest of ids
	waiting      []model.SpaceKey // keys that have no ID yet
	waitingBytes int
	pending      chan namedKeys // gets the outcome of naming keys; nil: none are being named
	under        int            // how many are
}

// unnamed returns how many keys have no ID yet.
func (n *naming) unnamed() int { return len(n.waiting) + n.under }

// await has a key that is new be given an ID: by the number that the table has just given it.
func (n *naming) await(space uint32, text []byte) {
	n.waiting = append(n.waiting, model.SpaceKey{Space: space, Key: string(text)})
	n.waitingBytes += len(text)
}

// namedKeys is the outcome of giving IDs to keys.
type namedKeys struct {
	ids []uint64
	err error
}

// start has keys that wait be given IDs while the load goes on, once those before have theirs.
func (n *naming) start() error {
	if err := n.wait(); err != nil || len(n.waiting) == 0 {
		return err
	}
	keys := n.waiting
	n.waiting, n.waitingBytes, n.under = nil, 0, len(keys)
	names := make(chan namedKeys, 1)
	n.pending = names
	go func() {
		ids, err := n.host.AssignKeys(n.ctx, keys)
		names <- namedKeys{ids, err}
	}()
	return nil
}

// wait waits for the keys that are being given IDs.
func (n *naming) wait() error {
	if n.pending == nil {
		return n.ctx.Err()
	}
	named := <-n.pending
	n.pending, n.under = nil, 0
	if named.err != nil {
		return named.err
	}
	n.ids, n.Widest = append(n.ids, named.ids...), max(n.Widest, slices.Max(named.ids))
	return nil
}

// Name gives IDs to all keys that wait.
func (n *naming) Name() error {
	if err := n.start(); err != nil {
		return err
	}
	return n.wait()
}
