// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/uproar-db/uproar/bitmap"
)

// Headline is what one operation takes, in nanoseconds. The figures are geometric means over data
// sets of ours, of the best peer on each, and of their ratios. 0: not measured.
type Headline struct {
	Name       string
	Ours, Peer float64
}

// headlineSets are the real data sets of headlines, if there is a folder with them. headlineRandom
// are always there.
var (
	headlineSets   = []string{"census1881", "wikileaks-noquotes", "uscensus2000"}
	headlineRandom = []string{"random, 100 in 5.5 M", "random, 1000 in 5.5 M"}
	headlineOps    = []operation{opAnd, opAndLen, opOr, opAndNot, opWideOr, opContains, opIterate, opOpenContains}
)

// HeadlineNames returns the names that Headlines gives, in order.
func HeadlineNames() (names []string) {
	for _, op := range headlineOps {
		names = append(names, "library: "+string(op))
	}
	return names
}

// Headlines measures some operations on some data sets, until a time. The real ones are in a folder
// or are left out.
func Headlines(dir string, slot time.Duration, until time.Time) ([]Headline, error) {
	p := &plan{slot: slot, rounds: 3, cpu: hasThreadTime, wanted: func(op operation) bool {
		return slices.Contains(headlineOps, op)
	}, contestants: []contestant{
		uproar("Fastest", bitmap.Fastest), roaring32("roaring", false), roaring32("roaring, runs", true),
		roaring64bit("roaring64"), weaviate("weaviate/sroar")}}
	ours, peers := make([]mean, len(headlineOps)), make([]mean, len(headlineOps))
	for _, source := range headlineSources(dir) {
		if time.Now().After(until) {
			break
		}
		d, err := source.make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
		r, err := p.measure(d)
		if err != nil {
			return nil, err
		}
		for _, l := range r.lines {
			at := slices.Index(headlineOps, l.op)
			if best, ok := p.bestPeer(l.cells); ok && l.cells[0].state == timed {
				ours[at].add(l.cells[0].ns)
				peers[at].add(best)
			}
		}
	}
	list := make([]Headline, len(headlineOps))
	for i, name := range HeadlineNames() {
		list[i].Name = name
		if ours[i].n > 0 {
			list[i].Ours, list[i].Peer = ours[i].value(), peers[i].value()
		}
	}
	return list, nil
}

// Ratio returns by what factor the peer takes longer; 0, if one of them was not measured.
func (h Headline) Ratio() float64 {
	if h.Ours <= 0 || h.Peer <= 0 || math.IsNaN(h.Ours) || math.IsNaN(h.Peer) {
		return 0
	}
	return h.Peer / h.Ours
}

// headlineSources returns the data sets that are there.
func headlineSources(dir string) (list []source) {
	for _, name := range headlineSets {
		if _, err := os.Stat(filepath.Join(dir, name+".zip")); err == nil {
			list = append(list, source{name, func() (*dataset, error) { return readZip(dir, name) }})
		}
	}
	for _, s := range synthetic() {
		if slices.Contains(headlineRandom, s.name) {
			list = append(list, s)
		}
	}
	return list
}
