// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// What the published results of the benchmark say of its corpus, the English Wikipedia of 5 032 105
// articles: of each query the documents that have all of its terms, and those that have any; and
// the documents of each term that fit those figures best.
var (
	//go:embed queries.tsv
	queriesTable string
	//go:embed terms.tsv
	termsTable string
)

// articles is how many documents the corpus of the benchmark has.
const articles = 5_032_105

// askedFor is a query, with its documents in the corpus of the benchmark.
type askedFor struct {
	terms    []string
	all, any int
}

// queries returns the queries of the benchmark.
func queries() (list []askedFor) {
	for line := range strings.Lines(queriesTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, askedFor{strings.Fields(cells[0]), number(cells[1]), number(cells[2])})
	}
	return list
}

// frequencies returns the terms of the queries, sorted, and how many documents have each.
func frequencies() (terms []string, documents []int) {
	for line := range strings.Lines(termsTable) {
		term, n, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		terms, documents = append(terms, term), append(documents, number(n))
	}
	return terms, documents
}

// number reads a number of an embedded table.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err) // the tables are part of the program
	}
	return n
}

// set is one bit for each document, in the order of subjects.
type set []uint64

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// add adds a document, and returns 1 if it was not there.
func (s set) add(i int) int {
	if s.has(i) {
		return 0
	}
	s[i/64] |= 1 << (i % 64)
	return 1
}

// Documents of one subject stand side by side before they are shuffled. What a query finds is dense
// in such a stretch; of the documents of a term half are in stretches, too, and half anywhere.
const (
	queryDensity = 4 // a document in so many of the stretch of a query has all terms
	termDensity  = 3
	stretches    = 8 // of a term
)

// place returns which documents have each of the terms.
func place(n int, r *rand.Rand) (terms []string, sets []set) {
	terms, documents := frequencies()
	left := make([]int, len(terms)) // documents still to be given to each
	for i, d := range documents {
		left[i] = max(1, int(int64(d)*int64(n)/articles))
		sets = append(sets, make(set, n/64+1))
	}
	for _, q := range queries() {
		all := max(1, int(int64(q.all)*int64(n)/articles))
		long := min(n, all*queryDensity)
		from := r.IntN(n - long + 1)
		for range all {
			at := from + r.IntN(long)
			for _, term := range q.terms {
				i, _ := slices.BinarySearch(terms, term)
				left[i] -= sets[i].add(at)
			}
		}
	}
	for i := range terms {
		within := left[i] / 2
		for range stretches {
			long := max(1, min(n, within*termDensity/stretches))
			from := r.IntN(n - long + 1)
			for range within / stretches {
				left[i] -= sets[i].add(from + r.IntN(long))
			}
		}
		for left[i] > 0 {
			left[i] -= sets[i].add(r.IntN(n))
		}
	}
	return terms, sets
}

// writeCorpus writes n documents as the benchmark wants them, one JSON object a line. Their terms
// are as frequent, and meet each other as often, as those of the benchmark's queries in its corpus.
// Subjects are shuffled, so that documents of one do not stand together.
func writeCorpus(out io.Writer, n int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 11))
	terms, sets := place(n, r)
	w := bufio.NewWriterSize(out, 1<<20)
	for i, at := range r.Perm(n) {
		fmt.Fprintf(w, `{"id":"d%d","text":"`, i)
		blank := ""
		for k := range sets {
			if sets[k].has(at) {
				w.WriteString(blank)
				w.WriteString(terms[k])
				blank = " "
			}
		}
		fmt.Fprintf(w, "\",\"sort_field\":%d}\n", r.Uint32())
	}
	return w.Flush()
}
