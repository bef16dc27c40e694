// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
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

func number16(low uint16, ok bool) uint64 { return number(uint64(low), ok) }

// builds fills a Builder with the blocks of a.
func (o *operands) builds(b *Builder) {
	for c := o.a.Cursor(nil); c.Next(); {
		b.AppendBlock(c.Block())
	}
}

// blockCalls are the calls on parts of sets.
var blockCalls = []call[*operands]{
	{"View.Cursor", func(o *operands) (sum uint64) {
		var s container.Scratch
		for _, c := range []Cursor{o.a.Cursor(nil), o.a.Cursor(&s)} {
			for range maxBlocks {
				if !c.Next() {
					break
				}
				sum += c.Key() + uint64(len(c.Block().Data))
			}
		}
		return sum
	}},
	{"Cursor.Next", func(o *operands) (sum uint64) {
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
	{"Cursor.Seek", func(o *operands) (sum uint64) {
		var s container.Scratch
		for c, key := o.a.Cursor(&s), uint64(0); c.Seek(key); key = c.Key()*2 + 1 {
			if c.Key() < key {
				o.t.Fatalf("Seek(%d): got %d", key, c.Key())
			}
			sum += c.Key()
		}
		return sum + o.each(func(x uint64) uint64 {
			c := o.a.Cursor(&s)
			return one(c.Seek(x>>16)) + one(c.Seek(x)) + one(c.Next())
		})
	}},
	{"Cursor.Key", func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			sum = sum*31 + c.Key()
		}
		return sum
	}},
	{"Cursor.Undecoded", func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			most := c.Undecoded()
			if n := c.Block().Len(); n > most && most > 0 || c.Undecoded() != 0 {
				panic("more values were decoded than had to be, or have to be once more")
			}
			sum += uint64(most)
		}
		return sum
	}},
	{"Cursor.Block", func(o *operands) (sum uint64) {
		c := o.a.Cursor(nil)
		sum = uint64(len(c.Block().Data))
		for c.Next() {
			sum += uint64(len(c.Block().Data))
		}
		return sum + uint64(len(c.Block().Data))
	}},
	{"Cursor.BlockLen", func(o *operands) (sum uint64) {
		for c := o.a.Cursor(nil); c.Next(); {
			sum += uint64(c.BlockLen())
		}
		return sum
	}},
	{"Block.Len", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(x.Len()) })
	}},
	{"Block.IsEmpty", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return one(x.IsEmpty()) })
	}},
	{"Block.Contains", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return one(x.Contains(0)) + one(x.Contains(65535)) + one(x.Contains(300))
		})
	}},
	{"Block.Min", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return number16(x.Min()) })
	}},
	{"Block.Max", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return number16(x.Max()) })
	}},
	{"Block.Next", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return number16(x.Next(0)) + number16(x.Next(300)) + number16(x.Next(65535))
		})
	}},
	{"Block.Rank", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(x.Rank(0) + x.Rank(65535) + x.Rank(20_000)) })
	}},
	{"Block.Select", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			return number16(x.Select(0)) + number16(x.Select(x.Len()/2)) + number16(x.Select(x.Len()-1)) +
				number16(x.Select(-1)) + number16(x.Select(1<<30))
		})
	}},
	{"Block.AppendTo", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(len(x.AppendTo(nil))) })
	}},
	{"Block.Ascends", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 {
			if x.Ascends() && !slices.IsSorted(x.AppendLow(nil)) {
				return 1
			}
			return 0
		})
	}},
	{"Block.AppendLow", func(o *operands) uint64 {
		return o.blocks(func(x, _ container.Block) uint64 { return uint64(len(x.AppendLow(nil))) })
	}},
	{"AppendCommonLow", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 {
			lows, ok := container.AppendCommonLow(nil, 5, x, y, x)
			return uint64(len(lows)) + one(ok)
		})
	}},
	{"Block.AndLen", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.AndLen(y)) })
	}},
	{"Block.OrLen", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.OrLen(y)) })
	}},
	{"Block.AndNotLen", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.AndNotLen(y)) })
	}},
	{"Block.XorLen", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return uint64(x.XorLen(y)) })
	}},
	{"Block.Intersects", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return one(x.Intersects(y)) })
	}},
	{"Block.Equal", func(o *operands) uint64 {
		return o.blocks(func(x, y container.Block) uint64 { return one(x.Equal(y)) })
	}},
	{"OfLows", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, _ container.Block) container.Block {
			return container.OfLows(x.Key, x.AppendLow(nil), s)
		})
	}},
	{"Scratch.And", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.And(s.And(x, y), y)
		})
	}},
	{"Scratch.Spread", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, _ container.Block) container.Block {
			return s.And(s.Spread(x), x)
		})
	}},
	{"Scratch.Meet", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			var other container.Scratch
			return s.And(s.Meet(other.Spread(x), y), x)
		})
	}},
	{"Scratch.Or", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Or(s.Or(x, y), x)
		})
	}},
	{"Scratch.Xor", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Xor(s.Xor(x, y), x)
		})
	}},
	{"Scratch.AndNot", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.AndNot(s.Or(y, s.AndNot(x, y)), x)
		})
	}},
	{"Scratch.Copy", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			return s.Copy(s.Or(s.Copy(x), y))
		})
	}},
	{"Scratch.Patch", func(o *operands) uint64 {
		return o.computed(func(s *container.Scratch, x, y container.Block) container.Block {
			z := s.Patch(x, []uint16{1, 5, 65535}, []uint16{0, 5, 9})
			return s.Patch(s.Or(z, y), []uint16{7}, []uint16{8})
		})
	}},
	{"Builder.AppendBlock", func(o *operands) uint64 {
		var b Builder
		for c := o.a.Cursor(nil); c.Next(); {
			b.AppendBlock(c.Block())
		}
		m := b.Bitmap(Smallest)
		o.valid(m)
		return o.made(m)
	}},
	{"Builder.Append", func(o *operands) uint64 {
		var b Builder
		values := o.values(3000)
		slices.Sort(values) // the caller's part
		for _, x := range values {
			b.Append(x)
		}
		return uint64(len(b.Body(nil)))
	}},
	{"Builder.Bitmap", func(o *operands) uint64 {
		var b Builder
		o.builds(&b)
		m := b.Bitmap(Fastest)
		o.valid(m)
		return o.made(m)
	}},
	{"Builder.Body", func(o *operands) uint64 {
		var b Builder
		o.builds(&b)
		return o.body(b.Body(nil))
	}},
	{"Builder.BodyIn", func(o *operands) uint64 {
		var b Builder
		o.builds(&b)
		return o.body(b.BodyIn(nil, Balanced))
	}},
	{"Builder.Len", func(o *operands) uint64 {
		var b Builder
		o.builds(&b)
		return b.Len()
	}},
	{"Builder.Reset", func(o *operands) uint64 {
		var b Builder
		o.builds(&b)
		b.Reset()
		o.builds(&b)
		return b.Len()
	}},
}
