// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import "slices"

// changed calls f on copies of a, one of them changed before, and reads what they became.
func (o *operands) changed(f func(m *Bitmap) uint64) uint64 {
	o.t.Helper()
	fresh := o.a.Clone()
	before := f(fresh)
	again := o.a.Clone()
	again.Add(12_345)
	again.Remove(1 << 40)
	return before + 3*f(again) + 5*o.made(fresh) + 7*o.made(again)
}

// proved calls f, which makes a set valid, on copies of a.
func (o *operands) proved(f func(m *Bitmap) uint64) uint64 {
	o.t.Helper()
	return o.changed(func(m *Bitmap) uint64 {
		sum := f(m)
		o.valid(m)
		return sum
	})
}

// bitmapCalls are the calls on sets that own their bytes, copied from a.
var bitmapCalls = []call[*operands]{
	{"Bitmap.Add", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			return o.each(func(x uint64) uint64 {
				if !m.Add(x) {
					return 0
				}
				o.valid(m)
				return 1
			})
		})
	}},
	{"Bitmap.Remove", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			return o.each(func(x uint64) uint64 {
				if !m.Remove(x) {
					return 0
				}
				o.valid(m)
				return 1
			})
		})
	}},
	{"Bitmap.AddMany", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 {
			return uint64(m.AddMany(9, 8, 7, 6, 5, 4, 3, 2, 1, 1<<40) + m.AddMany(o.points...))
		})
	}},
	{"Bitmap.RemoveMany", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			n := m.RemoveMany(o.values(1000)...)
			if n > 0 {
				o.valid(m)
			}
			return uint64(n + m.RemoveMany(o.points...))
		})
	}},
	{"Bitmap.AddRange", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 {
			return m.AddRange(1000, 1<<19) + m.AddRange(1<<63, 1<<63) + m.AddRange(^uint64(99), ^uint64(0))
		})
	}},
	{"Bitmap.RemoveRange", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			n := m.RemoveRange(100, 1<<18)
			if n > 0 {
				o.valid(m)
			}
			return n + m.RemoveRange(0, ^uint64(0))
		})
	}},
	{"Bitmap.Flip", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 {
			m.Flip(1<<17, 1<<18+99)
			m.Flip(3, 3)
			return m.Len()
		})
	}},
	{"Bitmap.And", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			m.And(o.b)
			m.And(m.View())
			m.Add(5) // from here on it works where the containers lie
			m.And(o.b)
			m.Remove(5)
			return m.Len()
		})
	}},
	{"Bitmap.Or", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			m.Or(o.b)
			m.Or(o.a)
			return m.Len()
		})
	}},
	{"Bitmap.AndNot", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			m.AndNot(o.b)
			m.Add(5) // from here on it works where the containers lie
			m.AndNot(o.a)
			return m.Len()
		})
	}},
	{"Bitmap.Xor", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			m.Xor(o.b)
			m.Add(5) // from here on it works where the containers lie
			m.Xor(o.a)
			return m.Len()
		})
	}},
	{"Bitmap.Pack", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 {
			m.Pack(Fastest)
			o.valid(m)
			m.Pack(Smallest)
			return uint64(len(m.Bytes()))
		})
	}},
	{"Bitmap.Bytes", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return uint64(len(m.Bytes())) })
	}},
	{"Bitmap.Clone", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.made(m.Clone()) })
	}},
	{"Bitmap.View", func(o *operands) uint64 { return o.changed(func(m *Bitmap) uint64 { return m.View().Len() }) }},
	{"Bitmap.Moved", func(o *operands) uint64 { return o.changed((*Bitmap).Moved) }},
	{"Bitmap.RemoveFunc", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			if !listable(m.View()) {
				return 0
			}
			return m.RemoveFunc(func(x uint64) bool { return x%3 == 0 })
		})
	}},
	{"Bitmap.Reset", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 { m.Reset(); return m.Len() })
	}},
	{"Bitmap.CopyFrom", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { m.CopyFrom(m.View()); m.CopyFrom(o.b); return m.Len() })
	}},
	{"Bitmap.AddSeq", func(o *operands) uint64 {
		return o.proved(func(m *Bitmap) uint64 { return m.AddSeq(slices.Values(append(o.values(100), 1<<40))) })
	}},
	{"Collect", func(o *operands) uint64 {
		m := Collect(slices.Values(o.values(100)))
		o.valid(m)
		return o.made(m)
	}},
}
