// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestServe builds an index of a small corpus, and compares each answer with a plain count.
func TestServe(t *testing.T) {
	const n = 3000
	var corpus bytes.Buffer
	if err := writeCorpus(&corpus, n, 5); err != nil {
		t.Fatal(err)
	}
	var documents []map[string]bool
	for line := range strings.Lines(corpus.String()) {
		var d document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		has := make(map[string]bool)
		for _, word := range strings.Fields(d.Text) {
			has[word] = true
		}
		documents = append(documents, has)
	}
	if len(documents) != n {
		t.Fatalf("got %d documents, want %d", len(documents), n)
	}
	dir := t.TempDir()
	if err := build(t.Context(), dir, 64<<20, &corpus); err != nil {
		t.Fatal(err)
	}
	texts := []string{"+the", "the -of", "+the -of -and", "+high school", "nosuchterm", "+the +nosuchterm", "-the",
		"High SCHOOL", ""}
	for _, s := range shapes() {
		texts = append(texts, s.texts...)
	}
	var ask, want strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&ask, "COUNT\t%s\n", text)
		count := 0
		for _, has := range documents {
			if matches(text, has) {
				count++
			}
		}
		fmt.Fprintln(&want, count)
	}
	for _, line := range []string{"TOP_10\t+the", "COUNT\t\"high school\"", "COUNT\t+(a b)", "COUNT\t+"} {
		fmt.Fprintln(&ask, line)
		fmt.Fprintln(&want, "UNSUPPORTED")
	}
	var got strings.Builder
	if err := serve(t.Context(), dir, 64<<20, strings.NewReader(ask.String()), &got); err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(got.String(), "\n"), strings.Split(want.String(), "\n")
	if len(a) != len(b) {
		t.Fatalf("got %d answers, want %d", len(a), len(b))
	}
	asked := strings.Split(ask.String(), "\n")
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("%s: got %s, want %s", asked[i], a[i], b[i])
		}
	}
}

// matches is what a query means, word by word.
func matches(text string, has map[string]bool) bool {
	must, may, found := 0, 0, false
	for _, word := range strings.Fields(strings.ToLower(text)) {
		switch there := has[strings.TrimLeft(word, "+-")]; {
		case word[0] == '+' && !there, word[0] == '-' && there:
			return false
		case word[0] == '+':
			must++
		case word[0] != '-':
			may++
			found = found || there
		}
	}
	return must > 0 || may > 0 && found
}

// TestCorpus compares the terms of a corpus with the figures of the benchmark.
func TestCorpus(t *testing.T) {
	const n = 50_000
	terms, sets := place(n, rand.New(rand.NewPCG(1, 11)))
	_, documents := frequencies()
	size := func(s set) (c int) {
		for i := range n {
			if s.has(i) {
				c++
			}
		}
		return c
	}
	for i := range terms {
		if got, want := size(sets[i]), documents[i]*n/articles; want > 500 && (got < want*9/10 || got > want*11/10) {
			t.Errorf("%s: got %d documents, want about %d", terms[i], got, want)
		}
	}
	near, looked := 0, 0
	for _, q := range queries() {
		all := slices.Clone(sets[0])
		for i := range all {
			all[i] = ^uint64(0)
		}
		for _, term := range q.terms {
			at, found := slices.BinarySearch(terms, term)
			if !found {
				t.Fatalf("%s is no term", term)
			}
			for i := range all {
				all[i] &= sets[at][i]
			}
		}
		if want := q.all * n / articles; want > 100 {
			looked++
			if got := size(all); got > want/2 && got < 3*want {
				near++
			}
		}
	}
	if looked < 20 || near < looked*8/10 {
		t.Errorf("%d of %d intersections are about as large as in the benchmark", near, looked)
	}
}

// TestFlags checks that flags that cannot be are refused.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{nil, {"more"}, {"build"}, {"compare", "-documents", "0", "-dir", "x"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v, %q, want an error that is explained", args, err, stderr.String())
		}
	}
}
