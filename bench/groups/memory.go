// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// watchMemory looks at the anonymous memory of a process until end is called. end returns the most
// that was seen, in bytes; 0 where the system does not tell.
func watchMemory(pid int) (end func() int64) {
	done, most := make(chan struct{}), make(chan int64)
	go func() {
		look := time.NewTicker(2 * time.Millisecond)
		defer look.Stop()
		seen := anonymous(pid)
		for {
			select {
			case <-done:
				most <- seen
				return
			case <-look.C:
				seen = max(seen, anonymous(pid))
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-most
	}
}

func anonymous(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, text, _ = bytes.Cut(text, []byte("\nRssAnon:"))
	text, _, _ = bytes.Cut(text, []byte(" kB"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n << 10
}
