// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// keyRun is a run of keys of one space that are given consecutive IDs.
type keyRun struct {
	space uint32
	first uint64
	keys  []string
}

// appendTo appends the run as a section: of keys as they are, or of near keys, whichever is
// smaller. spelt is how many bytes the near keys have that the commit has so far.
func (run *keyRun) appendTo(b []byte, spelt int) (section []byte, now int) {
	plain, text, start := 0, 0, len(b)
	for _, k := range run.keys {
		plain += (bits.Len(uint(len(k))|1)+6)/7 + len(k)
		text += len(k)
	}
	head := func(tag byte) {
		b = binary.AppendUvarint(append(b[:start], tag), uint64(run.space))
		b = binary.AppendUvarint(b, run.first)
		b = binary.AppendUvarint(b, uint64(len(run.keys)))
	}
	if spelt+text <= maxEntry {
		head(sectionNearKeys)
		w := prefixWriter{dst: b}
		begin := len(b)
		for _, k := range run.keys {
			w.add(k)
		}
		if w.finish(); len(w.dst)-begin < plain {
			return w.dst, spelt + text
		}
		b = w.dst
	}
	head(sectionKeys)
	for _, k := range run.keys {
		b = append(binary.AppendUvarint(b, uint64(len(k))), k...)
	}
	return b, spelt
}

// keys reads a section of keys. All near keys of a commit have no more bytes together than an entry
// may have: few bytes must not stand for much memory.
func (d *sectionReader) keys(near bool) {
	run := keyRun{space: d.varint32(), first: d.varint()}
	var n int
	if near {
		n = int(min(d.varint(), model.MaxKeys+1)) // of which many may take one byte
	} else {
		n = d.count()
	}
	if d.named += 1 + n; d.named > model.MaxKeys {
		d.ok = false
	}
	if !d.ok {
		return
	}
	run.keys = make([]string, 0, min(n, len(d.b)))
	r := prefixReader{reader: &d.reader}
	for i := 0; i < n && d.ok; i++ {
		var key []byte
		if none := uint64(0); near {
			if key, none = r.read(); none > 0 {
				d.ok = false
			}
			if d.spelt += len(key); d.spelt > maxEntry {
				d.ok = false
			}
		} else if key = d.bytes(); len(key) > MaxKey {
			d.ok = false
		}
		run.keys = append(run.keys, string(key))
	}
	d.ok = d.ok && r.left == 0
	d.entry.keys = append(d.entry.keys, run)
}
