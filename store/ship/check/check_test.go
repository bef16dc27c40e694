// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/blob"
	"github.com/uproar-db/uproar/store/ship/check"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// storageOf tells the program that it is a process of a race, and where.
const storageOf = "UPROAR_TEST_STORAGE"

// lies are ways to break the contract, by the scheme that has them.
var lies = map[string]shiptest.Lies{
	"two-winners+": {TwoWinners: 0.04},
	"hidden+":      {Hidden: 0.04},
	"unlisted+":    {Unlisted: 0.04},
	"lost+":        {Lost: 0.04},
}

// open returns the engine at a URL, which lies if that begins so.
func open(ctx context.Context, at string) (ship.Engine, error) {
	for scheme, l := range lies {
		if inner, ok := strings.CutPrefix(at, scheme); ok {
			e, err := blob.Open(ctx, inner)
			return shiptest.NewLying(e, uint64(os.Getpid()), l), err
		}
	}
	if inner, ok := strings.CutPrefix(at, "faulty+"); ok {
		e, err := blob.Open(ctx, inner)
		return shiptest.NewFaulty(e, uint64(os.Getpid()), shiptest.Faults{LostRequests: 0.1, LostReplies: 0.1}), err
	}
	return blob.Open(ctx, at)
}

func TestMain(m *testing.M) {
	at := os.Getenv(storageOf)
	if at == "" {
		os.Exit(m.Run())
	}
	err := check.Race(context.Background(), func(ctx context.Context) (ship.Engine, error) { return open(ctx, at) },
		os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const processes = 3

// run checks the storage at a URL with processes of this program.
func run(t *testing.T, at string, names int) (*check.Report, ship.Engine, error) {
	t.Helper()
	e, err := blob.Open(t.Context(), at[strings.Index(at, "+")+1:])
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Run(t.Context(), e, check.Options{Processes: processes, Names: names,
		Command: func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, os.Args[0])
			c.Env = append(os.Environ(), storageOf+"="+at)
			return c
		}})
	return r, e, err
}

func passed(t *testing.T, e ship.Engine) bool {
	t.Helper()
	ok, err := check.Passed(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// expectEmpty fails the test when a check has left more than its mark.
func expectEmpty(t *testing.T, e ship.Engine) {
	t.Helper()
	for name, err := range e.List(t.Context(), "", "") {
		if err != nil || name != ship.Checked {
			t.Errorf("left behind: %q, %v", name, err)
		}
	}
}

// TestPasses: a folder passes, also over a network that loses requests and replies.
func TestPasses(t *testing.T) {
	const names = 60
	for _, scheme := range []string{"", "faulty+"} {
		at := scheme + "file://" + t.TempDir()
		r, e, err := run(t, at, names)
		if err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		if !r.Passed || len(r.Faults) > 0 || !passed(t, e) {
			t.Errorf("%s: got %+v, want a report that passed and the mark", scheme, r)
		}
		if r.Created+r.Existed+r.Unknown != processes*names || r.Created > names || (r.Unknown > 0) != (scheme != "") {
			t.Errorf("%s: got %d created, %d existed, %d unknown of %d calls for %d names", scheme, r.Created,
				r.Existed, r.Unknown, processes*names, names)
		}
		l := r.Latencies
		if l.Create.Median <= 0 || l.Create.Max < l.Create.Median || l.Get.Max <= 0 || l.List.Max <= 0 {
			t.Errorf("%s: latencies: got %+v", scheme, l)
		}
		expectEmpty(t, e)
	}
}

// TestRefuses: storage that lies now and then is found out, and loses the mark that it had.
func TestRefuses(t *testing.T) {
	for scheme, want := range map[string]string{
		"two-winners+": "several Creates of a name won",
		"hidden+":      "Get does not show an object at once",
		"unlisted+":    "List does not show an object",
		"lost+":        "", // another process may then create it, or nobody: several sentences are broken
	} {
		dir := t.TempDir()
		before, err := blob.Open(t.Context(), "file://"+dir)
		if err == nil {
			err = before.Create(t.Context(), ship.Checked, nil)
		}
		if err != nil || !passed(t, before) {
			t.Fatalf("the mark of the folder before it lies: %v", err)
		}
		r, e, err := run(t, scheme+"file://"+dir, 80)
		if err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		if r.Passed || len(r.Faults) == 0 || passed(t, e) {
			t.Errorf("%s: got %+v, want faults and no mark", scheme, r)
			continue
		}
		found := false
		for _, f := range r.Faults {
			found = found || strings.HasPrefix(f.What, want)
			if f.What == "" || f.Got == "" || f.Want == "" || !strings.HasPrefix(f.Name, "check/") {
				t.Errorf("%s: fault without a part: %+v", scheme, f)
			}
		}
		if !found {
			t.Errorf("%s: got %+v, want a fault %q", scheme, r.Faults, want)
		}
		expectEmpty(t, e)
	}
}

// s3 returns the URL of a server of S3.
func s3(t *testing.T, s *shiptest.S3) string {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return fmt.Sprintf("s3://%s/p?region=us-east-1&use_path_style=true&endpoint=%s", s.Bucket,
		url.QueryEscape(server.URL))
}

// TestIgnoredCondition: storage that ignores If-None-Match is refused; with it, it passes.
func TestIgnoredCondition(t *testing.T) {
	r, e, err := run(t, s3(t, &shiptest.S3{Bucket: "b", IgnoreCondition: true}), 30)
	if err != nil {
		t.Fatal(err)
	}
	what := ""
	for _, f := range r.Faults {
		what += f.What + "\n"
	}
	if r.Passed || passed(t, e) || !strings.Contains(what, "several Creates of a name won") ||
		!strings.Contains(what, "a second Create of a name won") || r.More == 0 {
		t.Errorf("got %+v, want both faults of winners", r)
	}
	r, e, err = run(t, s3(t, &shiptest.S3{Bucket: "b"}), 30)
	if err != nil || !r.Passed || !passed(t, e) || r.Created != 30 {
		t.Errorf("with the condition: got %+v, %v", r, err)
	}
}

// TestUnavailable: storage that cannot be asked is neither refused nor passed.
func TestUnavailable(t *testing.T) {
	e := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	e.Cut()
	_, err := check.Run(t.Context(), e, check.Options{Processes: 2, Names: 1})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Run: got %v, want store.ErrUnavailable", err)
	}
	if _, err := check.Passed(t.Context(), e); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Passed: got %v, want store.ErrUnavailable", err)
	}
}

// TestProcessFails: a process that cannot take part ends the check with what it said.
func TestProcessFails(t *testing.T) {
	for name, command := range map[string]func(context.Context) *exec.Cmd{
		"cannot open": func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, os.Args[0])
			c.Env = append(os.Environ(), storageOf+"=nonsense://x")
			return c
		},
		"says nothing": func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "false") },
		"is not there": func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, t.TempDir()+"/no") },
	} {
		e := new(shiptest.Memory)
		r, err := check.Run(t.Context(), e, check.Options{Processes: 2, Names: 3, Command: command})
		if err == nil || r != nil {
			t.Errorf("%s: got %+v, %v; want an error", name, r, err)
		}
		expectEmpty(t, e)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []check.Options{{}, {Processes: 1, Names: 1}, {Processes: 2}, {Processes: 65, Names: 1},
		{Processes: 2, Names: check.MaxNames + 1}} {
		if _, err := check.Run(t.Context(), new(shiptest.Memory), o); err == nil {
			t.Errorf("Run with %+v: no error", o)
		}
	}
}
