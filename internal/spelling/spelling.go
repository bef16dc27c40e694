// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package spelling finds what a misspelt name stands for. Errors about names that there are not
// tell it, so that who made a slip sees it at once.
package spelling

// longest is how many bytes a name has that is compared: the time grows with their product.
const longest = 128

// Suggest returns the candidate that a misspelt name most likely stands for: at most two letters
// away, and fewer than the name is long; "" if there is none.
func Suggest(name string, candidates []string) string {
	best, least := "", min(3, len(name))
	if len(name) > longest {
		return ""
	}
	for _, c := range candidates {
		if d := distance(name, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance returns the Levenshtein distance of two byte strings (Levenshtein 1966, by Wagner and
// Fischer's rows).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
