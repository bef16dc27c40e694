// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// listedMost is the largest answer whose keys are compared one by one. Larger ones are few: their
// count and a page are compared.
const listedMost = 50_000

// checkAll compares answers with a plain computation over the follows of the network. Then it
// writes events, and compares them again.
func (b *bench) checkAll(ctx context.Context) error {
	if b.opts.Check == 0 {
		return nil
	}
	b.opts.Phase("computing answers")
	n := &b.opts.Network
	c := n.chooser(4)
	var questions []question
	for k := range kinds {
		for range b.opts.Check {
			questions = append(questions, c.question(k))
		}
	}
	m := n.newModel(questions)
	// or the collector would work without a pause to keep within what the database may take
	debug.SetMemoryLimit(b.opts.Memory + m.bytes())
	defer debug.SetMemoryLimit(b.opts.Memory)
	if err := b.compare(ctx, "comparing", questions, m); err != nil || b.opts.Changes == 0 {
		return err
	}
	if err := b.change(ctx, c, questions, m); err != nil {
		return err
	}
	return b.compare(ctx, "comparing again", questions, m)
}

func (b *bench) compare(ctx context.Context, phase string, questions []question, m *model) error {
	b.opts.Phase(phase)
	for i, q := range questions {
		if err := b.compareOne(ctx, q, m.answer(q)); err != nil {
			return fmt.Errorf("%s of accounts %d: %w", paths[q.kind], q.of, err)
		}
		b.report.Checked++
		if i%256 == 0 {
			b.opts.Progress(int64(i), int64(len(questions)))
		}
	}
	return nil
}

// compareOne asks a question, and fails when the answer is not the one that is wanted.
func (b *bench) compareOne(ctx context.Context, q question, want []uint32) error {
	n := &b.opts.Network
	if q.kind == doesFollow {
		got, err := b.graph.Follows(ctx, n.Key(q.of[0]), n.Key(q.of[1]))
		if err == nil && got != (len(want) > 0) {
			err = fmt.Errorf("got %v, want %v", got, !got)
		}
		return err
	}
	s := b.graph.Index().Snapshot()
	defer s.Close()
	count, err := s.Count(ctx, q.expr(n))
	if err != nil || count != uint64(len(want)) {
		return fmt.Errorf("got a count of %d (%v), want %d", count, err, len(want))
	}
	keys, err := s.Keys(ctx, q.expr(n), uproar.Page{Limit: listedMost})
	if err != nil || len(keys.Keys) != min(len(want), listedMost) || keys.More != (len(want) > listedMost) {
		return fmt.Errorf("got %d accounts, more: %v (%v), want %d", len(keys.Keys), keys.More, err, len(want))
	}
	got := make([]uint32, len(keys.Keys))
	for i, key := range keys.Keys {
		account, ok := n.Account(key)
		if !ok {
			return fmt.Errorf("got %q, which is no account", key)
		}
		got[i] = account
	}
	slices.Sort(got)
	for i, account := range got {
		if _, wanted := slices.BinarySearch(want, account); !wanted || i > 0 && got[i-1] == account {
			return fmt.Errorf("got account %d, not wanted or twice", account)
		}
	}
	return nil
}

// changeBatch is how many events are written as one.
const changeBatch = 1000

// change writes events to the database and the model.
func (b *bench) change(ctx context.Context, c *chooser, questions []question, m *model) error {
	b.opts.Phase("writing events")
	var near []uint32
	for _, q := range questions {
		near = append(near, q.of...)
	}
	watch := b.watch()
	for i := int64(0); i < b.opts.Changes; {
		var batch uproar.Batch
		for ; i < b.opts.Changes && batch.Len() < changeBatch; i++ {
			e := c.event(uint64(i), near)
			if m.apply(e); e.follow {
				batch.Set(graph.FollowsField, c.Key(e.account), c.Key(e.target))
			} else {
				batch.Clear(graph.FollowsField, c.Key(e.account), c.Key(e.target))
			}
		}
		if _, err := b.graph.Index().Write(ctx, &batch); err != nil {
			return err
		}
		b.opts.Progress(i, b.opts.Changes)
	}
	b.report.Changed, b.report.PerSecond = b.opts.Changes, float64(b.opts.Changes)/watch.end()
	return nil
}
