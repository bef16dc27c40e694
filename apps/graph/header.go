// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/internal/table"
)

// Names of columns and of members of objects, as isNamed compares them.
var (
	accountNames = []string{
		"account", "actor", "creator", "follower", "from", "fromnode", "fromuser", "source", "sourcenode", "sourceuser",
		"src", "srcnode", "user", "u", "id1", "node1", "nodeid1", "person1", "user1", "userid1",
		"account1", "accounta", "followeruser", "nodea", "person", "persona", "usera",
	}
	targetNames = []string{
		"dest", "destination", "dst", "dstnode", "followed", "followee", "following", "friend", "subject", "target",
		"targetnode", "targetuser", "to", "tonode", "touser", "v", "id2", "node2", "nodeid2", "person2", "user2",
		"userid2",
		"account2", "accountb", "followeduser", "followeeuser", "followinguser", "frienduser", "nodeb", "personb",
		"userb",
	}
)

// keyNames name the column of the record's key.
var keyNames = []string{"rkey", "recordkey", "key"}

// What stands behind names of accounts. Tables that have both mean the number to be the account.
var (
	numberSuffixes = []string{"", "id", "did"}
	textSuffixes   = []string{"uuid", "guid", "name", "username", "handle", "key"}
)

// isNamed reports whether the name of a column is one of those known: without capitals, spaces,
// underscores and hyphens, and with one of the suffixes at its end.
func isNamed(name string, known, suffixes []string) bool {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	for _, suffix := range suffixes {
		if short, ok := strings.CutSuffix(name, suffix); ok && slices.Contains(known, short) {
			return true
		}
	}
	return false
}

// ErrHeader is matched when the first line of an edge list may name the columns or be a follow:
// EdgeListOptions.Header has to say which.
var ErrHeader = errors.New("graph: the first line may name the columns, or be a follow")

// takeHeader reports whether the first line of a list names the columns. It takes from it which of
// them are the account and its target. others are further lines. Errors: ErrHeader,
// *table.ColumnError.
//
// The line names the columns if the names of both are known. It does so too if both are no numbers
// while all that follow are. If one name is known, and IDs are texts, either may be meant.
func (l *EdgeList) takeHeader(use HeaderUse, names, others []string) (bool, error) {
	account, target := l.named(names, accountNames), l.named(names, targetNames)
	known := account >= 0 && target >= 0
	if !known && use == DetectHeader {
		switch {
		case len(names) >= 2 && !isNumber(names[0]) && !isNumber(names[1]) && l.numbersOnly(others):
		case account >= 0 && account < 2 || target >= 0 && target < 2:
			return false, fmt.Errorf("%w: %s", ErrHeader, shown(strings.Join(names, string(rune(l.separator)))))
		default:
			return false, l.placeKey(false, names)
		}
	}
	if known {
		for _, at := range []int{account, target} {
			if slices.Contains(names[at+1:], names[at]) {
				return false, &table.ColumnError{Repeated: []string{names[at]}}
			}
		}
	}
	switch { // of the first two columns, the one that is not named is the other
	case known:
	case account == 1 || target == 0:
		account, target = 1, 0
	default:
		account, target = 0, 1
	}
	l.account, l.target = account, target
	return true, l.placeKey(true, names)
}

// placeKey finds the column of keys in a list that is to have them.
func (l *EdgeList) placeKey(header bool, names []string) error {
	if !l.opts.Keys {
		return nil
	}
	wrong := &table.FormatError{Is: "a list without keys of records",
		Try: "name the columns account, rkey and target, or have these three without names"}
	if header {
		if l.key = l.named(names, keyNames); l.key < 0 || l.key == l.account || l.key == l.target {
			return wrong
		}
		return nil
	}
	if l.columns != 3 {
		return wrong
	}
	l.account, l.key, l.target = 0, 1, 2
	return nil
}

// named returns the first column that has one of the known names, or -1. A header need not have as
// many columns as the lines, as long as it names none beyond them.
func (l *EdgeList) named(names, known []string) int {
	for _, suffixes := range [][]string{numberSuffixes, textSuffixes} {
		at := slices.IndexFunc(names, func(name string) bool { return isNamed(name, known, suffixes) })
		if at >= 0 && at < l.columns {
			return at
		}
	}
	return -1
}

// numbersOnly reports whether there are lines, and the first two columns of all of them are
// numbers.
func (l *EdgeList) numbersOnly(lines []string) bool {
	numbers := 0
	for _, text := range lines {
		fields, err := l.split(text)
		if err != nil || len(fields) != l.columns {
			continue // a bad line
		}
		if !isNumber(fields[0]) || !isNumber(fields[1]) {
			return false
		}
		numbers++
	}
	return numbers > 0
}

// isNumber reports whether a column is a number as IDs are: digits, perhaps with a sign and a
// point.
func isNumber(column string) bool {
	column = strings.TrimPrefix(column, "-")
	return column != "" && column[0] >= '0' && column[0] <= '9' && strings.Trim(column, "0123456789.") == ""
}

// matrixMarket begins the first comment of a list in the format of Matrix Market. The line that
// follows its comments has the size of the matrix.
const matrixMarket = "%%MatrixMarket"

// preamble reports whether a line stands before the first follow without being one or naming
// columns.
func (l *EdgeList) preamble(text []byte) bool {
	if separator, ok := table.Hint(text); ok && l.line == 1 {
		if l.opts.Separator == Detect {
			l.opts.Separator = Separator(separator)
		}
		return true
	}
	if bytes.HasPrefix(text, []byte("%")) {
		l.sized = l.sized || bytes.HasPrefix(text, []byte(matrixMarket))
		return true
	}
	if l.sized {
		l.sized, l.header = false, string(text)
		return true
	}
	return false
}
