// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// KeyRun is a run of keys of one space that are given consecutive IDs.
type KeyRun struct {
	Space uint32
	First uint64
	Keys  []string
}

// appendTo appends the run as a section: of keys as they are, or of near keys, whichever is
// smaller. spelt is how many bytes the near keys have that the commit has so far.
func (run *KeyRun) appendTo(b []byte, spelt int) (section []byte, now int) {
	plain, text, start := 0, 0, len(b)
	for _, k := range run.Keys {
		plain += (bits.Len(uint(len(k))|1)+6)/7 + len(k)
		text += len(k)
	}
	header := func(tag byte) {
		b = binary.AppendUvarint(append(b[:start], tag), uint64(run.Space))
		b = binary.AppendUvarint(b, run.First)
		b = binary.AppendUvarint(b, uint64(len(run.Keys)))
	}
	if spelt+text <= maxEntry {
		header(sectionPrefixKeys)
		w := format.PrefixWriter{Dst: b}
		begin := len(b)
		for _, k := range run.Keys {
			w.Add(k)
		}
		if w.Finish(); len(w.Dst)-begin < plain {
			return w.Dst, spelt + text
		}
		b = w.Dst
	}
	header(sectionKeys)
	for _, k := range run.Keys {
		b = append(binary.AppendUvarint(b, uint64(len(k))), k...)
	}
	return b, spelt
}

// keys reads a section of keys. All near keys of a commit have no more bytes together than an entry
// may have: few bytes must not stand for much memory.
func (d *sectionReader) keys(near bool) {
	run := KeyRun{Space: d.Varint32(), First: d.Varint()}
	var n int
	if near {
		n = int(min(d.Varint(), model.MaxKeys+1)) // many keys may take one byte
	} else {
		n = d.Count()
	}
	if d.named += 1 + n; d.named > model.MaxKeys {
		d.Ok = false
	}
	if !d.Ok {
		return
	}
	run.Keys = make([]string, 0, min(n, len(d.B)))
	r := format.PrefixReader{Reader: &d.Reader}
	for i := 0; i < n && d.Ok; i++ {
		var key []byte
		if none := uint64(0); near {
			if key, none = r.Read(); none > 0 {
				d.Ok = false
			}
			if d.spelt += len(key); d.spelt > maxEntry {
				d.Ok = false
			}
		} else if key = d.Bytes(); len(key) > format.MaxKey {
			d.Ok = false
		}
		run.Keys = append(run.Keys, string(key))
	}
	d.Ok = d.Ok && r.Left == 0
	d.entry.Keys = append(d.entry.Keys, run)
}
