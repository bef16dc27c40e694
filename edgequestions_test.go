// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"strings"
)

// question returns a random query and the records that it fits.
func (e *edges) question(depth int) (string, map[string]bool) {
	if depth > 0 && e.rng.IntN(2) == 0 {
		switch e.rng.IntN(4) {
		case 0:
			a, as := e.question(depth - 1)
			return "not (" + a + ")", e.find(func(k string, _ *edgeRecord) bool { return !as[k] })
		case 1:
			a, as := e.question(depth - 1)
			b, bs := e.question(depth - 1)
			return "(" + a + ") and (" + b + ")", e.find(func(k string, _ *edgeRecord) bool { return as[k] && bs[k] })
		case 2:
			a, as := e.question(depth - 1)
			b, bs := e.question(depth - 1)
			return "(" + a + ") or (" + b + ")", e.find(func(k string, _ *edgeRecord) bool { return as[k] || bs[k] })
		default:
			n := 3 + e.rng.IntN(2)*40
			var texts []string
			var sets []map[string]bool
			for range n {
				a, as := e.question(0)
				texts, sets = append(texts, "("+a+")"), append(sets, as)
			}
			least := 1 + e.rng.IntN(4)
			op := e.rng.IntN(3)
			var text string
			switch op {
			case 0:
				text = fmt.Sprintf("at least %d of (%s)", min(least, n), strings.Join(texts, ", "))
			case 1:
				text = strings.Join(texts, " xor ")
			default:
				text = strings.Join(texts, " or ")
			}
			return text, e.find(func(k string, _ *edgeRecord) bool {
				in := 0
				for _, s := range sets {
					if s[k] {
						in++
					}
				}
				switch op {
				case 0:
					return in >= min(least, n)
				case 1:
					return in%2 == 1
				}
				return in > 0
			})
		}
	}
	switch e.rng.IntN(12) {
	case 0:
		c := e.city()
		return "city = " + c, e.find(func(_ string, p *edgeRecord) bool { return p.city == c })
	case 1:
		in, texts := map[string]bool{}, []string{"nobody"}
		for range 1 + e.rng.IntN(60) {
			l := e.like()
			in[l], texts = true, append(texts, l)
		}
		return "likes in (" + strings.Join(texts, ", ") + ")", e.find(func(_ string, p *edgeRecord) bool {
			for l := range p.likes {
				if in[l] {
					return true
				}
			}
			return false
		})
	case 2:
		in, texts := map[int64]bool{}, []string{}
		for range 1 + e.rng.IntN(12) {
			x := e.int()
			in[x], texts = true, append(texts, fmt.Sprint(x))
		}
		return "age in (" + strings.Join(texts, ", ") + ")", e.find(func(_ string, p *edgeRecord) bool {
			return p.age != nil && in[*p.age]
		})
	case 3:
		in, texts := map[string]bool{}, []string{"ghost"}
		for range 1 + e.rng.IntN(60) {
			k := e.key()
			in[k], texts = true, append(texts, k)
		}
		return "follows in (" + strings.Join(texts, ", ") + ")", e.find(func(_ string, p *edgeRecord) bool {
			for o := range p.follows {
				if in[o] {
					return true
				}
			}
			return false
		})
	case 4:
		k := e.key()
		return "follows(" + k + ")", e.find(func(o string, _ *edgeRecord) bool {
			return e.model[k] != nil && e.model[k].follows[o]
		})
	case 5:
		k := e.key()
		return "followers(" + k + ")", e.find(func(_ string, p *edgeRecord) bool {
			return e.model[k] != nil && p.follows[k]
		})
	case 6:
		x := e.int()
		return fmt.Sprint("age < ", x), e.find(func(_ string, p *edgeRecord) bool { return p.age != nil && *p.age < x })
	case 7:
		x, y := e.int(), e.int()
		return fmt.Sprintf("age between %d and %d", x, y), e.find(func(_ string, p *edgeRecord) bool {
			return p.age != nil && x <= *p.age && *p.age <= y
		})
	case 8:
		pre := fmt.Sprint("l", e.rng.IntN(5))
		return "likes prefix " + pre, e.find(func(_ string, p *edgeRecord) bool {
			for l := range p.likes {
				if strings.HasPrefix(l, pre) {
					return true
				}
			}
			return false
		})
	case 9:
		f := []string{"city", "age", "likes", "follows", "born"}[e.rng.IntN(5)]
		return "any(" + f + ")", e.find(func(_ string, p *edgeRecord) bool { return len(values(p, f, "")) > 0 })
	case 10:
		f := []string{"city", "age", "likes", "follows", "born"}[e.rng.IntN(5)]
		return "none(" + f + ")", e.find(func(_ string, p *edgeRecord) bool { return len(values(p, f, "")) == 0 })
	}
	return "all", e.find(func(string, *edgeRecord) bool { return true })
}
