// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package redis

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	client "github.com/redis/go-redis/v9"

	"github.com/uproar-db/uproar/bench/drive"
)

// server is a server that is measured, which has the machine to itself.
type server struct {
	*redisCommand
	*drive.Process
	dir   string
	start func(dir string) (*drive.Process, error)
	c     *client.Client
	f     *figures
}

// measure measures one server.
func (c *redisCommand) measure(ctx context.Context, dir string, start func(dir string) (*drive.Process, error)) (
	*figures, error) {
	s := &server{redisCommand: c, dir: dir, start: start, f: new(figures)}
	if err := s.begin(); err != nil {
		return nil, err
	}
	defer s.end()
	for _, step := range []func(context.Context) error{s.all, s.sets, s.intern, s.rates, s.restart, s.kill} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return s.f, nil
}

// begin starts the server.
func (s *server) begin() (err error) {
	if s.Process, err = s.start(s.dir); err != nil {
		return err
	}
	s.c = client.NewClient(&client.Options{Addr: s.Addr, Protocol: 3, MaxRetries: -1, ReadTimeout: time.Hour})
	return nil
}

// end ends the server and the connections to it.
func (s *server) end() {
	_ = s.c.Close()
	s.Stop()
}

// await waits until the server answers, and returns for how long.
func (s *server) await(ctx context.Context) (time.Duration, error) {
	const often = 10 * time.Millisecond
	for began := time.Now(); ; time.Sleep(often) {
		n, err := s.c.SCard(ctx, allMembers).Result()
		switch {
		case err == nil && n != int64(s.All):
			return 0, fmt.Errorf("got %d members, want %d", n, s.All)
		case err == nil:
			return time.Since(began), nil
		case time.Since(began) > time.Hour || ctx.Err() != nil:
			return 0, err
		}
	}
}

// all adds all members to one set.
func (s *server) all(ctx context.Context) error {
	for began := time.Now(); s.c.Ping(ctx).Err() != nil; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			return s.c.Ping(ctx).Err()
		}
	}
	began := time.Now()
	if err := s.add(ctx, allMembers, func(yield func(int) bool) {
		for i := range s.All {
			if !yield(i) {
				return
			}
		}
	}); err != nil {
		return err
	}
	s.f.add(fmt.Sprintf("%d new members added, each second", s.All),
		float64(s.All)/time.Since(began).Seconds(), perSecond)
	return s.sizes("with all members")
}

// sizes adds what the server takes.
func (s *server) sizes(when string) error {
	s.f.add("memory of the process "+when, float64(s.Resident())/(1<<20), mebibytes)
	disk, err := sizeOf(s.dir)
	s.f.add("disk "+when, float64(disk)/(1<<20), mebibytes)
	return err
}

// sets adds two sets of each size and combines them.
func (s *server) sets(ctx context.Context) error {
	for _, n := range s.Members {
		if err := s.combine(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) combine(ctx context.Context, n int) error {
	a, b := fmt.Sprint("a", n), fmt.Sprint("b", n)
	first, second := scattered(n, s.All)
	began := time.Now()
	if err := s.add(ctx, a, slices.Values(first)); err != nil {
		return err
	}
	if err := s.add(ctx, b, slices.Values(second)); err != nil {
		return err
	}
	name := func(what string) string { return fmt.Sprintf("%s, sets of %d", what, n) }
	s.f.add(name("members added, each second"), float64(2*n)/time.Since(began).Seconds(), perSecond)
	member := memberOf(first[n/2])
	questions := []struct {
		what string
		ask  func() (int64, error)
	}{
		{"SINTERCARD", func() (int64, error) { return s.c.SInterCard(ctx, 0, a, b).Result() }},
		{"SUNIONSTORE", func() (int64, error) { return s.c.SUnionStore(ctx, "stored", a, b).Result() }},
		{"SISMEMBER", func() (int64, error) { return 1, s.c.SIsMember(ctx, a, member).Err() }},
		{"SRANDMEMBER", func() (int64, error) { return 1, s.c.SRandMember(ctx, a).Err() }},
		{"SDIFF", func() (int64, error) { list, err := s.c.SDiff(ctx, a, b).Result(); return int64(len(list)), err }},
	}
	for _, q := range questions {
		var took []time.Duration
		var answer int64
		for began := time.Now(); time.Since(began) < s.Time || len(took) < 3; {
			start := time.Now()
			var err error
			if answer, err = q.ask(); err != nil {
				return fmt.Errorf("%s: %w", q.what, err)
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		s.f.answers = append(s.f.answers, answer)
		s.f.add(name(q.what), float64(took[len(took)/2])/float64(time.Microsecond), microseconds)
	}
	return s.c.Del(ctx, "stored").Err()
}

// rates lets redis-benchmark ask.
func (s *server) rates(ctx context.Context) error {
	if s.Benchmark == "none" {
		return nil
	}
	_, port, _ := net.SplitHostPort(s.Addr)
	for _, pipeline := range []string{"1", "16"} {
		for _, words := range []string{"SADD bench element:__rand_int__", "SISMEMBER bench element:__rand_int__",
			"SRANDMEMBER bench", "SPOP bench"} {
			rate, err := s.rate(ctx, port, pipeline, strings.Fields(words))
			if err != nil {
				return err
			}
			s.f.add(fmt.Sprintf("%s, pipelines of %s, requests/s", strings.Fields(words)[0], pipeline), rate, perSecond)
		}
	}
	return nil
}

// restart stops the server in good order and starts it again.
func (s *server) restart(ctx context.Context) error {
	s.end()
	began := time.Now()
	if err := s.begin(); err != nil {
		return err
	}
	_, err := s.await(ctx)
	if err != nil {
		return err
	}
	s.f.add("start, until it answers", float64(time.Since(began).Milliseconds())*1000, microseconds)
	return s.sizes("after the start")
}
