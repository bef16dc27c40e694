// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

func TestImport(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>zoe alice>bob")
	const text = "# who follows whom\nfrom,to\nalice,bob\nbob,alice\nbob,alice\ncarol\ncarol,bob\n,bob\n\ndan,dan\n"
	report, err := g.Import(t.Context(), strings.NewReader(text), graph.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var bad []int64
	for _, line := range report.Bad {
		bad = append(bad, line.Line)
	}
	if want := []int64{6, 8}; !reflect.DeepEqual(bad, want) {
		t.Errorf("got bad lines %d, want %d", bad, want)
	}
	report.Bad = nil
	want := graph.ImportReport{BytesRead: int64(len(text)), Lines: 10, Follows: 5, BadLines: 2, Separator: graph.Comma,
		Header: "from,to"}
	if !reflect.DeepEqual(report, want) {
		t.Errorf("got report %+v, want %+v", report, want)
	}
	for range 2 {
		check(t, "followers of bob", g.Followers("bob"), "alice carol")
		check(t, "mutuals of alice", g.Mutuals("alice"), "bob")
		check(t, "mutuals of dan", g.Mutuals("dan"), "dan")
		check(t, "followers of zoe, from before", g.Followers("zoe"), "alice")
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// A follow after an import is as good as any other, and so is a second import.
	follow(t, g, "erin>bob")
	if _, err := g.Import(t.Context(), strings.NewReader("frank bob\n"), graph.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	check(t, "followers of bob", g.Followers("bob"), "alice carol erin frank")
}

func TestImportKeepsTheFirstBadLines(t *testing.T) {
	for _, c := range []struct{ keep, want int }{{0, graph.DefaultKeepBad}, {3, 3}, {-1, 0}} {
		g, _ := open(t)
		text := "a,b\n" + strings.Repeat("bad\n", 150)
		report, err := g.Import(t.Context(), strings.NewReader(text), graph.ImportOptions{KeepBad: c.keep, MaxBad: 1})
		if err != nil || report.BadLines != 150 || len(report.Bad) != c.want {
			t.Errorf("keep %d: got %d bad lines, %d of them kept (%v), want 150, %d", c.keep, report.BadLines,
				len(report.Bad), err, c.want)
		}
	}
}

// errBadLine stands for any *graph.LineError.
var errBadLine = errors.New("bad line")

// Nothing is left of an import that ends badly, wherever it does, and the next
// one works.
func TestImportIsAllOrNothing(t *testing.T) {
	broken := errors.New("disk on fire")
	long := strings.Repeat("bob,alice\n", 50_000)
	cancelling, cancel := context.WithCancel(t.Context())
	defer cancel()
	cancelled, cancelNow := context.WithCancel(t.Context())
	cancelNow()
	for _, c := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		opts graph.ImportOptions
		want error
	}{
		{"reader fails", t.Context(), io.MultiReader(strings.NewReader(long), iotest.ErrReader(broken)),
			graph.ImportOptions{}, broken},
		{"cancelled before", cancelled, strings.NewReader("bob,alice\n"), graph.ImportOptions{}, context.Canceled},
		{"cancelled while reading", cancelling, strings.NewReader(long),
			graph.ImportOptions{Progress: func(graph.ImportProgress) {
				cancel()
			}}, context.Canceled},
		{"gzip cut short", t.Context(), strings.NewReader(zip(long)[:len(zip(long))/2]), graph.ImportOptions{},
			io.ErrUnexpectedEOF},
		{"strict", t.Context(), strings.NewReader(long + "bob\n"), graph.ImportOptions{Strict: true}, errBadLine},
		{"not a list", t.Context(), strings.NewReader("PK\x03\x04"), graph.ImportOptions{}, graph.ErrEncoding},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := open(t)
			follow(t, g, "alice>bob")
			if _, err := g.Import(c.ctx, c.r, c.opts); !errors.Is(err, c.want) &&
				!(c.want == errBadLine && errors.As(err, new(*graph.LineError))) {
				t.Errorf("got error %v, want %v", err, c.want)
			}
			check(t, "following of bob", g.Following("bob"), "")
			if _, err := g.Import(t.Context(), strings.NewReader("bob,alice\n"), graph.ImportOptions{}); err != nil {
				t.Errorf("the next import: %v", err)
			}
			check(t, "following of bob, imported again", g.Following("bob"), "alice")
		})
	}
}

func TestImportStrict(t *testing.T) {
	g, _ := open(t)
	report, err := g.Import(t.Context(), strings.NewReader("a,b\nc\nd,e\nf\n"), graph.ImportOptions{Strict: true})
	var bad *graph.LineError
	if !errors.As(err, &bad) || bad.Line != 2 {
		t.Errorf("got error %v, want one about line 2", err)
	}
	if report.Lines != 2 || report.Follows != 1 || report.BadLines != 1 || len(report.Bad) != 1 {
		t.Errorf("got report %+v, want one of 2 lines", report)
	}
	if n := records(t, g); n != 0 {
		t.Errorf("got %d accounts, want none", n)
	}
}

func TestImportProgress(t *testing.T) {
	g, _ := open(t)
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "a%d,b%d\n", i%100, i)
	}
	var seen []graph.ImportProgress
	_, err := g.Import(t.Context(), strings.NewReader(text.String()), graph.ImportOptions{
		Progress: func(p graph.ImportProgress) { seen = append(seen, p) },
	})
	if err != nil || len(seen) < 5 {
		t.Fatalf("got %d calls of Progress (%v), want several", len(seen), err)
	}
	for i, p := range seen[1:] {
		before := seen[i]
		if p.BytesRead < before.BytesRead || p.Lines < before.Lines || p.Follows < before.Follows ||
			p.Done < before.Done || p.Done > p.Total {
			t.Errorf("progress went from %+v to %+v", before, p)
		}
	}
	last := seen[len(seen)-1]
	if last.BytesRead != int64(text.Len()) || last.Follows != 20_000 || last.Done != last.Total || last.Total == 0 {
		t.Errorf("got last progress %+v, want all of %d bytes and 20000 follows, and every page done", last, text.Len())
	}
}

func TestImportOnClosedDatabase(t *testing.T) {
	g, db := open(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Import(t.Context(), strings.NewReader("a,b\n"), graph.ImportOptions{}); !errors.Is(err,
		uproar.ErrClosed) {
		t.Errorf("got error %v, want ErrClosed", err)
	}
}

// atEnd calls fn when everything has been read.
type atEnd struct {
	r  io.Reader
	fn func()
}

func (a atEnd) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if errors.Is(err, io.EOF) {
		a.fn()
	}
	return n, err
}

// While an import runs nobody sees any of it, follows are written beside it, and
// another import is refused.
func TestImportBesideOthers(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob")
	r := atEnd{strings.NewReader(strings.Repeat("bob,alice\nzoe,bob\n", 20_000)), func() {
		check(t, "following of bob during an import", g.Following("bob"), "")
		if _, err := g.Followers("zoe").Count(t.Context()); !errors.Is(err, uproar.ErrUnknownRecord) {
			t.Errorf("an account of an unfinished import: got error %v, want ErrUnknownRecord", err)
		}
		follow(t, g, "carol>bob")
		if _, err := g.Import(t.Context(), strings.NewReader("a,b\n"), graph.ImportOptions{}); !errors.Is(err,
			uproar.ErrLoading) {
			t.Errorf("a second import: got error %v, want ErrLoading", err)
		}
	}}
	if _, err := g.Import(t.Context(), r, graph.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	check(t, "following of bob", g.Following("bob"), "alice")
	check(t, "followers of bob", g.Followers("bob"), "alice carol zoe")
}
