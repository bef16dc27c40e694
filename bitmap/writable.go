// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

// makeWritable gives the body the loose form, in memory with room to grow. A body that is not known to be valid is proved first; if it is not,
// what can be read of it is kept.
func (b *Bitmap) makeWritable() {
	if !b.sound && b.view.Validate() != nil {
		builder := borrowBuilder()
		builder.appendView(b.view)
		builder.into(b, Fastest)
		builders.Put(builder)
	}
	old := b.view
	b.list = holeList{}
	switch old.form {
	case formEmpty:
		b.loose(0, 0)
	case formSingle, formSolo:
		b.loosenValues(&old)
	default:
		b.loosen(&old)
	}
	b.writable, b.sound = true, true
}

// loosen copies the containers of a directory.
func (b *Bitmap) loosen(old *View) {
	size := 0
	for i := range old.count {
		e := old.entryAt(i)
		size += int(roomFor(uint64(e.size())))
	}
	b.loose(old.count, size)
	for i := range old.count {
		e := old.entryAt(i)
		n := e.size()
		at := b.occupy(roomFor(uint64(n)))
		payload := b.body()[at : at+uint64(n)]
		payload[0] = e.low
		b.moved += uint64(n)
		copy(payload[n-len(e.data):], e.data)
		b.record(i, e.key, e.kind, e.n, at, n)
	}
	b.view.count = old.count
	b.setCount()
}

// size returns the bytes of the payload, low width included.
func (e *entry) size() int {
	if e.kind == kindPacked {
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
			// Up to the last boundary of chunks that makes no container of more than maxLoosePacked values, or to the first.
			for n = maxLoosePacked; n > 0 && values[n-1]>>16 == values[n]>>16; {
				n--
			}
			if n == 0 {
				for n = maxLoosePacked; n < len(values) && values[n-1]>>16 == values[n]>>16; {
					n++
				}
			}
		}
		b.insertNew(b.view.count, w.encode(values[:n]))
		values = values[n:]
	}
}
