// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package redis

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	client "github.com/redis/go-redis/v9"
)

// killWriters is how many clients add members when a server is killed.
const killWriters = 16

// kill kills the server while clients add members, each by itself, and starts it again. It counts
// the members that were acknowledged and are lost.
func (s *server) kill(ctx context.Context) error {
	acknowledged := make([]int, killWriters) // of the members of each client, from the first
	failed := make([]error, killWriters)
	var writers sync.WaitGroup
	for w := range killWriters {
		c := client.NewClient(&client.Options{Addr: s.Addr, Protocol: 3, MaxRetries: -1})
		writers.Go(func() {
			defer c.Close()
			for failed[w] == nil {
				if failed[w] = c.SAdd(ctx, "killed", killMember(w, acknowledged[w])).Err(); failed[w] == nil {
					acknowledged[w]++
				}
			}
		})
	}
	time.Sleep(s.Time)
	s.Kill()
	writers.Wait()
	_ = s.c.Close()
	began := time.Now()
	if err := s.begin(); err != nil {
		return err
	}
	if _, err := s.await(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	all, lost := 0, 0
	for w, n := range acknowledged {
		if n == 0 {
			return fmt.Errorf("a client: got nothing acknowledged before the kill: %w", failed[w])
		}
		members := make([]any, n)
		for i := range members {
			members[i] = killMember(w, i)
		}
		in, err := s.c.SMIsMember(ctx, "killed", members...).Result()
		if err != nil {
			return err
		}
		all += n
		for _, is := range in {
			if !is {
				lost++
			}
		}
	}
	s.f.say("members lost by SIGKILL, of those acknowledged", fmt.Sprintf("%d of %d", lost, all))
	s.f.add("start after SIGKILL, until it answers", float64(took.Milliseconds())*1000, microseconds)
	return nil
}

func killMember(writer, i int) string { return strconv.Itoa(writer) + "-" + strconv.Itoa(i) }
