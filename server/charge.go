// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"golang.org/x/sync/semaphore"
)

const (
	// maxAnswers is how many bytes of answers a batch may have before it answers no more of its
	// calls.
	maxAnswers = 16 << 20

	// copies is how many times its own size an answer may take while it is built: what it is made
	// from, and the old and the new memory when it grows.
	copies = 4

	// refusalBytes is what the refusal of one of several questions takes, at most.
	refusalBytes = 160
)

// answerMemory bounds the memory of large answers, from before they are built until they are sent.
// An answer takes its share once, all of it, and gives back what it does not need when it is built:
// who holds some never waits for more, so that nobody waits for each other. A share is at most
// half, which leaves room for answers that are being sent.
type answerMemory struct {
	free *semaphore.Weighted
	all  int64
	wait time.Duration     // for how long a call waits for its share
	told func(bytes int64) // what is taken, or given back
}

func newAnswerMemory(all int64, wait time.Duration, told func(bytes int64)) *answerMemory {
	all = max(all, copies*call.SmallAnswer)
	return &answerMemory{free: semaphore.NewWeighted(all), all: all, wait: wait, told: told}
}

// most returns how many bytes an answer may have. whole: it may take all the memory there is.
func (m *answerMemory) most(whole bool) int { return int(m.share(whole) / copies) }

// mostOf bounds the bytes of the answers to the questions of one call: past it, no more are
// answered. It leaves room for the last answer and for a refusal of each question.
func (m *answerMemory) mostOf(questions int) int {
	most := m.most(false)
	return max(most/5, min(maxAnswers, most/5*4, most-refusalBytes*questions))
}

func (m *answerMemory) share(whole bool) int64 {
	if whole {
		return m.all / 4 * 3
	}
	return min(m.all/2, copies*maxAnswers*5/4) // of several answers the last begins below maxAnswers
}

// A charge is the memory of the answer to one call. Not safe for concurrent use. The zero value
// takes none.
type charge struct {
	of    *answerMemory
	ctx   context.Context // of the call
	whole bool            // the answer is a list without pages
	held  int64
	short error // it waited for its share in vain
}

// grow is called before an answer becomes so large, in bytes. The first time that it is large it
// waits for a share of the memory. Errors: *api.Error, when it waited in vain or the answer is too
// large.
func (c *charge) grow(bytes int) error {
	if c.of == nil || c.short != nil || bytes <= call.SmallAnswer {
		return c.short
	}
	if most := c.of.most(c.whole); bytes > most {
		return call.AnswerTooLarge("the answer has more than %d bytes, which is the most that fits into this server's "+
			"memory; ask for less at a time", most)
	}
	if c.held > 0 {
		return nil
	}
	c.short = c.take(c.of.share(c.whole))
	return c.short
}

func (c *charge) take(bytes int64) error {
	if !c.of.free.TryAcquire(bytes) {
		ctx, cancel := context.WithTimeout(c.ctx, c.of.wait)
		defer cancel()
		if c.of.free.Acquire(ctx, bytes) != nil {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			return noMemory(
				fmt.Sprintf(
					"other large answers took the memory of this server for %v; try again later, or ask for less at "+
						"a time", c.of.wait))
		}
	}
	c.held += bytes
	c.of.told(bytes)
	return nil
}

// built accounts for a finished answer that takes up bytes of memory. It gives back what was
// charged beyond that, and charges what grew without asking.
func (c *charge) built(bytes int) error {
	if c.of == nil {
		return nil
	}
	keep := min(int64(bytes), c.of.all)
	if bytes <= call.SmallAnswer {
		keep = 0
	}
	if keep > c.held {
		return c.take(keep - c.held)
	}
	c.giveBack(c.held - keep)
	return nil
}

// sent is called when the answer has been sent, or given up.
func (c *charge) sent() { c.giveBack(c.held) }

func (c *charge) giveBack(bytes int64) {
	if bytes <= 0 {
		return
	}
	c.held -= bytes
	c.of.told(-bytes)
	c.of.free.Release(bytes)
}

// noMemory is the error of a request that memory may suffice for later.
func noMemory(message string) error {
	return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonMemory, Message: message}
}

// buffers are reused between replies.
type buffers struct{ pool sync.Pool }

// maxKept is the largest buffer that is reused, so that one huge reply does not
// stay in memory.
const maxKept = 256 << 10

func (b *buffers) take() *[]byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return buf
	}
	return new([]byte)
}

func (b *buffers) give(buf *[]byte) {
	if cap(*buf) <= maxKept {
		*buf = (*buf)[:0]
		b.pool.Put(buf)
	}
}
