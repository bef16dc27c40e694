// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// changed calls f on copies of a, one of them changed before, and reads what they became.
func (o *operands) changed(f func(m *mutable.Bitmap) uint64) uint64 {
	o.t.Helper()
	fresh := mutable.Clone(o.a)
	before := f(fresh)
	again := mutable.Clone(o.a)
	again.Add(12_345)
	again.Remove(1 << 40)
	return before + 3*f(again) + 5*o.result(fresh) + 7*o.result(again)
}

// proved calls f, which makes a set valid, on copies of a.
func (o *operands) proved(f func(m *mutable.Bitmap) uint64) uint64 {
	o.t.Helper()
	return o.changed(func(m *mutable.Bitmap) uint64 {
		sum := f(m)
		o.valid(m)
		return sum
	})
}

// bitmapCalls are the calls on sets that own their bytes, copied from a.
var bitmapCalls = []roaringtest.Call[*operands]{
	{Name: "Bitmap.Add", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			return o.each(func(x uint64) uint64 {
				if !m.Add(x) {
					return 0
				}
				o.valid(m)
				return 1
			})
		})
	}},
	{Name: "Bitmap.Remove", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			return o.each(func(x uint64) uint64 {
				if !m.Remove(x) {
					return 0
				}
				o.valid(m)
				return 1
			})
		})
	}},
	{Name: "Bitmap.AddMany", Do: func(o *operands) uint64 {
		return o.proved(func(m *mutable.Bitmap) uint64 {
			return uint64(m.AddMany(9, 8, 7, 6, 5, 4, 3, 2, 1, 1<<40) + m.AddMany(o.points...))
		})
	}},
	{Name: "Bitmap.RemoveMany", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			n := m.RemoveMany(o.values(1000)...)
			if n > 0 {
				o.valid(m)
			}
			return uint64(n + m.RemoveMany(o.points...))
		})
	}},
	{Name: "Bitmap.AddRange", Do: func(o *operands) uint64 {
		return o.proved(func(m *mutable.Bitmap) uint64 {
			return m.AddRange(1000, 1<<19) + m.AddRange(1<<63, 1<<63) + m.AddRange(^uint64(99), ^uint64(0))
		})
	}},
	{Name: "Bitmap.RemoveRange", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			n := m.RemoveRange(100, 1<<18)
			if n > 0 {
				o.valid(m)
			}
			return n + m.RemoveRange(0, ^uint64(0))
		})
	}},
	{Name: "Bitmap.Flip", Do: func(o *operands) uint64 {
		return o.proved(func(m *mutable.Bitmap) uint64 {
			m.Flip(1<<17, 1<<18+99)
			m.Flip(3, 3)
			return m.Len()
		})
	}},
	{Name: "Bitmap.And", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			AndWith(m, o.b)
			AndWith(m, m.View())
			m.Add(5) // from here on it works where the containers lie
			AndWith(m, o.b)
			m.Remove(5)
			return m.Len()
		})
	}},
	{Name: "Bitmap.Or", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			OrWith(m, o.b)
			OrWith(m, o.a)
			return m.Len()
		})
	}},
	{Name: "Bitmap.AndNot", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			AndNotWith(m, o.b)
			m.Add(5) // from here on it works where the containers lie
			AndNotWith(m, o.a)
			return m.Len()
		})
	}},
	{Name: "Bitmap.Xor", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			XorWith(m, o.b)
			m.Add(5) // from here on it works where the containers lie
			XorWith(m, o.a)
			return m.Len()
		})
	}},
	{Name: "Bitmap.Pack", Do: func(o *operands) uint64 {
		return o.proved(func(m *mutable.Bitmap) uint64 {
			m.Pack(pack.Fastest)
			o.valid(m)
			m.Pack(pack.Smallest)
			return uint64(len(m.Bytes()))
		})
	}},
	{Name: "Bitmap.Bytes", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return uint64(len(m.Bytes())) })
	}},
	{Name: "Bitmap.Clone", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.result(m.Clone()) })
	}},
	{Name: "Bitmap.View", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return m.View().Len() })
	}},
	{Name: "Bitmap.Moved", Do: func(o *operands) uint64 { return o.changed((*mutable.Bitmap).Moved) }},
	{Name: "Bitmap.RemoveFunc", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			if !listable(m.View()) {
				return 0
			}
			return RemoveFunc(m, func(x uint64) bool { return x%3 == 0 })
		})
	}},
	{Name: "Bitmap.Reset", Do: func(o *operands) uint64 {
		return o.proved(func(m *mutable.Bitmap) uint64 { m.Reset(); return m.Len() })
	}},
	{Name: "Bitmap.CopyFrom", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { m.CopyFrom(m.View()); m.CopyFrom(o.b); return m.Len() })
	}},
	{Name: "Bitmap.AddSeq", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			// A set of hostile bytes may claim to have them all: then nothing changes.
			n := m.AddSeq(slices.Values(append(o.values(100), 1<<40)))
			if n > 0 {
				o.valid(m)
			}
			return n
		})
	}},
	{Name: "Collect", Do: func(o *operands) uint64 {
		m := mutable.Collect(slices.Values(o.values(100)))
		o.valid(m)
		return o.result(m)
	}},
}
