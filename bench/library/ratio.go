// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import "math"

// bestPeer returns the least figure of the contestants that are not ours; ok is false if none has
// one.
func (p *plan) bestPeer(cells []cell) (best float64, ok bool) {
	best = math.Inf(1)
	for i, c := range p.contestants {
		if !c.ours() && cells[i].state == timed {
			best, ok = min(best, cells[i].ns), true
		}
	}
	return best, ok
}

// ratios returns, for each of ours in order, the best peer's figure divided by ours: above 1 we are
// ahead. It is NaN where either is not there.
func (p *plan) ratios(cells []cell) (list []float64) {
	best, ok := p.bestPeer(cells)
	for i, c := range p.contestants {
		if !c.ours() {
			continue
		}
		ratio := math.NaN()
		if ok && cells[i].state == timed {
			ratio = best / cells[i].ns
		}
		list = append(list, ratio)
	}
	return list
}

// own returns the names of our contestants.
func (p *plan) own() (names []string) {
	for _, c := range p.contestants {
		if c.ours() {
			names = append(names, c.name())
		}
	}
	return names
}

// mean is a geometric mean, of figures that are given one after the other.
type mean struct {
	logs float64
	n    int
}

// add adds a figure, unless it is NaN.
func (m *mean) add(x float64) {
	if !math.IsNaN(x) {
		m.logs += math.Log(x)
		m.n++
	}
}

// value returns the mean, NaN of no figures.
func (m *mean) value() float64 { return math.Exp(m.logs / float64(m.n)) }

// means are geometric means of ratios, one for each of ours.
type means []mean

func (m means) add(ratios []float64) {
	for i, x := range ratios {
		m[i].add(x)
	}
}

func (m means) values() (list []float64) {
	for i := range m {
		list = append(list, m[i].value())
	}
	return list
}
