// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"fmt"
	"math"
)

const (
	cloudHeight = 300.0 // of one with many words
	mostWords   = 100
	largestWord = 46.0
	leastWord   = 12.0
)

// word is an entry of a cloud.
type word struct {
	text   string
	weight float64
	tip    string
}

// cloud draws words, heaviest first, the larger the more weight. Each takes the first free place on
// a spiral around the middle, so that the same words always stand at the same places.
func (c *chart) cloud(words []word) {
	c.height = min(cloudHeight, 100+14*float64(len(words)))
	if len(words) == 0 {
		c.label(c.width()/2, c.height/2, c.width(), "none", shape{size: textSize, side: middle, ink: faint})
	}
	most := 0.0
	for _, w := range words {
		most = max(most, w.weight)
	}
	var taken []shape
	left := max(0, len(words)-mostWords)
	for i, w := range words[:min(len(words), mostWords)] {
		size := leastWord + (largestWord-leastWord)*math.Sqrt(w.weight/max(most, math.SmallestNonzeroFloat64))
		for size > leastWord && width(fit(w.text, size, true, math.Inf(1)), size, true) > c.width()*0.7 {
			size *= 0.9 // small and whole rather than cut
		}
		placed := false
		for ; size >= leastWord-2 && !placed; size *= 0.85 {
			text := fit(w.text, size, true, c.width()*0.7)
			box := shape{w: width(text, size, true) + 6, h: size*1.1 + 2}
			if placed = place(&box, taken, c.width(), c.height); !placed {
				continue
			}
			taken = append(taken, box)
			c.label(box.x+box.w/2, box.y+size*0.88+1, c.width(), text,
				shape{size: size, bold: true, side: middle, ink: word0 + ink(i%4), tip: w.tip})
		}
		if !placed {
			left++
		}
	}
	if left > 0 {
		c.note += fmt.Sprintf(", without %d that found no room", left)
	}
}

// place finds the first free place of a box on a spiral from the middle on.
func place(box *shape, taken []shape, width, height float64) bool {
	for angle := 0.0; ; angle += 0.15 {
		radius := 1.6 * angle
		if radius > width/2 {
			return false
		}
		box.x = width/2 + radius*math.Cos(angle) - box.w/2
		box.y = height/2 + radius*math.Sin(angle)*height/width - box.h/2
		if box.x < 0 || box.y < 0 || box.x+box.w > width || box.y+box.h > height {
			continue
		}
		free := true
		for _, t := range taken {
			if box.x < t.x+t.w && t.x < box.x+box.w && box.y < t.y+t.h && t.y < box.y+box.h {
				free = false
				break
			}
		}
		if free {
			return true
		}
	}
}
