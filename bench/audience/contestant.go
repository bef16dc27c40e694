// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/uproar-db/uproar/bench/population"
)

// question is what is asked of an audience.
type question string

const (
	size         question = "size"
	cloudByLift  question = "word cloud by lift"
	cloudByCount question = "word cloud by count"
	postalCodes  question = "postal codes"
	cities       question = "cities"
	demographics question = "demographics"
)

var questions = []question{size, cloudByLift, cloudByCount, postalCodes, cities, demographics}

// shown is how many values the answers to most questions have.
const shown = 100

// row is a value, how many of the audience have it, and what it is ranked by. Of demographics the
// value is 100 for each field plus the value of the field; or for gender by age 1000 plus 10 for
// each gender plus the age.
type row struct {
	value uint32
	count uint64
	score float64
}

// contestant is who takes part. Audiences are known by their places in population.Audiences.
type contestant interface {
	name() string
	threads() []int // with how many it can be measured
	load(p *population.Population) error
	disk() (int64, error)
	keep(audience int) error // find an audience, and have it at hand for what is asked of it
	// ask answers with that many threads; whole: from the query on. It says how long that took by
	// the clock, without what the comparison needs.
	ask(now clock, audience int, q question, threads int, whole bool) ([]row, time.Duration, error)
	close() error
}

// clock returns nanoseconds since some start.
type clock func() int64

// since returns what has passed.
func (now clock) since(start int64) time.Duration { return time.Duration(now() - start) }

// crossed are the demographic fields that are counted together.
const crossed0, crossed1 = 0, 1

// best returns the rows with the highest scores. Of equal scores the greater count comes first,
// then the lower value.
func best(counts []uint32, score func(value int, count uint32) float64) []row {
	var rows []row
	worst := math.Inf(-1)
	cut := func() {
		slices.SortFunc(rows, func(a, b row) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count), cmp.Compare(a.value, b.value))
		})
		if len(rows) >= shown {
			rows, worst = rows[:shown], rows[shown-1].score
		}
	}
	for value, n := range counts {
		if n == 0 {
			continue
		}
		if s := score(value, n); s >= worst {
			if rows = append(rows, row{uint32(value), uint64(n), s}); len(rows) == 2*shown {
				cut()
			}
		}
	}
	cut()
	return rows
}

// agree reports whether two answers are the same. Values of equal scores at the end may be any that
// are as good.
func agree(q question, a, b []row) bool {
	if len(a) != len(b) {
		return false
	}
	if q == demographics || q == size {
		return slices.EqualFunc(a, b, func(x, y row) bool { return x.value == y.value && x.count == y.count })
	}
	last := math.Inf(-1)
	if len(a) == shown {
		last = a[shown-1].score
	}
	of := make(map[uint32]row, len(b))
	for _, x := range b {
		of[x.value] = x
	}
	for i, x := range a {
		if math.Abs(x.score-b[i].score) > 1e-9*x.score {
			return false
		}
		if y, ok := of[x.value]; ok && y.count != x.count || !ok && x.score > last*(1+1e-9) {
			return false
		}
	}
	return true
}
