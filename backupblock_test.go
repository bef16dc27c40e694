// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// smallHead returns the head of an increment of one index.
func smallHead() *backupHead {
	fields, err := catalogFields(nil, []Field{{Name: "country", Type: Set}})
	if err != nil {
		panic(err)
	}
	return &backupHead{Version: backupVersion, Time: time.Unix(1_790_000_000, 0).UTC(),
		Base: "000102030405060708090a0b0c0d0eff",
		Catalog: &catalog{Version: catalogVersion, Indexes: []catalogIndex{{ID: 1, Name: "shop",
			Secret: "00112233445566778899aabbccddeeff", Fields: fields}}},
		Indexes: []headIndex{{ID: 1, Since: &headMark{Sequence: 5, Flushed: 5, Generation: 3, Tail: 0x01020304},
			To: headMark{Sequence: 9, Flushed: 8, Generation: 6}, Pages: 1, Bytes: 5}}}
}

func TestGoldenBackup(t *testing.T) {
	id := [backupIDLen]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	var file bytes.Buffer
	w, err := newBackupWriter(&file, id, smallHead())
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
	r, err := newBackupReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	back := fmt.Sprintf("backup %x since %s, index %+v\n", r.id, r.head.Base, r.head.Indexes[0].To)
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
	w, err := newBackupWriter(&file, [backupIDLen]byte{}, smallHead())
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
	r, err := newBackupReader(&file)
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

// FuzzRestore restores blocks of any bytes, whose checksums are right: an error, or a database that
// opens, and never a panic.
func FuzzRestore(f *testing.F) {
	db, err := Open(f.Context(), memstore.New(), nil)
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(f.Context(), "shop", Field{Name: "country", Type: Set})
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		var b Batch
		b.Set("country", fmt.Sprint("r", n), "de")
		if _, err := ix.Write(f.Context(), &b); err != nil {
			f.Fatal(err)
		}
		if n == 1 {
			if err := ix.Flush(f.Context()); err != nil {
				f.Fatal(err)
			}
		}
	}
	var file bytes.Buffer
	if _, err := db.Backup(f.Context(), &file, nil); err != nil {
		f.Fatal(err)
	}
	r, err := newBackupReader(&file)
	if err != nil {
		f.Fatal(err)
	}
	head := r.head
	_, body, err := r.block()
	if err != nil {
		f.Fatal(err)
	}
	to := head.Indexes[0].To
	f.Add(body, to.Sequence, to.Flushed, to.Generation)
	f.Add(body[:len(body)/2], to.Sequence, to.Flushed, to.Generation)
	f.Add([]byte{}, uint64(1)<<60, uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, body []byte, sequence, flushed, generation uint64) {
		h := *head
		h.Indexes = []headIndex{{ID: 1, To: headMark(posting.Mark{Sequence: sequence, Flushed: flushed,
			Generation: generation})}}
		var file bytes.Buffer
		w, err := newBackupWriter(&file, [backupIDLen]byte{}, &h)
		if err != nil {
			t.Fatal(err)
		}
		w.block = append(w.block, body...)
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		// so that the count at the end is right where there is one
		for rest := body; len(rest) >= entryHeadLen; w.entries++ {
			n := entryHeadLen + int(rest[0]) + int(rest[1])<<8 + int(rest[2]) + int(rest[3])<<8 + int(rest[4])<<16
			rest = rest[min(n, len(rest)):]
		}
		if err := w.end(); err != nil {
			t.Fatal(err)
		}
		s := memstore.New()
		_, err = Restore(context.Background(), s, &file)
		db, opened := Open(context.Background(), s, nil)
		if err != nil {
			if !errors.Is(opened, ErrRestoring) {
				t.Fatalf("restoring: %v; opening: got %v, want %v", err, opened, ErrRestoring)
			}
			return
		}
		if opened != nil {
			if !errors.Is(opened, ErrCorrupt) { // an entry of the log that cannot be applied, say
				t.Fatal(opened)
			}
			return
		}
		_ = db.Verify(context.Background(), nil)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
