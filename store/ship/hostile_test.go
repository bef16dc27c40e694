// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// forged returns the bytes of an object of any content, with a checksum that is right. writer are
// the epoch and the nonce.
func forged(name string, kind byte, number uint64, writer, body []byte) []byte {
	b := []byte{0xbc, 1, kind, 0, 0, 0, 0, 0}
	b = binary.LittleEndian.AppendUint64(b, number)
	b = append(append(b, writer...), body...)
	seal.Write([]byte(name), b)
	return b
}

// entry returns the bytes of an operation that stores a value.
func entry(key, value []byte) []byte {
	b := append(binary.AppendUvarint(nil, uint64(len(key))<<1), key...)
	return append(binary.AppendUvarint(b, uint64(len(value))), value...)
}

// removal returns the bytes of an operation that deletes a key.
func removal(key []byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(key))<<1|1), key...)
}

// batchOf returns the bytes of a batch.
func batchOf(ops ...[]byte) []byte {
	return append(binary.AppendUvarint([]byte{0}, uint64(len(ops))), bytes.Join(ops, nil)...)
}

// named returns the bytes of a batch that is another object.
func named(name string) []byte {
	return append(binary.AppendUvarint([]byte{1}, uint64(len(name))), name...)
}

// batches returns the body of an object.
func batches(all ...[]byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(all))), bytes.Join(all, nil)...)
}

// hidden is the key under which a node has its position.
var hidden = []byte("\xff\xff\xff\xffship/position")

// TestHostileObjects has a node meet objects that no writer makes, with checksums that are right.
// It names the object, says why, and applies nothing of it.
func TestHostileObjects(t *testing.T) {
	const attached = "attached/00000000000000000001-01020304-00000001"
	good := entry([]byte("good"), []byte("x"))
	for _, c := range []struct {
		what string
		kind byte
		body []byte
		with map[string][]byte // bodies of attachments
		want string
	}{
		{"stores the position", 1, batches(batchOf(good, entry(hidden, []byte("{}")))), nil, "position"},
		{"deletes the position", 1, batches(batchOf(good, removal(hidden))), nil, "position"},
		{"an empty key", 1, batches(batchOf(good, entry(nil, []byte("x")))), nil, "key of 0 bytes"},
		{"a long key", 1, batches(batchOf(entry(make([]byte, store.MaxKey+1), nil))), nil, "key of 513 bytes"},
		{"a large value", 1, batches(batchOf(entry([]byte("k"), make([]byte, store.MaxValue+1)))), nil, "value of"},
		{"a large batch", 1, batches(batchOf(entry([]byte("a"), make([]byte, store.MaxValue)),
			entry([]byte("b"), make([]byte, store.MaxValue)))), nil, "batch of 33554434 bytes"},
		{"many operations", 1, batches(append([]byte{0, 0x81, 8}, bytes.Repeat(good, 1025)...)), nil,
			"batch of 1025 operations"},
		{"a count of batches", 1, []byte{0xff, 0xff, 0xff, 0xff, 0x0f}, nil, "count of"},
		{"a count of operations", 1, batches([]byte{0, 0xff, 0xff, 0xff, 0xff, 0x0f}), nil, "count of"},
		{"a length", 1, batches([]byte{0, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 'k'}), nil, "length of"},
		{"an endless number", 1, bytes.Repeat([]byte{0xff}, 20), nil, "number"},
		{"bytes behind", 1, append(batches(batchOf(good)), 7), nil, "1 bytes after the last batch"},
		{"an unknown tag", 1, batches([]byte{9, 0}), nil, "tag 9"},
		{"an unknown kind", 9, batches(), nil, "kind 9"},
		{"an attachment in the log", 4, batches(batchOf(good)), nil, "kind 4"},
		{"a release with batches", 3, batches(batchOf(good)), nil, "1 batches in the object that ends"},
		{"a name in the log", 1, batches(batchOf(good), named("log/00000000000000000001")), nil, "attached/"},
		{"a name above", 1, batches(batchOf(good), named("attached/../log.json")), nil, "attached/"},
		{"a long name", 1, batches(named("attached/" + strings.Repeat("x", 1000))), nil, "attached/"},
		{"no such attachment", 1, batches(batchOf(good), named(attached)), nil, "no such object"},
		{"two batches attached", 1, batches(batchOf(good), named(attached)),
			map[string][]byte{attached: batches(batchOf(good), batchOf(good))}, "attachment with one"},
		{"nothing attached", 1, batches(batchOf(good), named(attached)), map[string][]byte{attached: batches()},
			"no batch"},
		{"attached twice", 1, batches(batchOf(good), named(attached)),
			map[string][]byte{attached: batches(named(attached))}, "attachment with one"},
		{"the position attached", 1, batches(batchOf(good), named(attached)),
			map[string][]byte{attached: batches(batchOf(entry(hidden, nil)))}, "position"},
		{"a writer that is no text", 2, []byte("{"), nil, "writer"},
		{"a writer with a long URL", 2, fmt.Appendf(nil, `{"id":"x","url":%q}`, strings.Repeat("x", 1000)), nil,
			"1000 bytes"},
		{"a writer of many bytes", 2, append(bytes.Repeat([]byte(" "), 5000), "{}"...), nil, "5002 bytes"},
		{"a writer without a name", 2, []byte(`{"id":"a/b"}`), nil, "slash"},
	} {
		t.Run(c.what, func(t *testing.T) {
			e := new(shiptest.Memory)
			w := open(t, memstore.New(), e, quick(ship.Writer, "w"))
			if err := w.Apply(put("before", "x"), true); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			first, err := e.Get(t.Context(), fmt.Sprintf("log/%020d", 1))
			if err != nil {
				t.Fatal(err)
			}
			number := uint64(len(namesOf(t, e, "log/"))) + 1
			name, writer := fmt.Sprintf("log/%020d", number), bytes.Clone(first[16:40])
			if c.kind == 2 {
				writer[0]++ // the next epoch
			}
			if err := e.Create(t.Context(), name, forged(name, c.kind, number, writer, c.body)); err != nil {
				t.Fatal(err)
			}
			for n, body := range c.with {
				if err := e.Create(t.Context(), n, forged(n, 4, 0, writer, body)); err != nil {
					t.Fatal(err)
				}
			}
			local := memstore.New()
			_, err = ship.Open(t.Context(), local, e, quick(ship.Reader, "r"))
			if _, ok := errors.AsType[*ship.DamagedError](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want a DamagedError with %q", err, c.want)
			}
			if got := content(t, local); len(got) != 3 || got["good"] != "" {
				t.Errorf("got %d entries, want the two before and the position: %q", len(got), got)
			}
		})
	}
}

// TestHostileCheckpoints has a node begin from checkpoints that no node makes.
func TestHostileCheckpoints(t *testing.T) {
	const name, block = "checkpoint/00000000000000000002/index", "blocks/00000000000000000002-01020304/000000"
	none := make([]byte, 24)
	sound := batches(batchOf(entry([]byte("a"), nil), entry([]byte("b"), nil)))
	for _, c := range []struct {
		what  string
		kind  byte
		body  []byte
		index string // %s: the log, %d: bytes of the block, %x: its sum
		want  string
	}{
		{"nothing wrong", 4, sound, "", ""},
		{"the position", 4, batches(batchOf(entry([]byte("a"), nil), entry(hidden, []byte("{}")))), "", "position"},
		{"a deletion", 4, batches(batchOf(removal([]byte("a")))), "", "order of their keys"},
		{"out of order", 4, batches(batchOf(entry([]byte("b"), nil), entry([]byte("a"), nil))), "",
			"order of their keys"},
		{"a key twice", 4, batches(batchOf(entry([]byte("b"), nil)), batchOf(entry([]byte("b"), nil))), "",
			"order of their keys"},
		{"a name", 4, batches(named(block)), "", "attached/"},
		{"another kind", 1, sound, "", "kind 1"},
		{"of another object", 4, sound, `{"at":{"log":%q,"object":3},"through":3,"blocks":[{"name":"` + block +
			`","bytes":%d,"sum":"%x"}]}`, "object 3"},
		{"through less", 4, sound, `{"at":{"log":%q,"object":2,"writer":{"id":"w"}},"through":1,"blocks":[{"name":"` + block +
			`","bytes":%d,"sum":"%x"}]}`, "through 1"},
		{"a block elsewhere", 4, sound, `{"at":{"log":%q,"object":2,"writer":{"id":"w"}},"through":2,"blocks":[` +
			`{"name":"log.json","bytes":%d,"sum":"%x"}]}`, "begins with blocks/"},
		{"a block of less than nothing", 4, sound, `{"at":{"log":%q,"object":2,"writer":{"id":"w"}},"through":2,` +
			`"blocks":[{"name":"` + block + `","bytes":-%d,"sum":"%x"}]}`, "block"},
	} {
		t.Run(c.what, func(t *testing.T) {
			e := new(shiptest.Memory)
			w := open(t, memstore.New(), e, quick(ship.Writer, "w"))
			if err := w.Apply(put("before", "x"), true); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			o, err := ship.Look(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			first, err := e.Get(t.Context(), fmt.Sprintf("log/%020d", 1))
			if err != nil {
				t.Fatal(err)
			}
			data := forged("blocks/", c.kind, 0, none, c.body)
			if c.index == "" {
				c.index = fmt.Sprintf(`{"at":{"log":%%q,"object":2,"epoch":1,"nonce":"%x","writer":{"id":"w"}},"through":2,`+
					`"blocks":[{"name":"%s","bytes":%%d,"sum":"%%x"}]}`, first[24:40], block)
			}
			index := fmt.Appendf(nil, c.index, o.Log, len(data), sha256.Sum256(data))
			index = fmt.Appendf(index, "\n%x\n", sha256.Sum256(index))
			if err := errors.Join(e.Create(t.Context(), block, data), e.Create(t.Context(), name, index)); err != nil {
				t.Fatal(err)
			}
			r, err := ship.Open(t.Context(), memstore.New(), e, quick(ship.Reader, "r"))
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if got := content(t, r); len(got) != 2 {
					t.Errorf("got %d entries, want those of the checkpoint", len(got))
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if _, ok := errors.AsType[*ship.DamagedError](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want a DamagedError with %q", err, c.want)
			}
		})
	}
}
