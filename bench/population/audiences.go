// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package population

import "slices"

// Audience is a query, and the same said of one person.
type Audience struct {
	Name  string
	Query string
	Fits  func(*Person) bool
}

// Audiences are the audiences that are measured, from the smallest to the largest: some 0.06, 1.5,
// 12, 40 and 73 % of the people.
func Audiences() []Audience {
	const gender, age, children = 0, 1, 4
	return []Audience{
		{"tiny", "term = t20 and term = t50 and term = t80", func(p *Person) bool {
			return p.Has(20) && p.Has(50) && p.Has(80)
		}},
		{"narrow", "term in (t200, t300, t400, t500) and gender = 0", func(p *Person) bool {
			return (p.Has(200) || p.Has(300) || p.Has(400) || p.Has(500)) && p.Demographic[gender] == 0
		}},
		{"mid", "(term = t20 or term = t30) and children in (0, 1)", func(p *Person) bool {
			return (p.Has(20) || p.Has(30)) && p.Demographic[children] < 2
		}},
		{"broad", "(term = t5 or term = t8) and age != 6", func(p *Person) bool {
			return (p.Has(5) || p.Has(8)) && p.Demographic[age] != 6
		}},
		{"wide", "term = t2 or age in (0, 1) or children = 2", func(p *Person) bool {
			return p.Has(2) || p.Demographic[age] < 2 || p.Demographic[children] == 2
		}},
	}
}

// Has reports whether a person has a term.
func (p *Person) Has(term uint32) bool {
	_, ok := slices.BinarySearch(p.Terms, term)
	return ok
}
