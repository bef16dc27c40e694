// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package redis

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// digits of base 32, as DIDs, TIDs and ULIDs have them.
const (
	lettersFirst = "abcdefghijklmnopqrstuvwxyz234567"
	sortable     = "234567abcdefghijklmnopqrstuvwxyz"
	crockford    = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// base32Of returns the lower bits of x as digits, the last five bits last.
func base32Of(digits string, x uint64, n int) string {
	text := make([]byte, n)
	for i := n - 1; i >= 0; i-- {
		text[i], x = digits[x&31], x>>5
	}
	return string(text)
}

// shapes are what members of sets of Redis look like. rng is of member i alone, or of its author.
var shapes = []struct {
	name string
	of   func(i int, rng *rand.Rand) string
}{
	{"user:123", func(i int, _ *rand.Rand) string { return memberOf(i) }},
	{"UUID", func(_ int, rng *rand.Rand) string {
		h := hex.EncodeToString(fmt.Appendf(nil, "%08d%08d", rng.Uint32N(1e8), rng.Uint32N(1e8)))
		h = fmt.Sprintf("%016x%s", rng.Uint64(), h[16:])
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:32]
	}},
	{"ULID", func(i int, rng *rand.Rand) string {
		return base32Of(crockford, uint64(1_700_000_000_000+i/4), 10) + base32Of(crockford, rng.Uint64(), 8) +
			base32Of(crockford, rng.Uint64(), 8)
	}},
	{"TID", func(i int, rng *rand.Rand) string {
		return base32Of(sortable, (1_700_000_000_000_000+uint64(i)*317)<<10|rng.Uint64N(1024), 13)
	}},
	{"did:plc:", func(_ int, rng *rand.Rand) string { return didOf(rng) }},
	{"at://, 50 of an author", func(i int, _ *rand.Rand) string {
		return "at://" + didOf(rand.New(rand.NewPCG(uint64(i/50), 1))) + "/app.bsky.feed.post/" +
			base32Of(sortable, (1_700_000_000_000_000+uint64(i)*317)<<10, 13)
	}},
}

func didOf(rng *rand.Rand) string {
	return "did:plc:" + base32Of(lettersFirst, rng.Uint64(), 12) + base32Of(lettersFirst, rng.Uint64(), 12)
}

// intern adds new members of each shape to sets of their own, 100 a command, and one a command but
// 100 commands together. What is sent is made before the clock runs.
func (s *server) intern(ctx context.Context) error {
	for at, shape := range shapes {
		for way, each := range []int{addEach, 1} {
			key := fmt.Sprint("new:", at, ":", each)
			seed := s.All + s.New*(2*at+way) // no set has them
			sent := make([][]byte, 0, s.New/addTogether+1)
			for from := 0; from < s.New; from += addTogether {
				sent = append(sent, commandsOf(key, seed+from, min(addTogether, s.New-from), each, shape.of))
			}
			before, began := s.Processor(), time.Now()
			if err := s.exchange(ctx, sent, each); err != nil {
				return err
			}
			took, processor := time.Since(began), s.Processor()-before
			if n, err := s.c.SCard(ctx, key).Result(); err != nil || n != int64(s.New) {
				return fmt.Errorf("%s: got %d members, %w, want %d", shape.name, n, err, s.New)
			}
			how := "100 a command"
			if each == 1 {
				how = "one a command, pipelines of 100"
			}
			name := fmt.Sprintf("new members, %s: %s, ", how, shape.name)
			s.f.add(name+"each second", float64(s.New)/took.Seconds(), perSecond)
			s.f.add(name+"processor for each", float64(processor.Nanoseconds())/1e3/float64(s.New), microseconds)
		}
	}
	return nil
}

// commandsOf returns commands that add n members, so many each.
func commandsOf(key string, from, n, each int, of func(i int, rng *rand.Rand) string) (text []byte) {
	word := func(w string) {
		text = append(strconv.AppendInt(append(text, '$'), int64(len(w)), 10), '\r', '\n')
		text = append(append(text, w...), '\r', '\n')
	}
	for i := range n {
		if i%each == 0 {
			text = fmt.Appendf(text, "*%d\r\n", 2+min(each, n-i))
			word("SADD")
			word(key)
		}
		word(of(from+i, rand.New(rand.NewPCG(uint64(from+i), 2))))
	}
	return text
}

// exchange sends commands over several connections, and reads the replies: one line each.
func (s *server) exchange(ctx context.Context, sent [][]byte, each int) error {
	g, ctx := errgroup.WithContext(ctx)
	next := make(chan []byte)
	g.Go(func() error {
		defer close(next)
		for _, commands := range sent {
			select {
			case next <- commands:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range addConnections {
		g.Go(func() error {
			conn, err := net.Dial("tcp", s.Addr)
			if err != nil {
				return err
			}
			defer conn.Close()
			replies := bufio.NewReader(conn)
			for commands := range next {
				if _, err := conn.Write(commands); err != nil {
					return err
				}
				for range addTogether / each {
					line, err := replies.ReadString('\n')
					if err != nil {
						return err
					}
					if want := fmt.Sprintf(":%d\r\n", each); line != want {
						return fmt.Errorf("got %q, want %q", line, want)
					}
				}
			}
			return nil
		})
	}
	return g.Wait()
}
