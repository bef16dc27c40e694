// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// A rawBlock is a block of any body, which gets the checksum of its place.
type rawBlock struct {
	kind byte
	body []byte
}

// rawBackup returns a preamble and blocks.
func rawBackup(t testing.TB, blocks ...rawBlock) []byte {
	t.Helper()
	id := NewID()
	var file bytes.Buffer
	file.WriteString(magic)
	file.WriteByte(version)
	file.Write(id[:])
	w := &Writer{w: &file, id: id}
	for _, b := range blocks {
		if err := w.write(b.kind, append(make([]byte, blockHeadLen), b.body...)); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

// headBlock returns the head of a full backup of one index, changed.
func headBlock(t testing.TB, change func(h *Head)) rawBlock {
	t.Helper()
	h := smallHead()
	h.Base, h.Indexes[0] = "", Index{ID: 1}
	change(h)
	body, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return rawBlock{blockHead, body}
}

func rawEntry(key, value string) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(len(key)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(value)))
	return append(append(b, key...), value...)
}

func endBlock(blocks, entries uint64) rawBlock {
	return rawBlock{blockEnd, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, blocks), entries)}
}

// TestBlocksThatCannotBe reads backups whose checksums are right: what no version writes is
// refused, with what was got and wanted.
func TestBlocksThatCannotBe(t *testing.T) {
	head := headBlock(t, func(*Head) {})
	changed := func(change func(h *Head)) []byte { return rawBackup(t, headBlock(t, change)) }
	for name, c := range map[string]struct {
		file []byte
		want error
		text string
	}{
		"entries first": {rawBackup(t, rawBlock{blockEntries, nil}), model.ErrCorrupt,
			"got a block of kind 2 first, want 1"},
		"an end first": {rawBackup(t, endBlock(0, 0)), model.ErrCorrupt, "got a block of kind 3 first, want 1"},
		"kind 0":       {rawBackup(t, rawBlock{0, nil}), model.ErrVersion, "block 0: got kind 00000000, want 1 to 3"},
		"kind 4": {rawBackup(t, head, rawBlock{4, nil}), model.ErrVersion,
			"block 1: got kind 04000000, want 1 to 3"},
		"no JSON": {rawBackup(t, rawBlock{blockHead, []byte("{")}), model.ErrCorrupt, "head: "},
		"an unknown member": {rawBackup(t, rawBlock{blockHead, []byte(`{"version":1,"more":2}`)}), model.ErrCorrupt,
			`unknown field "more"`},
		"two objects": {rawBackup(t, rawBlock{blockHead, append(bytes.Clone(head.body), "{}"...)}), model.ErrCorrupt,
			"more than one object"},
		"no catalog":      {changed(func(h *Head) { h.Catalog = nil }), model.ErrCorrupt, "got no catalog"},
		"another version": {changed(func(h *Head) { h.Version = 2 }), model.ErrVersion, "head: got 2, want 1"},
		"another version of the catalog": {changed(func(h *Head) { h.Catalog.Version = 9 }), model.ErrVersion,
			"catalog: got 9, want 1"},
		"an index less": {changed(func(h *Head) { h.Indexes = nil }), model.ErrCorrupt, "another number of indexes"},
		"another index": {changed(func(h *Head) { h.Indexes[0].ID = 7 }), model.ErrCorrupt,
			"got index 7, want 1 as in its catalog"},
		"a catalog that cannot be": {changed(func(h *Head) { h.Catalog.Indexes[0].Fields[0].ID = 5 }), model.ErrCorrupt,
			"want a multiple of 4"},
		"two heads":         {rawBackup(t, head, head), model.ErrCorrupt, "block 1: got a second head"},
		"a head as the end": {rawBackup(t, head), model.ErrCorrupt, "it is cut short: got 1 whole blocks, and no end"},
		"half an entry": {rawBackup(t, head, rawBlock{blockEntries, []byte{1, 0, 0}}), model.ErrCorrupt,
			"block 1: the checksum is right but an entry goes beyond its end"},
		"an entry that is too long": {rawBackup(t, head, rawBlock{blockEntries, rawEntry("k", "value")[:9]}),
			model.ErrCorrupt, "an entry goes beyond its end"},
		"a key that is too long": {rawBackup(t, head, rawBlock{blockEntries,
			rawEntry(strings.Repeat("k", store.MaxKey+1), "")}), model.ErrCorrupt, "an entry goes beyond its end"},
		"an entry of another index": {rawBackup(t, head, rawBlock{blockEntries, rawEntry("\x02\x00\x00\x00\x09x", "")}),
			model.ErrCorrupt, `index "shop": `},
		"an end of another length": {rawBackup(t, head, rawBlock{blockEnd, make([]byte, endBodyLen-1)}),
			model.ErrCorrupt, "want 16 bytes, and a count of 1 blocks"},
		"a block less": {rawBackup(t, head, endBlock(0, 0)), model.ErrCorrupt, "and a count of 1 blocks"},
		"an entry less": {rawBackup(t, head, endBlock(1, 1)), model.ErrCorrupt,
			"end: got a count of 1 entries, want 0"},
		"bytes after the end": {append(rawBackup(t, head, endBlock(1, 0)), 0), model.ErrCorrupt,
			"got more bytes after its end"},
		"a block that is too long": {append(rawBackup(t, head), 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0),
			model.ErrCorrupt, "block 1: got 4294967295 bytes, want at most "},
		"nothing of the index": {rawBackup(t, head, endBlock(1, 0)), model.ErrCorrupt, `index "shop": `},
	} {
		s := memstore.New()
		if _, err := restore(t.Context(), s, c.file); !errors.Is(err, c.want) ||
			!strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v, want %v: %s", name, err, c.want, c.text)
		}
		mustBeRestoring(t, name, s)
	}
}

// TestEntriesOutOfOrder adds entries behind those of all indexes: of no index, and of the first
// one.
func TestEntriesOutOfOrder(t *testing.T) {
	s, _ := chain(t)
	for _, key := range []string{"\x02\x00\x00\x00\x09x", "\x02\x00\x00\x00\x01x", "k", ""} {
		b, err := NewReader(bytes.NewReader(s.backup(nil).file))
		if err != nil {
			t.Fatal(err)
		}
		head, err := json.Marshal(b.Head)
		if err != nil {
			t.Fatal(err)
		}
		blocks := []rawBlock{{blockHead, head}}
		for {
			kind, body, err := b.block()
			if err != nil {
				t.Fatal(err)
			}
			if kind == blockEnd {
				break
			}
			blocks = append(blocks, rawBlock{kind, body})
		}
		blocks = append(blocks, rawBlock{blockEntries, rawEntry(key, "value")})
		_, err = restore(t.Context(), memstore.New(), rawBackup(t, blocks...))
		want := fmt.Sprintf("got an entry under key %x, of no index or out of order", key)
		if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("key %q: got %v, want %q", key, err, want)
		}
	}
}

// TestReadHead reads a head alone, and the end without what is between.
func TestReadHead(t *testing.T) {
	_, of := chain(t)
	file := of[1].file
	check := func(file []byte) error {
		r := bytes.NewReader(file)
		b, err := NewReader(r)
		if err == nil {
			err = b.SeekEnd(r)
		}
		if err == nil {
			err = b.CheckEnd()
		}
		if err == nil && (b.ID != of[1].id || b.Head.Base != of[0].id.String()) {
			t.Errorf("got backup %s on %s, want %s on %s", b.ID, b.Head.Base, of[1].id, of[0].id)
		}
		return err
	}
	if err := check(file); err != nil {
		t.Errorf("got %v of a whole backup", err)
	}
	for n := range len(file) {
		if err := check(file[:n]); !errors.Is(err, model.ErrCorrupt) && (n >= len(magic) ||
			!errors.Is(err, ErrNotBackup)) {
			t.Fatalf("the first %d bytes: got %v, want ErrCorrupt", n, err)
		}
	}
	for i := 1; i <= endLen; i++ {
		damaged := bytes.Clone(file)
		damaged[len(file)-i] ^= 4
		if err := check(damaged); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("byte %d from the end: got %v, want ErrCorrupt", i, err)
		}
	}
}

// failingReader fails once it has given some bytes.
type failingReader struct {
	r    io.Reader
	left int
}

var errBroken = errors.New("the line is broken")

// Read implements io.Reader.
func (f *failingReader) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, errBroken
	}
	n, err := f.r.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, err
}

// TestReaderThatFails: an error of the reader is told as it is, at every byte, and is no damage.
func TestReaderThatFails(t *testing.T) {
	_, of := chain(t)
	file := of[0].file
	for n := 0; n <= len(file); n += step() {
		s := memstore.New()
		r, err := NewRestorer(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Add(&failingReader{bytes.NewReader(file), n}); !errors.Is(err, errBroken) ||
			errors.Is(err, model.ErrCorrupt) {
			t.Fatalf("after %d bytes: got %v, want %v", n, err, errBroken)
		}
	}
	if _, err := NewReader(bytes.NewReader(nil)); !errors.Is(err, ErrNotBackup) {
		t.Errorf("got %v of nothing, want ErrNotBackup", err)
	}
}

// TestCatalogOfHead: the head of a backup keeps the catalog as it is, with its aliases.
func TestCatalogOfHead(t *testing.T) {
	s := newShop(t)
	s.write()
	if err := s.catalog.SetAlias("paint", "shop"); err != nil {
		t.Fatal(err)
	}
	to := memstore.New()
	if _, err := restore(t.Context(), to, s.backup(nil).file); err != nil {
		t.Fatal(err)
	}
	c, err := schema.Read(to, true)
	if err != nil || c.Aliases["paint"] != "shop" || c.Indexes[0].Secret != s.catalog.Indexes[0].Secret {
		t.Errorf("got %+v, %v, want that of the database", c, err)
	}
}
