// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// A wordUse says what the language does with a reserved word.
type wordUse uint8

const (
	notReserved wordUse = iota
	inUse               // has a meaning in today's grammar
	forLater            // kept, so that a later grammar breaks no query written today
)

// reserved holds every reserved word, in lower case. docs/query.md lists them; a
// test compares the two.
var reserved = map[string]wordUse{
	"all":     inUse,
	"and":     inUse,
	"any":     inUse,
	"at":      inUse,
	"between": inUse,
	"bitmap":  inUse,
	"in":      inUse,
	"least":   inUse,
	"most":    inUse,
	"none":    inUse,
	"not":     inUse,
	"nothing": inUse,
	"of":      inUse,
	"or":      inUse,
	"prefix":  inUse,
	"saved":   inUse,
	"xor":     inUse,

	"exactly": forLater,
}

// maxReserved is the length of the longest reserved word.
const maxReserved = len("between")

// reservedWord returns the lower-case form and the use of a word, in any case of
// letters, or notReserved. Only ASCII letters are folded: Unicode folding would
// take "ſ" for an s.
func reservedWord(word string) (string, wordUse) {
	if len(word) > maxReserved {
		return "", notReserved
	}
	var buf [maxReserved]byte
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	lower := string(buf[:len(word)])
	return lower, reserved[lower]
}
