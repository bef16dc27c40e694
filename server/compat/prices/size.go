// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"bytes"
	"fmt"

	"github.com/uproar-db/uproar/api"
)

// The bounds of a body of bitmap-usage's paths: requests, characteristics of one request, and
// characteristics of all requests. There are no more requests than numbers for them. Without bounds
// a body of empty ones, with its answers, would take a hundred times its size.
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

// checkSize fails for a body with too many requests or characteristics. The requests are at a depth
// of brackets.
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

// elements counts the elements of a JSON text at a depth of brackets. most is the largest count in
// a list two brackets further in, and all is the sum of these counts. They may be higher if it is
// no JSON.
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
