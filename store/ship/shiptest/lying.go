// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Lies is how often an engine breaks its contract. Shares are of 1.
type Lies struct {
	TwoWinners float64 // the share of Creates that return nil where there is an object
	Hidden     float64 // the share of Gets that miss an object
	Unlisted   float64 // the share of names that a List leaves out
	Lost       float64 // the share of Creates that return nil and store nothing
}

// Lying is an engine that breaks the contract now and then. Safe for concurrent use.
type Lying struct {
	ship.Engine
	lies Lies

	mu  sync.Mutex
	rng *rand.Rand
}

// NewLying returns an engine over inner. The seed draws the lies.
func NewLying(inner ship.Engine, seed uint64, lies Lies) *Lying {
	return &Lying{Engine: inner, lies: lies, rng: rand.New(rand.NewPCG(seed, 35))}
}

func (l *Lying) lie(share float64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rng.Float64() < share
}

// Create implements ship.Engine, but for the lies.
func (l *Lying) Create(ctx context.Context, name string, data []byte) error {
	if l.lie(l.lies.Lost) {
		return ship.CheckObject(name, data)
	}
	err := l.Engine.Create(ctx, name, data)
	if errors.Is(err, ship.ErrExists) && l.lie(l.lies.TwoWinners) {
		return nil
	}
	return err
}

// Get implements ship.Engine, but for the lies.
func (l *Lying) Get(ctx context.Context, name string) ([]byte, error) {
	if l.lie(l.lies.Hidden) {
		return nil, fmt.Errorf("%w: %s", store.ErrNotFound, name)
	}
	return l.Engine.Get(ctx, name)
}

// List implements ship.Engine, but for the lies.
func (l *Lying) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for name, err := range l.Engine.List(ctx, prefix, after) {
			if err == nil && l.lie(l.lies.Unlisted) {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
	}
}
