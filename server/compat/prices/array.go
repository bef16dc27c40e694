// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"runtime"
	"strings"
	"sync"
)

const (
	usualRequest = 256       // about how long a request is
	usualChar    = 40        // and a characteristic
	partBytes    = 256 << 10 // from how long a part on a processor reads it beside the others
	mostGuesses  = 64        // places at which a part may begin that are tried
)

// readPrices reads an array of requests, in parts if it is long. If it is not ok, the array may
// still be one that encoding/json can read.
func readPrices(text string) (requests []priceRequest, ok bool) {
	p := priceParser{text: text}
	if !p.take('[') {
		return nil, false
	}
	if p.take(']') {
		return []priceRequest{}, true
	}
	// Nobody knows where a request begins before all that is in front of it is read. So each part
	// begins at a guess, and counts if the part before it ends there.
	parts := []priceParser{p}
	for n, i := min(runtime.GOMAXPROCS(0), len(text)/partBytes), 1; i < n; i++ {
		if at, ok := guessRequest(text, len(text)/n*i); ok && at > parts[len(parts)-1].at {
			parts = append(parts, priceParser{text: text, at: at})
		}
	}
	read, fits, panics := make([][]priceRequest, len(parts)), make([]bool, len(parts)), make([]any, len(parts))
	var others sync.WaitGroup
	for i := range parts {
		end := len(text)
		if i+1 < len(parts) {
			end = parts[i+1].at
		}
		part := func() {
			defer func() { panics[i] = recover() }()
			read[i], fits[i] = parts[i].elements(end)
		}
		if i == len(parts)-1 {
			part()
		} else {
			others.Go(part)
		}
	}
	others.Wait()
	requests = read[0]
	taken := 0
	for i := range parts {
		if panics[i] != nil {
			panic(panics[i]) // where the call's is caught
		}
		if taken += parts[i].taken; !fits[i] || taken > allChars { // each part has looked at its own only
			return nil, false
		}
		if i > 0 {
			requests = append(requests, read[i]...)
		}
	}
	return requests, len(requests) <= maxPrices
}

// guessRequest returns a place behind another one at which a request seems to begin: after a comma
// between two objects, at what can be read as one. It may be within a text.
func guessRequest(text string, from int) (at int, ok bool) {
	for range mostGuesses {
		n := strings.IndexByte(text[from:], '}')
		if n < 0 {
			break
		}
		from += n + 1
		p := priceParser{text: text, at: from}
		if !p.take(',') || !p.space('{') {
			continue
		}
		if at = p.at; p.request(new(priceRequest)) {
			return at, true
		}
	}
	return 0, false
}

// elements reads requests with commas between them, up to the end of the array. It may also end
// where the next part begins, which must be the beginning of a request.
func (p *priceParser) elements(end int) (requests []priceRequest, ok bool) {
	long := end - p.at
	requests, p.chars = make([]priceRequest, 0, long/usualRequest+1), make([]priceChar, 0, long/usualChar+1)
	for {
		requests = append(requests, priceRequest{})
		if len(requests) > maxPrices || !p.request(&requests[len(requests)-1]) {
			return nil, false
		}
		if p.take(']') {
			return requests, end == len(p.text)
		}
		if !p.take(',') {
			return nil, false
		}
		if p.space('{'); p.at >= end {
			return requests, p.at == end && end < len(p.text)
		}
	}
}
