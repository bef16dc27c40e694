// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// smallHead returns the head of an increment of one index.
func smallHead() *Head {
	fields, err := schema.Declare(nil, []schema.Field{{Name: "country", Type: schema.Set}})
	if err != nil {
		panic(err)
	}
	return &Head{Version: version, Time: time.Unix(1_790_000_000, 0).UTC(),
		Base: "000102030405060708090a0b0c0d0eff",
		Catalog: &schema.Catalog{Version: schema.CatalogVersion, Indexes: []schema.Index{{ID: 1, Name: "shop",
			Secret: "00112233445566778899aabbccddeeff", Fields: fields}}},
		Indexes: []Index{{ID: 1, Since: &Mark{Sequence: 5, Flushed: 5, Generation: 3, Tail: 0x01020304},
			To: Mark{Sequence: 9, Flushed: 8, Generation: 6}, Pages: 1, Bytes: 5}}}
}

func TestGoldenBackup(t *testing.T) {
	id := ID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	var file bytes.Buffer
	w, err := NewWriter(&file, id, smallHead())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range [][2]string{{"\x02\x00\x00\x00\x01 a key", "a value"}, {"\x04\x00\x00\x00\x01 another", ""}} {
		if err := w.entry([]byte(e[0]), []byte(e[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	back := fmt.Sprintf("backup %s since %s, index %+v\n", r.ID, r.Head.Base, r.Head.Indexes[0].To)
	for more := true; more; {
		more, err = r.next(func(key, value []byte) error {
			back += fmt.Sprintf("%q = %q\n", key, value)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	golden.Entry(t, "backup", "an increment: preamble, head, a block of two entries (which no store would have), end",
		nil, file.Bytes(), back)
}

// TestBackupBlocks writes entries of all sizes.
func TestBackupBlocks(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, ID{}, smallHead())
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{0, 1, blockBytes - 30, blockBytes, store.MaxValue, 3, store.MaxValue, blockBytes - 1}
	key := bytes.Repeat([]byte{7}, store.MaxKey)
	for i, n := range sizes {
		if err := w.entry(key, bytes.Repeat([]byte{byte(i)}, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for more := true; more; {
		more, err = r.next(func(k, v []byte) error {
			if !bytes.Equal(k, key) || len(bytes.Trim(v, string([]byte{byte(len(got))}))) > 0 {
				t.Errorf("entry %d is another", len(got))
			}
			got = append(got, len(v))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(sizes) {
		t.Errorf("got values of %d bytes, want %d", got, sizes)
	}
}
