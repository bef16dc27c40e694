// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"bytes"
	"fmt"

	"github.com/uproar-db/uproar/api"
)

// The bounds of a body of bitmap-usage's paths: as many requests as there are numbers for them, and
// so many characteristics, in one request and in all together. A body of empty ones would take a
// hundred times its size otherwise, with their answers.
const (
	maxPrices = 1 << 16
	maxChars  = 1 << 10
	allChars  = 8 * maxPrices

	fewChars = 8 // as most requests have
)

var (
	errManyPrices = &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has more than %d requests",
		maxPrices)}
	errManyChars = &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has a request with more than "+
		"%d charValues, or more than %d in all requests together", maxChars, allChars)}
)

// checkSize fails for a body with too many requests, which are at a depth of brackets, or too many
// characteristics.
func checkSize(text []byte, depth int) error {
	if len(text) <= maxChars { // too short for too many
		return nil
	}
	requests, most, all := elements(text, depth)
	switch {
	case requests > maxPrices:
		return errManyPrices
	case most > maxChars || all > allChars:
		return errManyChars
	}
	return nil
}

// elements returns how many elements a JSON text has at a depth of brackets, the most that one list
// two brackets further in has, and how many all of these have; or more if it is no JSON.
func elements(text []byte, depth int) (outer, most, all int) {
	outer = 1
	inner, at := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i+1)
		case '[', '{':
			if at++; at == depth+2 {
				inner, all, most = 1, all+1, max(most, 1)
			}
		case ']', '}':
			at--
		case ',':
			switch at {
			case depth:
				outer++
			case depth + 2:
				inner, all = inner+1, all+1
				most = max(most, inner)
			}
		}
	}
	return outer, most, all
}

// skipString returns the position of the quotation mark that ends a string, whose first byte is at
// i.
func skipString(text []byte, i int) int {
	for {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		end := i + n
		escapes := 0
		for end-escapes > i && text[end-escapes-1] == '\\' {
			escapes++
		}
		if i = end + 1; escapes%2 == 0 {
			return end
		}
	}
}
