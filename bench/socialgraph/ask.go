// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// asked is how many questions of each line there are.
const asked = 1000

// line is what one line of the tables asks.
type line struct {
	name      string
	questions []question
	keys      bool // the keys are listed, and not only counted
}

// lines returns the questions that are measured.
func (c *chooser) lines() []line {
	active := min(10, c.Accounts)
	of := func(name string, draw func() question) line {
		l := line{name: name}
		for range asked {
			l.questions = append(l.questions, draw())
		}
		return l
	}
	two := func(k kind, account func(rank int) uint32) func() question {
		return func() question {
			a, b := c.two(active)
			return question{k, []uint32{account(a), account(b)}}
		}
	}
	popular := func(rank int) uint32 { return uint32(rank) }
	return []line{
		of("does_follow", func() question { return question{doesFollow, []uint32{c.any(), c.followed()}} }),
		of("follows_following, typical actor", func() question {
			return question{followsFollowing, []uint32{c.any(), c.followed()}}
		}),
		of("follows_following, most active actors", func() question {
			return question{followsFollowing, []uint32{c.Active(c.rng.IntN(active)), c.followed()}}
		}),
		of("intersect_following, most active pair", two(intersectFollowing, c.Active)),
		of("followers, 100 to 1000", func() question {
			return question{followers, []uint32{c.popularFrom(100, 1000)}}
		}),
		of("intersect_followers among the top 10", two(intersectFollowers, popular)),
		of("intersect_followers of the top 2", func() question { return question{intersectFollowers, []uint32{0, 1}} }),
		of("followers of the top account", func() question { return question{followers, []uint32{0}} }),
	}
}

// askProcess measures lines in process: first the counting ones, then the ones that list keys.
func (b *bench) askProcess(ctx context.Context, lines []line) error {
	for _, l := range lines {
		for _, keys := range [...]bool{false, true} {
			single := len(l.questions[0].of) == 1
			if keys == (l.questions[0].kind == doesFollow) && keys || single && !keys {
				continue // there is nothing to list, or to count
			}
			l.keys = keys
			b.opts.Phase("asking " + l.name)
			r, err := b.measure(ctx, l)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			b.report.Process = append(b.report.Process, r)
		}
	}
	return nil
}

// asker asks questions whose queries are made before.
type asker struct {
	index  *uproar.Index
	exprs  []query.Expr
	pairs  [][2]string
	buffer []byte
}

func (b *bench) asker(questions []question) *asker {
	a := &asker{index: b.graph.Index()}
	for _, q := range questions {
		if q.kind == doesFollow {
			a.exprs, a.pairs = append(a.exprs, nil), append(a.pairs, [2]string{b.opts.Network.Key(q.of[0]),
				b.opts.Network.Key(q.of[1])})
			continue
		}
		a.exprs, a.pairs = append(a.exprs, q.expr(&b.opts.Network)), append(a.pairs, [2]string{})
	}
	return a
}

// ask asks question i, and returns how many values its answer has.
func (a *asker) ask(ctx context.Context, i int, keys bool) (values int, err error) {
	s := a.index.Snapshot()
	defer s.Close()
	switch {
	case a.exprs[i] == nil:
		_, err := s.Has(graph.FollowsField, a.pairs[i][0], a.pairs[i][1])
		return 1, err
	case !keys:
		n, err := s.Count(ctx, a.exprs[i])
		return int(n), err
	}
	a.buffer, _, _, err = s.AppendKeys(ctx, a.buffer[:0], a.exprs[i], uproar.Page{}, uproar.KeyForm{After: "\n"})
	return len(a.buffer) / (keyLen + 1), err
}

// measure asks the questions of a line again and again, once before it looks at the time.
func (b *bench) measure(ctx context.Context, l line) (r Line, err error) {
	r.Name = l.name
	if l.keys {
		r.Name += ", with keys"
	}
	a := b.asker(l.questions)
	values := 0
	for i := range l.questions {
		n, err := a.ask(ctx, i, l.keys)
		if err != nil {
			return r, err
		}
		if values += n; i == len(l.questions)/20 && values > 100_000 {
			l.questions = l.questions[:i+1] // a few large answers are enough
			break
		}
	}
	r.Values = float64(values) / float64(len(l.questions))
	runtime.GC()
	var before, after runtime.MemStats
	times := make([]float64, 0, 1<<20)
	runtime.ReadMemStats(&before)
	for start, i := time.Now(), 0; i < len(l.questions) || time.Since(start) < b.opts.Time &&
		len(times) < cap(times); i++ {
		at := time.Now()
		if _, err := a.ask(ctx, i%len(l.questions), l.keys); err != nil {
			return r, err
		}
		times = append(times, time.Since(at).Seconds())
	}
	runtime.ReadMemStats(&after)
	r.Allocs = float64(after.Mallocs-before.Mallocs) / float64(len(times))
	slices.Sort(times)
	r.P50, r.P99 = times[len(times)/2], times[len(times)*99/100]
	if l.keys && r.Values > 0 {
		r.Each = r.P50 / r.Values
	}
	return r, nil
}

// askRandom asks random questions of all sorts, and drops the answers.
func (b *bench) askRandom(ctx context.Context) error {
	c := b.opts.Network.chooser(3)
	rng := rand.New(rand.NewPCG(1, 3))
	s := b.graph.Index()
	for i := range b.opts.Queries {
		q := c.question(kind(rng.IntN(int(kinds))))
		snap := s.Snapshot()
		var err error
		switch {
		case q.kind == doesFollow:
			_, err = snap.Has(graph.FollowsField, b.opts.Network.Key(q.of[0]), b.opts.Network.Key(q.of[1]))
		case i%2 == 0:
			_, err = snap.Count(ctx, q.expr(&b.opts.Network))
		default:
			_, err = snap.Keys(ctx, q.expr(&b.opts.Network), uproar.Page{Limit: 100})
		}
		snap.Close()
		if err != nil {
			return err
		}
		if i%1024 == 0 {
			b.opts.Progress(int64(i), int64(b.opts.Queries))
		}
	}
	return nil
}
