// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// slowLog is the last commands that took long. Safe for concurrent use.
type slowLog struct {
	mu   sync.Mutex
	next int64
	last []slowCommand // the oldest first
}

// slowCommand is one of them.
type slowCommand struct {
	id    int64
	at    int64 // seconds since 1970
	took  time.Duration
	words []string
	addr  string
	name  string // of the client
}

// What a slow log keeps, as that of Redis.
const (
	slowKept     = 128
	slowWords    = 32
	slowWordSize = 128 // bytes

	slowMicros = 100_000 // from which on a command is slow, unless it is set
)

// note keeps a command.
func (l *slowLog) note(x slowCommand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.last) == slowKept {
		l.last = slices.Delete(l.last, 0, 1)
	}
	x.id = l.next
	l.next++
	l.last = append(l.last, x)
}

// newest returns the last n, the newest first.
func (l *slowLog) newest(n int64) []slowCommand {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Clone(l.last)
	slices.Reverse(all)
	return all[:min(n, int64(len(all)))]
}

// wordsOf returns what a slow log keeps of a command, as that of Redis shortens it.
func wordsOf(args [][]byte) (words []string) {
	for i, arg := range args {
		if i == slowWords-1 && len(args) > slowWords {
			return append(words, fmt.Sprintf("... (%d more arguments)", len(args)-i))
		}
		word := string(arg[:min(len(arg), slowWordSize)])
		if len(arg) > slowWordSize {
			word += fmt.Sprintf("... (%d more bytes)", len(arg)-slowWordSize)
		}
		words = append(words, word)
	}
	return words
}
