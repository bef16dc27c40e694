// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interchange

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

// python runs the script of the peer. Without pyroaring the test fails in CI, and is skipped
// elsewhere.
func python(t *testing.T, input string, args ...string) string {
	t.Helper()
	interpreter := cmp.Or(os.Getenv("UPROAR_PYTHON"), "python3")
	if out, err := exec.Command(interpreter, "-c", "import pyroaring").CombinedOutput(); err != nil {
		const how = "make peers runs this test with CRoaring: UPROAR_PYTHON must name a Python that has pyroaring"
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s: %v\n%s", how, err, out)
		}
		t.Skipf("%s: %v", how, err)
	}
	c := exec.CommandContext(t.Context(), interpreter, append([]string{"testdata/peer.py"}, args...)...)
	c.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, &stderr)
	}
	return string(out)
}

// TestCRoaringWrites reads files that CRoaring has written and writes them again.
func TestCRoaringWrites(t *testing.T) {
	dir := t.TempDir()
	python(t, "", "write", dir)
	for _, f := range formats {
		lists, err := filepath.Glob(fmt.Sprintf("%s/*.%d.txt", dir, f.bits))
		if err != nil || len(lists) < 10 {
			t.Fatalf("got %d sets of %d bits and %v, want at least 10", len(lists), f.bits, err)
		}
		for _, list := range lists {
			s := readShape(t, list)
			for _, way := range []string{"plain", "optimized", "ranged"} {
				what := fmt.Sprintf("%s, %s, %d bits", s.name, way, f.bits)
				file := readFile(t, fmt.Sprintf("%s/%s.%s.%d.bin", dir, s.name, way, f.bits))
				if !f.checkStored(t, what, file, s.values) && s.name != "mixed" {
					t.Errorf("%s: more runs than a container of ours can hold", what)
				}
				for _, layout := range []bitmap.Layout{bitmap.Fastest, bitmap.Smallest} {
					switch way {
					case "plain":
						checkBytes(t, what+", ours", f.write(s.ours(layout), interop.NoRuns), file)
					case "optimized":
						checkBytes(t, what+", ours", f.write(s.ours(layout), interop.RunsIfSmaller), file)
					}
				}
			}
		}
	}
}

// readShape reads a list of ranges.
func readShape(t *testing.T, file string) shape {
	t.Helper()
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	s := shape{name: name}
	for line := range strings.Lines(string(readFile(t, file))) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, err1 := strconv.ParseUint(from, 10, 64)
		last, err2 := strconv.ParseUint(to, 10, 64)
		if err1 != nil || err2 != nil || last < first {
			t.Fatalf("%s: got %q, want a range", file, line)
		}
		for x := first; ; x++ {
			s.values = append(s.values, x)
			if x == last {
				break
			}
		}
	}
	return s
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCRoaringReads has CRoaring read files that we have written. It compares how many values it
// finds, their sum, and the bytes that it writes for them.
func TestCRoaringReads(t *testing.T) {
	dir := t.TempDir()
	var names, want []string
	for _, f := range formats {
		for i, s := range shapes(2, f.last) {
			sum := uint64(0)
			for _, x := range s.values {
				sum += x
			}
			for how, runs := range []interop.Runs{interop.RunsIfSmaller, interop.NoRuns, interop.RunsAsStored} {
				name := fmt.Sprintf("%s/%d.%d.%d.bin", dir, i, how, f.bits)
				if err := os.WriteFile(name, f.write(s.ours(bitmap.Fastest), runs), 0o600); err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
				want = append(want, fmt.Sprint(len(s.values), " ", sum, " True"))
			}
		}
	}
	got := strings.Split(strings.TrimSpace(python(t, strings.Join(names, "\n"), "read")), "\n")
	if len(got) != len(want) {
		t.Fatalf("got %d answers, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: got %q, want %q", filepath.Base(names[i]), got[i], want[i])
		}
	}
}
