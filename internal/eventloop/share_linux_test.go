// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/eventloop"
)

// TestOthersAreServed has another process keep a loop busy without end: connections that the runtime waits for are served beside it, also when there is but one processor.
func TestOthersAreServed(t *testing.T) {
	if address := os.Getenv("EVENTLOOP_FLOOD"); address != "" {
		flood(t, address)
		return
	}
	p := newPlace(t, eventloop.Options{Loops: 1})
	flooding := exec.Command(os.Args[0], "-test.run=^TestOthersAreServed$")
	flooding.Env = append(os.Environ(), "EVENTLOOP_FLOOD="+p.ln.Addr().String())
	if err := flooding.Start(); err != nil {
		t.Fatal(err)
	}
	defer flooding.Wait()
	defer flooding.Process.Kill()
	eventually(t, "no connection came", func() bool { return p.taken.Load() == 8 })
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a, b := pair(t)
	defer a.Close()
	defer b.Close()
	go func() { _, _ = io.Copy(a, a) }()
	const rounds = 200
	start := time.Now()
	for range rounds {
		if _, err := b.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	// Without share each takes two looks at the network, 10 ms from each other.
	if took := time.Since(start) / rounds; took > 4*time.Millisecond {
		t.Errorf("a byte there and back takes %v beside a busy loop, want a fraction of a millisecond", took)
	}
}

// flood asks on eight connections as fast as it can, until it is killed.
func flood(t *testing.T, address string) {
	for range 8 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for b := make([]byte, 10); ; {
				if _, err := conn.Write([]byte("a\n")); err != nil {
					os.Exit(0)
				}
				if _, err := conn.Read(b); err != nil {
					os.Exit(0)
				}
			}
		}()
	}
	time.Sleep(time.Minute)
}
