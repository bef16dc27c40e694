// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// The crash test runs a child process that writes and compacts until it is killed. The child is
// this test binary again. It tells its parent each batch that Apply has acknowledged. The parent
// opens the store again, and looks for every one of them and for torn ones.
const (
	crashDir     = "UPROAR_TEST_CRASH_DIR" // set in the child only
	crashWriters = 4
	crashGroup   = 12 // entries that a writer keeps equal
)

func crashKey(writer, i int) []byte     { return fmt.Appendf(nil, "%d/group/%02d", writer, i) }
func crashLog(writer int, n int) []byte { return fmt.Appendf(nil, "%d/log/%08d", writer, n) }

// crashValue is small or large by turns.
func crashValue(n, i int) []byte {
	return binary.BigEndian.AppendUint64(bytes.Repeat([]byte{byte(n)}, i%3*20_000), uint64(n))
}

func crashNumber(value []byte) (int, error) {
	if len(value) < 8 {
		return 0, fmt.Errorf("a value of %d bytes", len(value))
	}
	n := int(binary.BigEndian.Uint64(value[len(value)-8:]))
	if rest := value[:len(value)-8]; len(bytes.Trim(rest, string([]byte{byte(n)}))) > 0 {
		return 0, fmt.Errorf("batch %d: bytes of something else in its value", n)
	}
	return n, nil
}

// TestCrashChild is the child. It never returns.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv(crashDir)
	if dir == "" {
		t.Skip("runs as a child of TestCrash")
	}
	die := func(err error) {
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
	s, err := Open(dir, nil)
	die(err)
	var out sync.Mutex
	for w := range crashWriters {
		state, err := crashState(s, w)
		die(err)
		go func() {
			for n := state + 1; ; n++ {
				b := new(store.Batch)
				for i := range crashGroup {
					b.Put(crashKey(w, i), crashValue(n, i))
				}
				b.Put(crashLog(w, n), nil)
				b.Delete(crashLog(w, n-20))
				sync := w > 0 // the first writer does not ask for it
				die(s.Apply(b, sync))
				if sync {
					out.Lock()
					fmt.Println(w, n)
					out.Unlock()
				}
			}
		}()
	}
	for { // until it is killed
		die(s.Compact(t.Context()))
		time.Sleep(10 * time.Millisecond)
	}
}

// crashState checks what writer w has left, and returns the number of its last batch.
func crashState(s store.Store, w int) (int, error) {
	last, entries := 0, 0
	err := s.Scan(fmt.Appendf(nil, "%d/group/", w), nil, func(k, v []byte) error {
		n, err := crashNumber(v)
		if err == nil && entries > 0 && n != last {
			err = fmt.Errorf("torn: batches %d and %d", last, n)
		}
		last = n
		entries++
		return err
	})
	if err != nil || entries != 0 && entries != crashGroup {
		return 0, fmt.Errorf("writer %d: %d entries, want none or %d: %w", w, entries, crashGroup, err)
	}
	n := max(0, last-20)
	err = s.Keys(fmt.Appendf(nil, "%d/log/", w), nil, func(k []byte) error {
		if n++; !bytes.Equal(k, crashLog(w, n)) {
			return fmt.Errorf("torn: got log entry %q, want %d", k, n)
		}
		return nil
	})
	if err != nil || n != last {
		return 0, fmt.Errorf("writer %d: the log ends at %d, the entries are of %d: %w", w, n, last, err)
	}
	return last, nil
}

// TestCrash kills the child again and again. UPROAR_KILLS says how often.
func TestCrash(t *testing.T) {
	rounds := storetest.Times(t, "UPROAR_KILLS", 5, 10, 200)
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	total := 0 // of all writers
	for round := range rounds {
		acked := runUntilKilled(t, dir, time.Duration(rng.IntN(250))*time.Millisecond)
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if _, err := os.Stat(filepath.Join(dir, FileName+copySuffix)); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("round %d: a copy that Compact left behind: got %v, want %v", round, err, fs.ErrNotExist)
		}
		total = 0
		for w := range crashWriters {
			last, err := crashState(s, w)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if last < acked[w] {
				t.Fatalf("round %d, writer %d: batch %d was acknowledged, the store ends at %d", round, w, acked[w],
					last)
			}
			total += last
		}
		if err := s.Close(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if total < rounds { // a child is killed after its first acknowledgement
		t.Errorf("%d batches in %d rounds: the child is killed before it writes", total, rounds)
	}
	t.Logf("%d batches in %d rounds", total, rounds)
}

// runUntilKilled runs the child for d after its first word, and kills it. It returns the last batch
// of each writer that the child acknowledged.
func runUntilKilled(t *testing.T, dir string, d time.Duration) [crashWriters]int {
	t.Helper()
	var acked [crashWriters]int
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // a child that does not come up
	lines := bufio.NewReader(stdout)
	for first := true; ; first = false {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // killed: what stands before the end of a line was not acknowledged
		}
		var w, n int
		if _, err := fmt.Sscan(line, &w, &n); err != nil || w >= crashWriters {
			t.Errorf("the child said %q", line)
			_ = cmd.Process.Kill()
			break
		}
		acked[w] = n
		if first {
			kill.Reset(d)
		}
	}
	kill.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() >= 0 && !t.Failed() {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return acked
}
