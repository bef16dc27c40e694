// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/bench/socialgraph"
)

const (
	look = 500 * time.Millisecond // how often a server that is not ready is looked at
	// looks, one after the other, at which a server that has loaded its network must be at rest: it
	// may be writing
	resting = 4
	compare = 100 // questions of each line whose answers are compared
)

// ready waits until a server answers as ours does, and has nothing else to do.
func (s *settings) ready(p, ours *server, asked []socialgraph.Asked) error {
	end := time.Now().Add(s.patience)
	last := len(asked) - 1 // the largest list is whole only when all is loaded
	for {
		err := same(p, ours, asked[last].Addresses[0])
		if err == nil {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("not ready after %v: %w", s.patience, err)
		}
		time.Sleep(look)
	}
	before, quiet := p.Processor(), 0
	for quiet < resting && time.Now().Before(end) {
		time.Sleep(look)
		now := p.Processor()
		if quiet++; now-before > look/10 {
			quiet = 0
		}
		before = now
	}
	for _, a := range asked {
		for _, address := range a.Addresses[:min(compare, len(a.Addresses))] {
			if err := same(p, ours, address); err != nil {
				return err
			}
		}
	}
	return markLoaded(p.dir)
}

// same fails if two servers answer a question differently. The order of accounts is each server's
// own.
func same(p, ours *server, address string) error {
	r := drive.Request{Path: address}
	status, got, err := p.Ask(r)
	if err != nil {
		return err
	}
	wantStatus, want, err := ours.Ask(r)
	if err != nil {
		return err
	}
	if status == wantStatus && status == 200 && slices.Equal(meaning(got), meaning(want)) {
		return nil
	}
	return fmt.Errorf("%s: %s says %d %.200s (%d bytes), %s says %d %.200s (%d bytes)", address, p.Name, status, got,
		len(got), ours.Name, wantStatus, want, len(want))
}

// meaning returns the accounts of an answer in an order of its own. It returns an answer that is no
// list of accounts as it is.
func meaning(answer []byte) []string {
	var accounts []string
	if json.Unmarshal(answer, &accounts) != nil {
		return []string{string(bytes.TrimSpace(answer))}
	}
	slices.Sort(accounts)
	return accounts
}

// sizeOf returns how many bytes the answers to a line's questions have, on average.
func sizeOf(p *server, addresses []string) (int, error) {
	total, n := 0, 0
	for n < len(addresses) && (n < compare || total < 1<<20) && total < 64<<20 {
		status, answer, err := p.Ask(drive.Request{Path: addresses[n]})
		if err != nil || status != 200 {
			return 0, errors.Join(fmt.Errorf("%s: got %d", addresses[n], status), err)
		}
		total += len(answer)
		n++
	}
	return total / n, nil
}
