// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// timedSet is what a key has: its members with the times at which they end, and its own; 0: never.
type timedSet struct {
	members map[string]int64
	at      int64
}

// keyLedger is what one client knows of its keys, which nobody else writes to.
type keyLedger struct {
	name string
	pool int // of members
	keys map[string]timedSet
	// sent is what has no reply yet: each command, or transaction, is there whole or not at all,
	// and none without those before.
	sent []keyStep
}

// keyStep is one command or transaction.
type keyStep struct {
	words   [][]string
	apply   func(keys map[string]timedSet, popped []string)
	popping string // key of SPOP, whose reply says what apply is given
	most    int    // that SPOP takes
}

func (l *keyLedger) key() string { return fmt.Sprintf("%s:k%d", l.name, rand.IntN(5)) }

func (l *keyLedger) member() string { return fmt.Sprint("m", rand.IntN(l.pool)) }

// members returns some members.
func (l *keyLedger) members() (all []string) {
	most := 20
	if l.pool > 1000 {
		most = l.pool / 4
	}
	for range 1 + rand.IntN(most) {
		all = append(all, l.member())
	}
	return all
}

// edit changes the members of a key. A set without members is none.
func edit(keys map[string]timedSet, key string, fn func(s *timedSet)) {
	s := timedSet{maps.Clone(keys[key].members), keys[key].at}
	if s.members == nil {
		s.members = make(map[string]int64)
	}
	if fn(&s); len(s.members) == 0 {
		delete(keys, key)
	} else {
		keys[key] = s
	}
}

// untimed returns members without times.
func untimed(members map[string]int64) map[string]int64 {
	all := make(map[string]int64)
	for m := range members {
		all[m] = 0
	}
	return all
}

// draw returns a random command.
func (l *keyLedger) draw() keyStep {
	a, b, c := l.key(), l.key(), l.key()
	some := l.members()
	at := time.Now().Add(time.Hour).UnixMilli() + rand.Int64N(1_000_000)
	one := func(apply func(keys map[string]timedSet), words ...string) keyStep {
		return keyStep{words: [][]string{words}, apply: func(keys map[string]timedSet, _ []string) { apply(keys) }}
	}
	switch rand.IntN(12) {
	case 0, 1, 2:
		return one(func(keys map[string]timedSet) {
			edit(keys, a, func(s *timedSet) {
				for _, m := range some {
					s.members[m] += 0
				}
			})
		}, append([]string{"SADD", a}, some...)...)
	case 3:
		return one(func(keys map[string]timedSet) {
			edit(keys, a, func(s *timedSet) {
				for _, m := range some {
					delete(s.members, m)
				}
			})
		}, append([]string{"SREM", a}, some...)...)
	case 4:
		m := l.member()
		return one(func(keys map[string]timedSet) {
			if _, has := keys[a].members[m]; has && a != b {
				edit(keys, a, func(s *timedSet) { delete(s.members, m) })
				edit(keys, b, func(s *timedSet) { s.members[m] += 0 })
			}
		}, "SMOVE", a, b, m)
	case 5:
		return one(func(keys map[string]timedSet) {
			all := untimed(keys[a].members)
			maps.Copy(all, untimed(keys[b].members))
			edit(keys, c, func(s *timedSet) { *s = timedSet{all, 0} })
		}, "SUNIONSTORE", c, a, b)
	case 6:
		inter := rand.IntN(2) == 0
		return one(func(keys map[string]timedSet) {
			all := untimed(keys[a].members)
			maps.DeleteFunc(all, func(m string, _ int64) bool { _, has := keys[b].members[m]; return has != inter })
			edit(keys, c, func(s *timedSet) { *s = timedSet{all, 0} })
		}, map[bool]string{true: "SINTERSTORE", false: "SDIFFSTORE"}[inter], c, a, b)
	case 7:
		n := 1 + rand.IntN(l.pool/4)
		return keyStep{words: [][]string{{"SPOP", a, strconv.Itoa(n)}}, popping: a, most: n,
			apply: func(keys map[string]timedSet, popped []string) {
				edit(keys, a, func(s *timedSet) {
					for _, m := range popped {
						delete(s.members, m)
					}
				})
			}}
	case 8: // also when there is no such key, which is an error and no more
		return one(func(keys map[string]timedSet) {
			if s, is := keys[a]; is && a != b {
				keys[b] = s
				delete(keys, a)
			}
		}, "RENAME", a, b)
	case 9:
		if a == b {
			return one(func(keys map[string]timedSet) { delete(keys, a) }, "DEL", a)
		}
		return one(func(keys map[string]timedSet) {
			if s, is := keys[a]; is {
				keys[b] = s
			}
		}, "COPY", a, b, "REPLACE")
	case 10:
		if rand.IntN(3) == 0 {
			return one(func(keys map[string]timedSet) {
				if s, is := keys[a]; is {
					keys[a] = timedSet{s.members, 0}
				}
			}, "PERSIST", a)
		}
		return one(func(keys map[string]timedSet) {
			if s, is := keys[a]; is {
				keys[a] = timedSet{s.members, at}
			}
		}, "PEXPIREAT", a, fmt.Sprint(at))
	}
	m := l.member()
	return one(func(keys map[string]timedSet) {
		edit(keys, a, func(s *timedSet) {
			if _, has := s.members[m]; has {
				s.members[m] = at
			}
		})
	}, "SPEXPIREAT", a, fmt.Sprint(at), "MEMBERS", "1", m)
}

// next returns a command, or a transaction of some.
func (l *keyLedger) next() keyStep {
	first := l.draw()
	if first.popping != "" || rand.IntN(4) > 0 {
		return first
	}
	all := []keyStep{first}
	for range 1 + rand.IntN(4) {
		if s := l.draw(); s.popping == "" {
			all = append(all, s)
		}
	}
	whole := keyStep{words: [][]string{{"MULTI"}}}
	for _, s := range all {
		whole.words = append(whole.words, s.words...)
	}
	whole.words = append(whole.words, []string{"EXEC"})
	whole.apply = func(keys map[string]timedSet, _ []string) {
		for _, s := range all {
			s.apply(keys, nil)
		}
	}
	return whole
}

// write writes until the server is gone. It returns how many steps were acknowledged.
func (l *keyLedger) write(t *testing.T, addr string) (acknowledged int) {
	c, err := dialRedis(addr)
	if err != nil {
		return 0
	}
	defer c.Close()
	for {
		var b strings.Builder
		for range 1 + rand.IntN(8) {
			s := l.next()
			for _, words := range s.words {
				fmt.Fprintf(&b, "*%d\r\n", len(words))
				for _, w := range words {
					fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
				}
			}
			if l.sent = append(l.sent, s); s.popping != "" {
				break // what it takes out is not known before its reply
			}
		}
		if _, err := io.WriteString(c, b.String()); err != nil {
			return acknowledged
		}
		for len(l.sent) > 0 {
			var line string
			var popped []string
			for range l.sent[0].words {
				if line, popped, err = c.reply(); err != nil && line == "" {
					return acknowledged
				}
				for _, text := range append(popped, line) {
					if strings.HasPrefix(text, "-") && text != "-ERR no such key" {
						t.Errorf("%q: got %s", l.sent[0].words, text)
						return acknowledged
					}
				}
			}
			l.sent[0].apply(l.keys, popped)
			l.sent = l.sent[1:]
			acknowledged++
		}
	}
}

// read asks for all keys.
func (l *keyLedger) read(t *testing.T, addr string) map[string]timedSet {
	t.Helper()
	c, err := dialRedis(addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ask := func(words ...string) (string, []string) {
		fmt.Fprintf(c, "%s\r\n", strings.Join(words, " "))
		line, all, err := c.reply()
		if err != nil {
			t.Fatalf("%.80q: %v", words, err)
		}
		return line, all
	}
	number := func(text string) int64 {
		n, err := strconv.ParseInt(strings.TrimPrefix(text, ":"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return max(n, 0)
	}
	keys := make(map[string]timedSet)
	for i := range 5 {
		key := fmt.Sprintf("%s:k%d", l.name, i)
		_, members := ask("SMEMBERS", key)
		if len(members) == 0 {
			continue
		}
		at, _ := ask("PEXPIRETIME", key)
		s := timedSet{make(map[string]int64), number(at)}
		for some := range slices.Chunk(members, 500) {
			_, times := ask(append([]string{"SPEXPIRETIME", key, "MEMBERS", strconv.Itoa(len(some))}, some...)...)
			for i, m := range some {
				s.members[m] = number(times[i])
			}
		}
		keys[key] = s
	}
	return keys
}

func sameKeys(a, b map[string]timedSet) bool {
	return maps.EqualFunc(a, b, func(x, y timedSet) bool { return x.at == y.at && maps.Equal(x.members, y.members) })
}

// check finds what is there among what may be: what was acknowledged, and some of the steps behind.
func (l *keyLedger) check(t *testing.T, addr string) {
	t.Helper()
	got := l.read(t, addr)
	want := maps.Clone(l.keys)
	ok := sameKeys(got, want)
	for i := 0; i < len(l.sent) && !ok; i++ {
		s := l.sent[i]
		var popped []string
		if s.popping != "" {
			for m := range want[s.popping].members {
				if _, has := got[s.popping].members[m]; !has {
					popped = append(popped, m)
				}
			}
			if len(popped) != min(s.most, len(want[s.popping].members)) {
				break
			}
		}
		s.apply(want, popped)
		ok = sameKeys(got, want)
	}
	if !ok {
		var words [][][]string
		for _, s := range l.sent {
			words = append(words, s.words)
		}
		t.Errorf("%s: got %.3000v\nacknowledged was %.3000v\nsent without a reply were %.2000q", l.name, got, l.keys, words)
	}
	l.keys, l.sent = got, nil
}

// TestKilledKeys kills a server while clients run all kinds of commands on their keys: each is
// there whole or not at all, in order, with the times of keys and members; also while members
// without sets are swept away.
func TestKilledKeys(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	var dir string
	var ledgers []*keyLedger
	acknowledged := 0
	for round := range killRounds(t, rounds) + 1 {
		if round%roundsPerFolder == 0 {
			dir, ledgers = filepath.Join(t.TempDir(), "db"), nil
			for i := range 6 {
				pool := 60
				if i == 0 {
					pool = 20_000
				}
				ledgers = append(ledgers, &keyLedger{name: fmt.Sprint("l", i), pool: pool,
					keys: make(map[string]timedSet)})
			}
		}
		cmd, addr := serveSets(t, dir)
		for _, l := range ledgers {
			l.check(t, addr)
		}
		if t.Failed() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("after %d kills", round)
		}
		time.AfterFunc(time.Duration(rand.Int64N(int64(time.Second))), func() { _ = cmd.Process.Kill() })
		var wg sync.WaitGroup
		counts := make([]int, len(ledgers))
		for i, l := range ledgers {
			wg.Go(func() { counts[i] = l.write(t, addr) })
		}
		wg.Wait()
		_ = cmd.Wait()
		for _, n := range counts {
			acknowledged += n
		}
	}
	if acknowledged == 0 {
		t.Error("nothing was acknowledged: nothing was tested")
	}
	t.Logf("%d steps were acknowledged", acknowledged)
}
