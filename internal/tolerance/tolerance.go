// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package tolerance decides whether an import in which something is bad is carried out.
package tolerance

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// shown is how many bad things an error names one by one.
const shown = 3

// longest is how many bytes of what is wrong with one of them it has.
const longest = 200

// Tally counts the good and the bad of an import. The zero value is empty. Not safe for concurrent
// use.
type Tally struct {
	Good, Bad int64
	first     []string // of the bad
}

// Reject counts a bad one. why tells what is wrong with it.
func (t *Tally) Reject(why string) {
	if t.Bad++; len(t.first) == shown {
		return
	}
	if len(why) > longest {
		why = strings.ToValidUTF8(why[:longest], "") + "..."
	}
	t.first = append(t.first, why)
}

// Add adds what another tally has counted.
func (t *Tally) Add(other *Tally) {
	t.Good, t.Bad = t.Good+other.Good, t.Bad+other.Bad
	t.first = append(t.first, other.first[:min(len(other.first), shown-len(t.first))]...)
}

// Check fails if more than a share of all are bad: of 0, any; of 1, none. what is the noun for one
// of them. The error tells how many are bad, and names the first of them.
func (t *Tally) Check(share float64, what string) error {
	total := t.Good + t.Bad
	if t.Bad == 0 || float64(t.Bad)/float64(total) <= share {
		return nil
	}
	if total != 1 {
		what += "s"
	}
	text := fmt.Sprintf("got %d bad of %d %s, want at most %s: %s",
		t.Bad, total, what, format(share), strings.Join(t.first, "; "))
	if more := t.Bad - int64(len(t.first)); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return errors.New(text)
}

// Parse reads a share: 5%, or the same as 0.05.
func Parse(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) || !percent && number != "0" && !strings.Contains(number, ".") {
		return 0, fmt.Errorf("got share %q, want 0%% to 100%%, such as 5%%, or 0.05", text)
	}
	return share, nil
}

// format returns a share as a percentage, which Parse reads.
func format(share float64) string { return strconv.FormatFloat(share*100, 'g', 6, 64) + "%" }
