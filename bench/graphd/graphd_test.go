// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/bench/socialgraph"
)

// fake serves answers by path.
func fake(t *testing.T, name string, answers map[string]string) *server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.WriteHeader(404)
		}
		fmt.Fprintln(w, answer)
	}))
	t.Cleanup(s.Close)
	return &server{Process: &drive.Process{Name: name, Addr: s.Listener.Addr().String()}}
}

// TestSame: accounts may come in any order; anything else must be equal, and no answer is an error.
func TestSame(t *testing.T) {
	a := fake(t, "a", map[string]string{"/list": `["x","y"]`, "/shorter": `["x"]`, "/true": "true", "/other": "true"})
	b := fake(t, "b", map[string]string{"/list": `["y","x"]`, "/shorter": `["x","y"]`, "/true": "true",
		"/other": "false"})
	for path, want := range map[string]bool{"/list": true, "/shorter": false, "/true": true, "/other": false,
		"/missing": false} {
		if err := same(a, b, path); (err == nil) != want {
			t.Errorf("%s: got %v, want it to be the same: %t", path, err, want)
		}
	}
	if n, err := sizeOf(a, []string{"/list", "/shorter"}); n != 8 || err != nil {
		t.Errorf("got %d bytes and %v, want 8", n, err)
	}
}

// TestReport: of several GraphDs the better one counts, in each figure.
func TestReport(t *testing.T) {
	of := func(perSecond, processor float64) []drive.Slot {
		return []drive.Slot{{PerSecond: perSecond, P50: 1000, Processor: processor}}
	}
	s := &settings{uproar: []string{"u"}, graphd: []string{"g", "h"}}
	names := []*server{{Process: &drive.Process{Name: "Uproar"}}, {Process: &drive.Process{Name: "GraphD 1"}},
		{Process: &drive.Process{Name: "GraphD 2"}}}
	var out strings.Builder
	if err := s.report(&out, []*line{{name: "q", size: 5, slots: [][]drive.Slot{of(400, 5), of(100, 20), of(200, 30),
		of(800, 4)}}}, names); err != nil {
		t.Fatal(err)
	}
	if want := "| q (5 bytes) | 400 · 1.00 · 5.0 | 100 · 1.00 · 20.0 | 200 · 1.00 · 30.0 | 2.0 | 4.0 | 800 · 1.00 · " +
		"4.0 | 50 % |\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %s, want %s", &out, want)
	}
}

// TestQuestions: GraphD is asked under its own paths, about accounts of the network.
func TestQuestions(t *testing.T) {
	n := &socialgraph.Network{Accounts: 100, Follows: 1000, Seed: 1}
	asked := n.Asked()
	if len(asked) == 0 {
		t.Fatal("got no questions")
	}
	for _, a := range asked {
		if a.Name == "" || slices.ContainsFunc(a.Addresses, func(address string) bool {
			return !strings.Contains(address, "did=did:plc:")
		}) {
			t.Errorf("%s: got %q", a.Name, a.Addresses[0])
		}
	}
}

// TestFlags checks that flags that cannot be are refused.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"more"}, {}, {"-csv", "x", "-rounds", "0"}, {"-csv", "x", "-size", "M"},
		{"-csv", "x", "-driver", "ab"}, {"-csv", "x", "-only", "("}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v, %q, want an error that is explained", args, err, stderr.String())
		}
	}
}

// TestMakeUproar makes the program from this module's folder, and asks it for its commands.
func TestMakeUproar(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	var logs strings.Builder
	s := settings{logs: &logs}
	program, err := s.makeUproar(t.TempDir())
	if err != nil {
		t.Fatalf("%v: %s", err, logs.String())
	}
	out, err := exec.Command(program, "--help").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "serve") {
		t.Errorf("got %v and %q, want its help", err, out)
	}
}
