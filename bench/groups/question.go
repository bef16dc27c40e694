// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"fmt"
	"strings"
)

// topGroups is how many groups are asked for, where not all are.
const topGroups = 100

// question is groups of all records of an index.
type question struct {
	name  string
	index string
	by    []string
	keys  []string // what DuckDB groups by,
	from  string   // and in which table
}

// questions are what is asked.
var questions = []question{
	{"2 000 × 30 000 values", "few", []string{"a", "c"}, []string{"a", "c"}, "few"},
	{"30 000 × 2 000 values", "few", []string{"c", "a"}, []string{"c", "a"}, "few"},
	{"2 000 × 30 000, set fields", "few", []string{"set_a", "set_c"}, []string{"a", "c"}, "few"},
	{"30 000 × 2 000, set fields", "few", []string{"set_c", "set_a"}, []string{"c", "a"}, "few"},
	{"200 × 2 000", "few", []string{"e", "a"}, []string{"e", "a"}, "few"},
	{"2 000 × 30 000 × 200", "few", []string{"a", "c", "e"}, []string{"a", "c", "e"}, "few"},
	{"three tags each, of 5 000 × 200", "few", []string{"tags", "e"}, []string{"t", "e"},
		"(SELECT unnest(tags) AS t, e FROM few)"},
	{"age by 10", "few", []string{"age by 10"}, []string{"(floor(age / 10.0) * 10)::INTEGER"}, "few"},
	{"age by 10 × 200", "few", []string{"age by 10", "e"}, []string{"(floor(age / 10.0) * 10)::INTEGER", "e"}, "few"},
	{"joined by month × 2 000", "few", []string{"joined by month", "a"},
		[]string{"date_trunc('month', joined)::DATE", "a"}, "few"},
	{"20 000 × 50 000, a group a record", "many", []string{"x", "y"}, []string{"x", "y"}, "many"},
}

// sql is the question for DuckDB, the largest groups first.
func (q *question) sql() string {
	var keys []string
	for i, key := range q.keys {
		keys = append(keys, fmt.Sprintf("%s AS k%d", key, i))
	}
	return fmt.Sprintf("SELECT %s, count(*) AS n FROM %s GROUP BY ALL ORDER BY n DESC", strings.Join(keys, ", "),
		q.from)
}
