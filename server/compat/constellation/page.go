// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import "slices"

// page gathers the links of one page, of any number that are offered. It holds a few times as many
// as the page has.
type page struct {
	oldest bool // the oldest links come first, else the newest
	after  *link
	most   int // and one more, by which it is known that there are more
	list   []link
	shown  func(link) (bool, error)
	full   bool // list[most] is better than what is left out
}

// before reports whether a link comes before another one on the page.
func (p *page) before(l, o link) bool {
	if p.oldest {
		return l.compare(o) < 0
	}
	return l.compare(o) > 0
}

// offer takes a link, if it may be on the page.
func (p *page) offer(l link) error {
	if p.after != nil && !p.before(*p.after, l) || p.full && !p.before(l, p.list[p.most]) {
		return nil
	}
	if ok, err := p.shown(l); err != nil || !ok {
		return err
	}
	if p.list = append(p.list, l); len(p.list) >= 2*(p.most+1)+rowsAhead {
		p.cut()
	}
	return nil
}

// cut leaves the links of the page, in order, and one more.
func (p *page) cut() {
	slices.SortFunc(p.list, func(a, b link) int {
		if p.oldest {
			return a.compare(b)
		}
		return b.compare(a)
	})
	p.list = p.list[:min(len(p.list), p.most+1)]
	p.full = len(p.list) == p.most+1
}

// end returns the links of the page, and the cursor of the next; "": there is none.
func (p *page) end() (list []link, cursor string) {
	p.cut()
	if len(p.list) <= p.most || p.most == 0 {
		return p.list[:min(len(p.list), p.most)], ""
	}
	last := p.list[p.most-1]
	return p.list[:p.most], cursorOf(last.key, last.row)
}
