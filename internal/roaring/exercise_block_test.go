// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// maxBlocks is how many blocks of a set are looked at.
const maxBlocks = 12

// blocks calls f with the first blocks of a, and the block of b with the next key: most often the
// same.
func (o *operands) blocks(f func(x, y container.Block) uint64) (sum uint64) {
	var s, computed container.Scratch
	c, d := o.a.Cursor(&s), o.b.Cursor(&computed)
	for range maxBlocks {
		if !c.Next() {
			break
		}
		y := container.Block{Key: c.Key()}
		if d.Seek(c.Key()) {
			y = d.Block()
		}
		sum = sum*31 + f(c.Block(), y)
	}
	return sum
}

// computed calls f with blocks and a Scratch that may take the results, and reads the result of f.
func (o *operands) computed(f func(s *container.Scratch, x, y container.Block) container.Block) uint64 {
	var s container.Scratch
	return o.blocks(func(x, y container.Block) uint64 {
		z := f(&s, x, y)
		return uint64(z.Len())<<20 + uint64(len(z.Data)) + uint64(z.Rank(40_000)) + number16(z.Max())
	})
}

func number16(low uint16, ok bool) uint64 { return roaringtest.Number(uint64(low), ok) }

// builds fills a Builder with the blocks of a.
func (o *operands) builds(b *pack.Builder) {
	for c := o.a.Cursor(nil); c.Next(); {
		b.AppendBlock(c.Block())
	}
}

// blockCalls are the calls on parts of sets.
var blockCalls = []roaringtest.Call[*operands]{
	{Name: "View.Cursor", Do: func(o *operands) (sum uint64) {
		var s container.Scratch
		for _, c := range []view.Cursor{o.a.Cursor(nil), o.a.Cursor(&s)} {
			for range maxBlocks {
				if !c.Next() {
					break
				}
				sum += c.Key() + uint64(len(c.Block().Data))
			}
		}
		return sum
	}},
	{Name: "Cursor.Next", Do: func(o *operands) (sum uint64) {
		var s container.Scratch
		before, first := uint64(0), true
		for c := o.a.Cursor(&s); c.Next(); before, first = c.Key(), false {
			if !first && c.Key() <= before {
				o.t.Fatalf("Next: got key %d after %d", c.Key(), before)
			}
			sum++
		}
		return sum
	}},
	{Name: "Cursor.Seek", Do: func(o *operands) (sum uint64) {
		var s container.Scratch
		for c, key := o.a.Cursor(&s), uint64(0); c.Seek(key); key = c.Key()*2 + 1 {
			if c.Key() < key {
				o.t.Fatalf("Seek(%d): got %d", key, c.Key())
			}
			sum += c.Key()
		}
		return sum + o.each(func(x uint64) uint64 {
			c := o.a.Cursor(&s)
			return roaringtest.One(c.Seek(x>>16)) + roaringtest.One(c.Seek(x)) + roaringtest.One(c.Next())
		})
	}},
	{Name: "Cursor.Key", Do: func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			sum = sum*31 + c.Key()
		}
		return sum
	}},
	{Name: "Cursor.Undecoded", Do: func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			most := c.Undecoded()
			if n := c.Block().Len(); n > most && most > 0 || c.Undecoded() != 0 {
				panic("more values were decoded than had to be, or have to be once more")
			}
			sum += uint64(most)
		}
		return sum
	}},
	{Name: "Cursor.Block", Do: func(o *operands) (sum uint64) {
		c := o.a.Cursor(nil)
		sum = uint64(len(c.Block().Data))
		for c.Next() {
			sum += uint64(len(c.Block().Data))
		}
		return sum + uint64(len(c.Block().Data))
	}},
	{Name: "Cursor.BlockLen", Do: func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			sum += uint64(c.BlockLen())
		}
		return sum
	}},
	{Name: "Block.Len", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(x.Len()) })
	}},
	{Name: "Block.IsEmpty", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return roaringtest.One(x.IsEmpty()) })
	}},
	{Name: "Block.Contains", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return roaringtest.One(x.Contains(0)) + roaringtest.One(x.Contains(65535)) +
				roaringtest.One(x.Contains(300))
		})
	}},
	{Name: "Block.Min", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return number16(x.Min()) })
	}},
	{Name: "Block.Max", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return number16(x.Max()) })
	}},
	{Name: "Block.Next", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return number16(x.Next(0)) + number16(x.Next(300)) + number16(x.Next(65535))
		})
	}},
	{Name: "Block.Rank", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(x.Rank(0) + x.Rank(65535) + x.Rank(20_000)) })
	}},
	{Name: "Block.Select", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return number16(x.Select(0)) + number16(x.Select(x.Len()/2)) + number16(x.Select(x.Len()-1)) +
				number16(x.Select(-1)) + number16(x.Select(1<<30))
		})
	}},
	{Name: "Block.AppendTo", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(len(x.AppendTo(nil))) })
	}},
	{Name: "Block.Ascends", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			if x.Ascends() && !slices.IsSorted(x.AppendLow(nil)) {
				return 1
			}
			return 0
		})
	}},
	{Name: "Block.AppendLow", Do: func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(len(x.AppendLow(nil))) })
	}},
	{Name: "AppendCommonLow", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 {
			lows, ok := container.AppendCommonLow(nil, 5, x, y, x)
			return uint64(len(lows)) + roaringtest.One(ok)
		})
	}},
	{Name: "Block.AndLen", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.AndLen(y)) })
	}},
	{Name: "Block.OrLen", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.OrLen(y)) })
	}},
	{Name: "Block.AndNotLen", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.AndNotLen(y)) })
	}},
	{Name: "Block.XorLen", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.XorLen(y)) })
	}},
	{Name: "Block.Intersects", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return roaringtest.One(x.Intersects(y)) })
	}},
	{Name: "Block.Equal", Do: func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return roaringtest.One(x.Equal(y)) })
	}},
	{Name: "OfLows", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, _ container.Block) container.Block {
			return container.OfLows(x.Key, x.AppendLow(nil), s)
		})
	}},
	{Name: "Scratch.And", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.And(s.And(x, y), y)
		})
	}},
	{Name: "Scratch.Spread", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, _ container.Block) container.Block {
			return s.And(s.Spread(x), x)
		})
	}},
	{Name: "Scratch.Meet", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			var other container.Scratch
			return s.And(s.Meet(other.Spread(x), y), x)
		})
	}},
	{Name: "Scratch.Or", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Or(s.Or(x, y), x)
		})
	}},
	{Name: "Scratch.Xor", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Xor(s.Xor(x, y), x)
		})
	}},
	{Name: "Scratch.AndNot", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.AndNot(s.Or(y, s.AndNot(x, y)), x)
		})
	}},
	{Name: "Scratch.Copy", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Copy(s.Or(s.Copy(x), y))
		})
	}},
	{Name: "Scratch.Patch", Do: func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			z := s.Patch(x, []uint16{1, 5, 65535}, []uint16{0, 5, 9})
			return s.Patch(s.Or(z, y), []uint16{7}, []uint16{8})
		})
	}},
	{Name: "Builder.AppendBlock", Do: func(o *operands) uint64 {
		var b pack.Builder
		for c := o.a.Cursor(nil); c.Next(); {
			b.AppendBlock(c.Block())
		}
		m := mutable.NewBitmap(&b, pack.Smallest)
		o.valid(m)
		return o.result(m)
	}},
	{Name: "Builder.Append", Do: func(o *operands) uint64 {
		var b pack.Builder
		values := o.values(3000)
		slices.Sort(values) // the caller's part
		for _, x := range values {
			b.Append(x)
		}
		return uint64(len(b.Body(nil)))
	}},
	{Name: "Builder.Bitmap", Do: func(o *operands) uint64 {
		var b pack.Builder
		o.builds(&b)
		m := mutable.NewBitmap(&b, pack.Fastest)
		o.valid(m)
		return o.result(m)
	}},
	{Name: "Builder.Body", Do: func(o *operands) uint64 {
		var b pack.Builder
		o.builds(&b)
		return o.body(b.Body(nil))
	}},
	{Name: "Builder.BodyIn", Do: func(o *operands) uint64 {
		var b pack.Builder
		o.builds(&b)
		return o.body(b.BodyIn(nil, pack.Balanced))
	}},
	{Name: "Builder.Len", Do: func(o *operands) uint64 {
		var b pack.Builder
		o.builds(&b)
		return b.Len()
	}},
	{Name: "Builder.Reset", Do: func(o *operands) uint64 {
		var b pack.Builder
		o.builds(&b)
		b.Reset()
		o.builds(&b)
		return b.Len()
	}},
}
