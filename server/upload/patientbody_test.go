// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uproar-db/uproar/server/call"
)

// drip is a transport that brings some bytes at a time, with a pause before each.
type drip struct {
	call.Carrier
	bytes int
	pause time.Duration
	left  int // bytes until the end
	until time.Time
}

func (d *drip) ReadUntil(until time.Time) { d.until = until }

func (d *drip) Read(p []byte) (int, error) {
	time.Sleep(d.pause)
	if d.left == 0 {
		return 0, io.EOF
	}
	n := min(d.bytes, d.left, len(p))
	d.left -= n
	return n, nil
}

// TestSlowImport: a body may come slowly, and take hours; who sends a byte now and then is not
// waited for.
func TestSlowImport(t *testing.T) {
	for name, c := range map[string]struct {
		from *drip
		busy time.Duration // between reads, of who reads
		slow bool
	}{
		"a byte before each pause is too long": {from: &drip{bytes: 1, pause: ReadTimeout - time.Second, left: 1 << 20},
			slow: true},
		"a bit too slow": {from: &drip{bytes: leastBytes / 256, pause: leastTime / 254,
			left: 100 << 20}, slow: true},
		"just fast enough": {from: &drip{bytes: leastBytes / 256, pause: leastTime / 257,
			left: 100 << 20}},
		"short": {from: &drip{bytes: 1, pause: ReadTimeout - time.Second, left: 9}},
		"read slowly": {from: &drip{bytes: 1000, pause: time.Millisecond, left: 10 << 20},
			busy: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &patientBody{transport: c.from, length: -1}
				start, all := time.Now(), int64(c.from.left)
				n, err := io.Copy(io.Discard, readsAt{b, c.busy})
				if c.slow {
					if took := time.Since(start); err != errSlow || took < leastTime || took > leastTime+ReadTimeout {
						t.Errorf("got %v after %v, want %v after %v and a pause", err, took, errSlow, leastTime)
					}
					if text := call.Failure((&ImportBody{body: b}).Broken(err)).Message; !strings.Contains(text,
						"less than 1048576 bytes came in the 5m0s") || !strings.Contains(text, "nothing was imported") {
						t.Errorf("got the error %q, want one that tells the rate", text)
					}
				} else if n != all || err != nil {
					t.Errorf("got %d bytes, %v after %v, want all %d", n, err, time.Since(start), all)
				}
				b.close()
			})
		})
	}
}

// readsAt is a reader that does something else for so long before each read.
type readsAt struct {
	io.Reader
	busy time.Duration
}

func (r readsAt) Read(p []byte) (int, error) {
	time.Sleep(r.busy)
	return r.Reader.Read(p)
}

// TestLateInterrupt: what ends an import when the server stops is a goroutine of its own, which may
// come when the call has been answered. The transport is then that of another call, or of none: it
// was used, and the server crashed.
func TestLateInterrupt(t *testing.T) {
	d := &drip{bytes: 1, left: 10}
	b := &patientBody{transport: d, length: 10}
	if _, err := b.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	b.close()
	b.transport = nil // each use of it panics
	b.interrupt()
	if _, err := b.Read(make([]byte, 1)); !errors.Is(err, errEnded) {
		t.Errorf("reading a body that was closed: got %v, want %v", err, errEnded)
	}
}
