// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// finder gives keys references in the order in which they are first asked for.
type finder struct {
	refs  map[string]model.Ref
	calls []string // the space and the keys of each call
	err   error
}

func (f *finder) find(dst []model.Ref, space uint32, keys []string) ([]model.Ref, error) {
	f.calls = append(f.calls, fmt.Sprint(space, ":", strings.Join(keys, ",")))
	for _, key := range keys {
		name := fmt.Sprint(space, key)
		if _, ok := f.refs[name]; !ok {
			f.refs[name] = model.Ref(len(f.refs))
		}
		dst = append(dst, f.refs[name])
	}
	return dst, f.err
}

// ask has texts be looked up.
func ask(d *Dictionary, numbers ...uint32) {
	for _, n := range numbers {
		d.Ask(n)
	}
}

// TestDictionaryLooksUpOnce: each text is looked up once a round and space, with the others that
// wait.
func TestDictionaryLooksUpOnce(t *testing.T) {
	f := &finder{refs: map[string]model.Ref{}}
	var d Dictionary
	d.Reset([]string{"a", "b", "c"})
	if d.Len() != 3 || d.Text(2) != "c" {
		t.Errorf("got %d texts, the last %q, want 3 and c", d.Len(), d.Text(2))
	}
	step := func(what string, calls ...string) {
		t.Helper()
		f.calls = nil
		if err := d.Look(f.find); err != nil || !slices.Equal(f.calls, calls) {
			t.Errorf("%s: got %q, %v, want %q", what, f.calls, err, calls)
		}
	}
	d.Bind(1, 7)
	step("nothing is asked")
	ask(&d, 2, 0, 2)
	if !d.Asked(2) || !d.Asked(0) || d.Asked(1) {
		t.Error("got other texts asked than 0 and 2")
	}
	step("two, one of them twice", "7:c,a")
	d.Bind(1, 7)
	ask(&d, 0, 1, 2)
	step("one is new", "7:b")
	if got := []model.Ref{d.Ref(0), d.Ref(1), d.Ref(2)}; !slices.Equal(got, []model.Ref{1, 2, 0}) {
		t.Errorf("got references %d, want 1, 2 and 0", got)
	}
	d.Bind(2, 7)
	ask(&d, 1)
	step("another round", "7:b")
	ask(&d, 0)
	d.Bind(2, 8) // which forgets what waits
	if d.Asked(0) || d.Asked(1) {
		t.Error("got texts asked in another space, want none")
	}
	ask(&d, 1)
	step("another space", "8:b")
	d.Reset([]string{"c", "a", "b", "d"})
	d.Bind(2, 8)
	ask(&d, 0, 3)
	step("other texts", "8:c,d")
	f.err = errors.New("no store")
	ask(&d, 1)
	if err := d.Look(f.find); !errors.Is(err, f.err) {
		t.Errorf("got %v, want %v", err, f.err)
	}
}

// TestDictionaryOrder: texts that wait are looked up by how often pairs name them, if the pairs are
// not too many for what waits.
func TestDictionaryOrder(t *testing.T) {
	for name, c := range map[string]struct {
		known, wait []uint32
		pairs       []uint32 // the values
		want        string
	}{
		"the most frequent first":   {wait: []uint32{0, 1, 2, 3}, pairs: []uint32{3, 1, 3, 2, 3, 1}, want: "1:d,b,c,a"},
		"equal ones in their order": {wait: []uint32{2, 0, 3, 1}, pairs: []uint32{0, 1, 2, 3}, want: "1:c,a,d,b"},
		"one alone":                 {wait: []uint32{2}, pairs: []uint32{0, 0, 2}, want: "1:c"},
		"known ones do not matter": {known: []uint32{0}, wait: []uint32{1, 2}, pairs: []uint32{0, 0, 0, 2},
			want: "1:c,b"},
		"as many pairs as are looked at": {wait: []uint32{0, 1}, pairs: slices.Repeat([]uint32{1}, 2*mostCommon),
			want: "1:b,a"},
		"too many pairs": {wait: []uint32{0, 1}, pairs: slices.Repeat([]uint32{1}, 2*mostCommon+1), want: "1:a,b"},
	} {
		f := &finder{refs: map[string]model.Ref{}}
		var d Dictionary
		d.Reset([]string{"a", "b", "c", "d"})
		d.Bind(1, 1)
		ask(&d, c.known...)
		if err := d.Look(f.find); err != nil {
			t.Fatal(err)
		}
		f.calls = nil
		ask(&d, c.wait...)
		d.Order(len(c.pairs), func(i int) uint32 { return c.pairs[i] })
		if err := d.Look(f.find); err != nil || !slices.Equal(f.calls, []string{c.want}) {
			t.Errorf("%s: got %q, %v, want %q", name, f.calls, err, c.want)
		}
		for i, n := range c.wait { // each text has its own reference, whatever the order was
			if want := f.refs["1"+d.Text(n)]; d.Ref(n) != want {
				t.Errorf("%s: text %d: got reference %d, want %d", name, i, d.Ref(n), want)
			}
		}
	}
}
