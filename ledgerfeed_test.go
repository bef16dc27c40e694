// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
)

// A ledgerFollower replays the change feed of a ledger into a model. It checks the model against
// what is true of every state.
type ledgerFollower struct {
	l        *ledger
	sequence uint64
	loads    int                        // that the feed told of
	sets     map[string]map[string]bool // of each record that moves
	home     map[string]string
}

func newLedgerFollower(l *ledger) *ledgerFollower {
	return &ledgerFollower{l: l, sets: map[string]map[string]bool{}, home: map[string]string{}}
}

// follow replays the commits up to the state that a snapshot sees, and compares the two.
func (f *ledgerFollower) follow(ctx context.Context, s uproar.Snapshot) error {
	for c, err := range f.l.ix.Changes(ctx, f.sequence) {
		if err != nil {
			return err
		}
		if c.Sequence > s.Sequence() {
			break
		}
		if c.Sequence != f.sequence+1 {
			return fmt.Errorf("feed: got commit %d after %d", c.Sequence, f.sequence)
		}
		f.sequence = c.Sequence
		if err := f.apply(c); err != nil {
			return fmt.Errorf("feed: commit %d: %w", c.Sequence, err)
		}
	}
	if f.sequence != s.Sequence() {
		return fmt.Errorf("feed: got its last commit %d, and a snapshot of %d", f.sequence, s.Sequence())
	}
	return f.compare(s)
}

func (f *ledgerFollower) apply(c uproar.Commit) error {
	if c.Loaded {
		f.loads++
	}
	touched := map[string]bool{}
	for _, x := range c.Changes {
		switch {
		case x.Field == ledgerHome && x.Kind == uproar.ChangeSet:
			f.home[x.Record] = x.Value
		case x.Kind == uproar.ChangeAddRecord, x.Field == ledgerMoves:
			continue
		case !strings.HasPrefix(x.Field, "set"):
			return fmt.Errorf("got %+v, which nobody wrote", x)
		case x.Kind == uproar.ChangeSet:
			if f.sets[x.Record] == nil {
				f.sets[x.Record] = map[string]bool{}
			}
			f.sets[x.Record][x.Field] = true
		case x.Kind == uproar.ChangeClear:
			delete(f.sets[x.Record], x.Field)
		}
		touched[x.Record] = true
	}
	for record := range touched {
		if sets := f.sets[record]; len(sets) != 1 || !sets[f.home[record]] {
			return fmt.Errorf("%s: got sets %v, want its home %s alone", record, sets, f.home[record])
		}
	}
	return nil
}

// compare holds the model to a snapshot of the same state.
func (f *ledgerFollower) compare(s uproar.Snapshot) error {
	if len(f.sets) != f.l.moving() {
		return fmt.Errorf("feed: got %d records with a set, want %d", len(f.sets), f.l.moving())
	}
	for _, m := range f.l.movers {
		for i := range m.at {
			home, _, err := s.Value(ledgerHome, m.record(i))
			if err != nil {
				return err
			}
			if home != f.home[m.record(i)] {
				return fmt.Errorf("%s: got home %s in a snapshot of %d, and %s of the feed", m.record(i), home,
					s.Sequence(), f.home[m.record(i)])
			}
		}
	}
	return nil
}
