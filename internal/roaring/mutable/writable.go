// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// makeWritable gives the body the loose form, in memory with room to grow. A body that is not known
// to be valid is proved first; if it is not, what can be read of it is kept.
func makeWritable(b *Bitmap) {
	if !b.sound && b.View().Validate() != nil {
		builder := pack.BorrowBuilder()
		builder.AppendView(b.View())
		BuildInto(builder, b, pack.Fastest)
		builder.Release()
	}
	old := b.View()
	if b.changes != nil {
		b.list.clear()
	}
	switch old.Form() {
	case view.FormEmpty:
		looseIn(b, b.buf, 0, 0)
	case view.FormSingle, view.FormList:
		loosenValues(b, &old)
	default:
		loosen(b, &old)
	}
	b.writable, b.sound = true, true
}

// loosen copies the containers of a directory. Arrays of fewer than four values are gathered to
// packed containers: entries and payloads of their own would take more.
func loosen(b *Bitmap, old *view.View) {
	size, count, sparse := 0, 0, 0
	for i := range old.Count() {
		if old.KindAt(i) == container.Array && old.CardAt(i) < pack.ListBelow {
			sparse += old.CardAt(i)
			continue
		}
		e := old.EntryAt(i)
		size += int(view.RoomFor(uint64(e.Size())))
		count++
	}
	loose(b, count+sparse/(maxLoosePacked/2), size+4*sparse)
	r, w := startRewrite(b, 0, 0), borrowEncodeBuf()
	for i := range old.Count() {
		e := old.EntryAt(i)
		if e.Kind == container.Array && e.N < pack.ListBelow {
			w.values = old.BlockAt(i).AppendTo(w.values[:0])
			r.chunk(w.values)
			continue
		}
		r.flush()
		w.payload[0] = e.Low
		copy(w.payload[e.Size()-len(e.Data):], e.Data)
		r.put(e.Key, e.Kind, e.N, w.payload[:e.Size()])
	}
	encodeBufs.Put(w)
	r.close()
}

// loosenValues makes packed containers, or arrays, of the few values of a set without directory.
func loosenValues(b *Bitmap, old *view.View) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.values = old.AppendTo(w.values)
	loose(b, 1+len(w.values)/(maxLoosePacked/2), len(old.Raw())+len(old.Raw())/2)
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
		insertNew(b, b.count, w.encode(values[:n]))
		values = values[n:]
	}
}
