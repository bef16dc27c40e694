// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/bench/population"
)

// headlines are the questions whose figures are printed, of the audiences that they are asked of.
var headlines = []struct {
	audience string
	question question
}{
	{"mid", size}, {"mid", cloudByLift}, {"broad", cloudByLift}, {"mid", cloudByCount}, {"mid", postalCodes},
	{"mid", demographics},
}

// HeadlineNames returns the names that Headlines gives, in order.
func HeadlineNames() (names []string) {
	for _, h := range headlines {
		names = append(names, fmt.Sprintf("audience: %s, %s", h.question, h.audience))
	}
	return names
}

// Headlines measures some questions in one thread, beside roaring bitmaps in a mapped file, until a
// time: the audience is given.
func Headlines(people int, slot time.Duration, until time.Time) (list []library.Headline, err error) {
	s := settings{people: people, slot: slot, cpu: true}
	p := population.NewPopulation(people, 1)
	b := &board{answers: make(map[cell][]row)}
	contestants := []contestant{newOurs(uproar.FastColumn, 1<<30), &frozen{}}
	defer func() {
		for _, c := range contestants {
			err = errors.Join(err, c.close())
		}
	}()
	for _, c := range contestants {
		if err := c.load(p); err != nil {
			return nil, err
		}
	}
	for i, name := range HeadlineNames() {
		if time.Now().After(until) {
			break
		}
		h := library.Headline{Name: name}
		x := cell{threads: 1, question: headlines[i].question}
		for population.Audiences()[x.audience].Name != headlines[i].audience {
			x.audience++
		}
		for k, c := range contestants {
			if x.name = c.name(); c.keep(x.audience) != nil {
				return list, fmt.Errorf("%s: %s cannot keep the audience", name, x.name)
			}
			if err := s.cell(c, x, b); err != nil {
				return list, err
			}
			if took := float64(b.medians[x].Nanoseconds()); k == 0 {
				h.Ours = took
			} else {
				h.Peer = took
			}
		}
		list = append(list, h)
	}
	return list, nil
}
