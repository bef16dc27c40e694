// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// makeWritable gives the body the loose form, in memory with room to grow. A body that is not known
// to be valid is proved first; if it is not, what can be read of it is kept.
func (b *Bitmap) makeWritable() {
	if !b.sound && b.View().Validate() != nil {
		builder := BorrowBuilder()
		builder.appendView(b.View())
		builder.Into(b, Fastest)
		builder.Release()
	}
	old := b.View()
	if b.changes != nil {
		b.list.clear()
	}
	switch old.form() {
	case formEmpty:
		b.looseIn(b.buf, 0, 0)
	case formSingle, formSolo:
		b.loosenValues(&old)
	default:
		b.loosen(&old)
	}
	b.writable, b.sound = true, true
}

// loosen copies the containers of a directory. Arrays of fewer than four values are gathered to
// packed containers: entries and rooms would take more than they do.
func (b *Bitmap) loosen(old *View) {
	size, count, thin := 0, 0, 0
	for i := range old.count() {
		if old.kindAt(i) == container.Array && old.cardAt(i) < soloBelow {
			thin += old.cardAt(i)
			continue
		}
		e := old.entryAt(i)
		size += int(roomFor(uint64(e.size())))
		count++
	}
	b.loose(count+thin/(maxLoosePacked/2), size+4*thin)
	r, w := b.revise(0, 0), borrowWork()
	for i := range old.count() {
		e := old.entryAt(i)
		if e.kind == container.Array && e.n < soloBelow {
			w.values = old.blockAt(i).AppendTo(w.values[:0])
			r.chunk(w.values)
			continue
		}
		r.flush()
		w.payload[0] = e.low
		copy(w.payload[e.size()-len(e.data):], e.data)
		r.put(e.key, e.kind, e.n, w.payload[:e.size()])
	}
	works.Put(w)
	r.close()
}

// size returns the bytes of the payload, low width included.
func (e *entry) size() int {
	if e.kind == container.Packed {
		return 1 + len(e.data)
	}
	return len(e.data)
}

// loosenValues makes packed containers, or arrays, of the few values of a set without directory.
func (b *Bitmap) loosenValues(old *View) {
	w := borrowWork()
	defer works.Put(w)
	w.values = old.AppendTo(w.values)
	b.loose(1+len(w.values)/(maxLoosePacked/2), len(old.body)+len(old.body)/2)
	for values := w.values; len(values) > 0; {
		n := len(values)
		if n > maxLoosePacked {
			// Up to the last boundary of chunks that makes no container of more than maxLoosePacked
			// values, or to the first.
			for n = maxLoosePacked; n > 0 && values[n-1]>>16 == values[n]>>16; {
				n--
			}
			if n == 0 {
				for n = maxLoosePacked; n < len(values) && values[n-1]>>16 == values[n]>>16; {
					n++
				}
			}
		}
		b.insertNew(b.count, w.encode(values[:n]))
		values = values[n:]
	}
}
