// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
)

// TestMain is the process that asks, where the variable says so.
func TestMain(m *testing.M) {
	if os.Getenv(asked) == "" {
		rateBytes = 1 << 20
		os.Exit(m.Run())
	}
	if err := ListsCommand(os.Args[2:], os.Stdout, os.Stderr); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}

// TestCommands measures small sizes, whose answers are compared, and the same folder again.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		run  func(args []string, stdout, stderr io.Writer) error
		args []string
		want []string
	}{
		{DenseCommand, []string{"--people", "200003"},
			[]string{"A and B and not C", "through the database", "equal\n"}},
		{UnionCommand, []string{"--sets", "2000", "--each", "20"},
			[]string{"of views in memory", "read from the store first", "equal\n"}},
		{ListsCommand, []string{"--lists", "20000", "--check"},
			[]string{"kernels of the processor", "generic", "equal\n"}},
	} {
		args := append(c.args, "--memory", "64MiB", "--rounds", "1", "--dir", t.TempDir())
		for range 2 {
			var out, errOut strings.Builder
			if err := c.run(args, &out, &errOut); err != nil {
				t.Fatalf("%q: %v: %s", args, err, errOut.String())
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q: got %q, want %q in it", args, out.String(), want)
				}
			}
		}
	}
}

// TestCommandsRefuse gives flags that cannot be.
func TestCommandsRefuse(t *testing.T) {
	commands := []func(args []string, stdout, stderr io.Writer) error{DenseCommand, UnionCommand, ListsCommand}
	for _, run := range commands {
		for _, args := range [][]string{{"more"}, {"--people", "3"}, {"--sets", "0"}, {"--lists", "1001"},
			{"--memory", "1KiB"}, {"--rounds", "0"}} {
			if err := run(args, io.Discard, io.Discard); err == nil {
				t.Errorf("%q: got nil, want an error", args)
			}
		}
	}
}

// TestCompareDiffers changes a right answer: each change is found.
func TestCompareDiffers(t *testing.T) {
	c := &listsCommand{Lists: 20000, Top: 3, Check: true}
	var all []counted
	for row := range c.rows() {
		if x, _ := c.count(row, nil); x.count > 0 {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, byLift)
	right := func() (top []uproar.Ranked) {
		for _, x := range all[:4] {
			top = append(top, uproar.Ranked{Key: rowKey(x.row), Count: x.count, Total: x.total})
		}
		return top
	}
	if n, err := c.compare(right()[:3]); err != nil || n != len(all) {
		t.Fatalf("got %d, %v, want all %d rows", n, err, len(all))
	}
	for what, change := range map[string]func(top []uproar.Ranked) []uproar.Ranked{
		"a count":        func(top []uproar.Ranked) []uproar.Ranked { top[1].Count++; return top[:3] },
		"a total":        func(top []uproar.Ranked) []uproar.Ranked { top[2].Total--; return top[:3] },
		"a row left out": func(top []uproar.Ranked) []uproar.Ranked { return top[1:] },
		"the order": func(top []uproar.Ranked) []uproar.Ranked {
			slices.Reverse(top[:3])
			return top[:3]
		},
		"no row": func(top []uproar.Ranked) []uproar.Ranked { top[0].Key = "v-1"; return top[:3] },
	} {
		if _, err := c.compare(change(right())); !errors.Is(err, errDiffers) {
			t.Errorf("%s: got %v, want %v", what, err, errDiffers)
		}
	}
}

// TestDenseCount compares the count of words with one of people.
func TestDenseCount(t *testing.T) {
	for _, people := range []int{64, 100, 1000} {
		var want uint64
		for i := range people {
			has := func(set int) bool { return denseWord(set, i/64, people)>>(i%64)&1 == 1 }
			if has(0) && has(1) && !has(2) {
				want++
			}
		}
		if got := denseCount(people); got != want || want == 0 {
			t.Errorf("%d people: got %d, want %d", people, got, want)
		}
	}
}
