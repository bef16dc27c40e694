// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

// samples are objects of each kind.
func samples() map[string]*object {
	who := nonce{1, 2, 3, 0xff}
	return map[string]*object{
		"takeover": {kind: takeoverKind, number: 7, epoch: 3, nonce: who,
			start: start{Node: Node{ID: "a", URL: "http://a:8080"}}},
		"release":   {kind: releaseKind, number: 8, epoch: 3, nonce: who},
		"heartbeat": {kind: commitKind, number: 9, epoch: 3, nonce: who},
		"commits": {kind: commitKind, number: 1 << 40, epoch: 3, nonce: who, parts: []part{
			{ops: []store.Op{{Key: []byte("k1"), Value: []byte("v")}, {Key: []byte("k2"), Delete: true}}},
			{attached: "attached/00000000000000000008-01020300-00000001"},
			{ops: []store.Op{{Key: []byte{0}, Value: []byte{}}}}}},
		"attachment": {kind: attachmentKind, epoch: 3, nonce: who, parts: []part{
			{ops: []store.Op{{Key: []byte("large"), Value: bytes.Repeat([]byte("x"), 40)}}}}},
	}
}

// text returns what an object holds.
func (o *object) text() string {
	s := fmt.Sprintf("kind %d, number %d, epoch %d, nonce %x, writer %+v\n", o.kind, o.number, o.epoch, o.nonce,
		o.start.Node)
	for p := range o.all() {
		s += fmt.Sprintf("batch %s\n", p.attached)
		for _, op := range p.ops {
			s += fmt.Sprintf("  %q = %q, deleted: %v\n", op.Key, op.Value, op.Delete)
		}
	}
	return s
}

// TestObject keeps the bytes of objects, and what reading them gives back.
func TestObject(t *testing.T) {
	for name, o := range samples() {
		data := o.encode(name)
		back, err := decodeObject(name, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if back.text() != o.text() {
			t.Errorf("%s: got\n%s\nwant\n%s", name, back.text(), o.text())
		}
		golden.Entry(t, name, "an object of a log: "+name, []byte(name), data, back.text())
	}
}

// TestObjectDamaged cuts objects anywhere and flips each of their bits: every one is an error.
func TestObjectDamaged(t *testing.T) {
	for name, o := range samples() {
		data := o.encode(name)
		for i := range len(data) * 8 {
			flipped := bytes.Clone(data)
			flipped[i/8] ^= 1 << (i % 8)
			if _, err := decodeObject(name, flipped); !errors.Is(err, store.ErrCorrupt) {
				t.Fatalf("%s, bit %d flipped: got %v, want ErrCorrupt", name, i, err)
			}
		}
		for n := range data {
			if _, err := decodeObject(name, data[:n]); !errors.Is(err, store.ErrCorrupt) {
				t.Fatalf("%s, the first %d bytes: got %v, want ErrCorrupt", name, n, err)
			}
		}
		if _, err := decodeObject("another", data); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s under another name: got %v, want ErrCorrupt", name, err)
		}
	}
}

// FuzzObject reads objects that anybody may have written, with checksums that are right.
func FuzzObject(f *testing.F) {
	for name, o := range samples() {
		f.Add(o.encode(name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= headLen {
			data = bytes.Clone(data)
			seal.Write([]byte("fuzz"), data)
		}
		o, err := decodeObject("fuzz", data)
		if err != nil {
			if !errors.Is(err, store.ErrCorrupt) {
				t.Fatalf("got %v, want ErrCorrupt", err)
			}
			return
		}
		written := *o
		written.body = nil
		for p := range o.all() {
			if len(p.ops) > store.MaxOps {
				t.Fatalf("got a batch of %d operations, want at most %d", len(p.ops), store.MaxOps)
			}
			p.ops = slices.Clone(p.ops)
			written.parts = append(written.parts, p)
		}
		again, err := decodeObject("again", written.encode("again"))
		if err != nil || again.text() != o.text() {
			t.Fatalf("written again: got %v and\n%s\nwant\n%s", err, again.text(), o.text())
		}
	})
}

// TestObjectTakesLittle reads objects that are nothing but counts and tiny operations: what that
// takes is bounded, however many there are.
func TestObjectTakesLittle(t *testing.T) {
	tiny := part{ops: slices.Repeat([]store.Op{{Key: []byte{1}, Delete: true}}, store.MaxOps)}
	many := (&object{kind: commitKind, parts: slices.Repeat([]part{tiny}, 1000)}).encode("many")
	empty := (&object{kind: commitKind, parts: make([]part, 1<<20)}).encode("empty")
	claim := (&object{kind: commitKind}).encode("claim")
	claim = append(claim[:headLen], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)
	seal.Write([]byte("claim"), claim)
	for name, data := range map[string][]byte{"many": many, "empty": empty, "claim": claim} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o, err := decodeObject(name, data)
		n := 0
		if err == nil {
			for p := range o.all() {
				n += len(p.ops)
			}
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 512<<10 {
			t.Errorf("%s: reading %d bytes took %d, want at most 512 KB", name, len(data), got)
		}
		if want := 1000 * store.MaxOps; (err == nil) == (name == "claim") || name == "many" && n != want {
			t.Errorf("%s: got %v and %d operations", name, err, n)
		}
	}
}
