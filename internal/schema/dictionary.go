// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"cmp"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Dictionary is texts that a load names by their numbers, so that each is looked up once. They are
// the keys of records, or values of one field. Not for concurrent use.
type Dictionary struct {
	texts []string

	round uint64 // that the references are of; 0: there are none
	space uint32
	refs  []model.Ref // of the texts, as far as they have been looked up
	asked []bool      // which are looked up, or wait for it
	wait  []uint32    // which wait
	keys  []string    // their texts
	found []model.Ref
	times []uint32 // of the texts: how often pairs name each waiting text, while Order runs
}

// Reset gives the dictionary other texts, which belong to it from then on, and uses its memory
// again.
func (d *Dictionary) Reset(texts []string) { d.texts, d.round = texts, 0 }

// Len returns how many texts there are.
func (d *Dictionary) Len() int { return len(d.texts) }

// Text returns the text of a number below Len.
func (d *Dictionary) Text(number uint32) string { return d.texts[number] }

// Bind binds the references to a round of a load and to a key space. A round is a number above 0,
// unique among the loads of the process.
func (d *Dictionary) Bind(round uint64, space uint32) {
	if d.round == round && d.space == space {
		return
	}
	d.round, d.space = round, space
	d.wait, d.keys = d.wait[:0], d.keys[:0]
	d.refs = slices.Grow(d.refs[:0], len(d.texts))[:len(d.texts)]
	d.asked = slices.Grow(d.asked[:0], len(d.texts))[:len(d.texts)]
	clear(d.asked)
}

// Asked reports whether a text is looked up, or waits for it.
func (d *Dictionary) Asked(number uint32) bool { return d.asked[number] }

// Ask has a text be looked up by the next Look.
func (d *Dictionary) Ask(number uint32) {
	if !d.asked[number] {
		d.asked[number] = true
		d.wait, d.keys = append(d.wait, number), append(d.keys, d.texts[number])
	}
}

// Ref returns the reference of a text that was looked up.
func (d *Dictionary) Ref(number uint32) model.Ref { return d.refs[number] }

// mostCommon is how many pairs there may be for each text that waits. Where most are known, those
// that are new are rare, and their order does not matter.
const mostCommon = 16

// Order sorts the waiting texts by how many of some pairs name them as values. The most frequent
// come first. New texts get IDs in that order, so the IDs of frequent values, which fill most of a
// value column, are near each other. value returns the number of a pair's value.
func (d *Dictionary) Order(pairs int, value func(pair int) uint32) {
	if len(d.wait) < 2 || pairs > mostCommon*len(d.wait) {
		return
	}
	d.times = slices.Grow(d.times[:0], len(d.texts))[:len(d.texts)]
	for _, number := range d.wait {
		d.times[number] = 0
	}
	for i := range pairs {
		d.times[value(i)]++
	}
	slices.SortStableFunc(d.wait, func(a, b uint32) int { return cmp.Compare(d.times[b], d.times[a]) })
	for i, number := range d.wait {
		d.keys[i] = d.texts[number]
	}
}

// Look looks the texts up that wait for it. It calls find once for all of them, if there are any,
// and returns its error.
func (d *Dictionary) Look(find func(dst []model.Ref, space uint32, keys []string) ([]model.Ref, error)) (err error) {
	if len(d.wait) == 0 {
		return nil
	}
	if d.found, err = find(d.found[:0], d.space, d.keys); err != nil {
		return err
	}
	for i, number := range d.wait {
		d.refs[number] = d.found[i]
	}
	clear(d.keys)
	d.wait, d.keys = d.wait[:0], d.keys[:0]
	return nil
}
