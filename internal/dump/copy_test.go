// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// fullWriter fails after some bytes.
type fullWriter struct{ left int }

var errNoRoom = errors.New("no room")

// Write implements io.Writer.
func (w *fullWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errNoRoom
	}
	return len(p), nil
}

// TestCopyIsTheSame copies a chain: the bytes are the same, and the progress ends with all of them.
func TestCopyIsTheSame(t *testing.T) {
	_, of := chain(t)
	for i, m := range of {
		var out bytes.Buffer
		last, all := int64(-1), int64(-2)
		b, err := Copy(&out, bytes.NewReader(m.file), func(done, total int64) { last, all = done, total })
		if err != nil || b.ID != m.id || !bytes.Equal(out.Bytes(), m.file) {
			t.Errorf("backup %d: got %d bytes, %v, want the same", i, out.Len(), err)
		}
		if last != all || all != m.head.Size() || all == 0 {
			t.Errorf("backup %d: got %d of %d bytes of pages, want all %d", i, last, all, m.head.Size())
		}
		if _, err := Copy(io.Discard, bytes.NewReader(m.file), nil); err != nil {
			t.Errorf("backup %d: without progress: %v", i, err)
		}
	}
}

// TestCopyFindsDamage: a copy is made of whole backups only, into a writer that takes them.
func TestCopyFindsDamage(t *testing.T) {
	_, of := chain(t)
	file := of[0].file
	for n := 0; n < len(file); n += step() {
		if _, err := Copy(io.Discard, bytes.NewReader(file[:n]), nil); !errors.Is(err, model.ErrCorrupt) &&
			!errors.Is(err, ErrNotBackup) {
			t.Fatalf("the first %d bytes: got %v, want ErrCorrupt", n, err)
		}
		if _, err := Copy(&fullWriter{n}, bytes.NewReader(file), nil); !errors.Is(err, errNoRoom) {
			t.Fatalf("with room for %d bytes: got %v, want %v", n, err, errNoRoom)
		}
	}
}

// TestWriteThatFails has the writer fail everywhere, and the context end: the error is told, and
// which index it is of.
func TestWriteThatFails(t *testing.T) {
	s, of := chain(t)
	exports := s.export()
	write := func(ctx context.Context, w io.Writer) error {
		h := s.head()
		if err := h.GoOn("", nil, exports); err != nil {
			t.Fatal(err)
		}
		return Write(ctx, w, of[2].id, h, exports, func(int64) {}, nil)
	}
	var file bytes.Buffer
	if err := write(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < file.Len(); n += step() {
		if err := write(t.Context(), &fullWriter{n}); !errors.Is(err, errNoRoom) {
			t.Fatalf("with room for %d bytes: got %v, want %v", n, err, errNoRoom)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := write(ended, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if err := s.lists[1].Close(); err != nil {
		t.Fatal(err)
	}
	if err := write(t.Context(), io.Discard); !errors.Is(err, model.ErrClosed) ||
		!strings.HasPrefix(err.Error(), `backup of index "other": `) {
		t.Errorf("got %v, want ErrClosed of index other", err)
	}
}

// TestWriteTellsWhatItHolds: the memory of a block is told, and how far the pages are.
func TestWriteTellsWhatItHolds(t *testing.T) {
	s, _ := chain(t)
	exports, h := s.export(), s.head()
	if err := h.GoOn("", nil, exports); err != nil {
		t.Fatal(err)
	}
	most, last := int64(0), int64(0)
	err := Write(t.Context(), io.Discard, NewID(), h, exports, func(bytes int64) { most = max(most, bytes) },
		func(done, total int64) {
			if done < last || done > total || total != h.Size() {
				t.Errorf("got %d of %d after %d, want at most %d", done, total, last, h.Size())
			}
			last = done
		})
	if err != nil || most < blockBytes || last != h.Size() {
		t.Errorf("got %d bytes held, %d of pages, %v, want a block and %d", most, last, err, h.Size())
	}
}

// TestHeadTooLarge: a head that no reader would take is not written.
func TestHeadTooLarge(t *testing.T) {
	h := smallHead()
	h.Catalog.Indexes[0].Note = make([]byte, maxBlockBody)
	var file bytes.Buffer
	if _, err := NewWriter(&file, NewID(), h); !errors.Is(err, model.ErrTooLarge) || file.Len() > 0 {
		t.Errorf("got %v and %d bytes, want ErrTooLarge and none", err, file.Len())
	}
}
