// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
)

// The paths of bitmap-usage, a search of prices whose clients need no change (docs/catalog.md): JSON that is called text, and errors that are texts.

// pricesDialect is how bitmap-usage writes its answers.
var pricesDialect = &dialect{contentType: "text/plain; charset=utf-8", fail: pricesFail, access: pricesAccess}

// pricesError is an error in bitmap-usage's words.
type pricesError struct {
	status int
	text   string
}

func (e *pricesError) Error() string { return "server: " + e.text }

// pricesFail appends what bitmap-usage's clients are told about an error.
func pricesFail(dst []byte, e *api.Error, err error) (body []byte, status int) {
	if own, ok := errors.AsType[*pricesError](err); ok {
		return append(dst, own.text...), own.status
	}
	if e.Code == api.CodeInternal {
		return append(append(dst, e.Message+": "...), e.RequestID...), 500
	}
	return append(dst, e.Message...), e.Code.Status()
}

// pricesAccess says what the calls need: they only read.
func pricesAccess(e endpoint) (need access, always bool) {
	if e.method == "GET" {
		return accessPublic, true
	}
	return accessRead, false
}

// pricesEndpoints lists the calls of bitmap-usage.
func (s *Server) pricesEndpoints() []endpoint {
	nothing := func(context.Context, call) (reply, error) { return text{pricesDialect.contentType, nil}, nil }
	return []endpoint{
		{"POST", "/v1/search/bitmap/prices", "prices-one", s.pricesOne},
		{"POST", "/v1/search/bitmap/bulk/prices", "prices-bulk", s.pricesArray},
		{"POST", "/v2/search/bitmap/bulk/prices", "prices-bulk", s.pricesArray},
		{"POST", "/v4/search/bitmap/bulk/prices", "prices-bulk", s.pricesArray},
		{"POST", "/v5/search/bitmap/bulk/prices", "prices-lines", s.pricesLines},
		{"GET", "/health", "prices-health", nothing},
		{"GET", "/ready", "prices-ready", nothing},
	}
}

// pricesCall is a call whose requests are read.
type pricesCall struct {
	fromSource
	ctx      context.Context
	of       *catalog.Catalog
	requests []priceRequest
	single   bool
	lines    bool
	broken   bool // lines that cannot be read follow the requests
}

func (s *Server) pricesOne(ctx context.Context, c call) (reply, error) {
	if c.bodyErr != nil {
		return nil, c.bodyErr
	}
	r := &pricesCall{ctx: ctx, of: s.prices, single: true, requests: make([]priceRequest, 1)}
	p := priceParser{text: string(c.body)}
	if p.request(&r.requests[0]) {
		return r, nil
	}
	r.requests[0] = priceRequest{}
	return r, pricesJSON(json.NewDecoder(bytes.NewReader(c.body)).Decode(&r.requests[0]))
}

func (s *Server) pricesArray(ctx context.Context, c call) (reply, error) {
	if c.bodyErr != nil {
		return nil, c.bodyErr
	}
	r := &pricesCall{ctx: ctx, of: s.prices}
	if elements(c.body) > maxPrices {
		return nil, errManyPrices
	}
	p := priceParser{text: string(c.body)}
	if requests, ok := p.array(); ok {
		r.requests = requests
		return r, nil
	}
	return r, pricesJSON(json.NewDecoder(bytes.NewReader(c.body)).Decode(&r.requests))
}

// maxPrices is how many requests a body may have: as many as there are numbers for them. A body of empty ones would take a hundred times its size otherwise, with their answers.
const maxPrices = 1 << 16

var errManyPrices = &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has more than %d requests", maxPrices)}

// elements returns how many elements the array has that a JSON text is, or more if it is none.
func elements(text []byte) int {
	n, depth := 1, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

// errUndecoded is what bitmap-usage says of lines that it cannot read.
const errUndecoded = "Unable decode body"

func (s *Server) pricesLines(ctx context.Context, c call) (reply, error) {
	if c.bodyErr != nil {
		return nil, c.bodyErr
	}
	r := &pricesCall{ctx: ctx, of: s.prices, lines: true}
	p := priceParser{text: string(c.body)}
	for {
		var q priceRequest
		if at := p.at; !p.request(&q) {
			p.at = at
			break
		}
		if r.requests = append(r.requests, q); len(r.requests) > maxPrices {
			return nil, errManyPrices
		}
	}
	// What is left is nothing, or has to be read with more care.
	rest := json.NewDecoder(bytes.NewReader(c.body[p.at:]))
	for {
		var q priceRequest
		err := rest.Decode(&q)
		switch {
		case err == io.EOF && len(r.requests) == 0:
			return text{pricesDialect.contentType, nil}, nil
		case err == io.EOF:
			return r, nil
		case err != nil && len(r.requests) == 0:
			return nil, &pricesError{400, errUndecoded}
		case err != nil:
			r.broken = true
			return r, nil
		}
		if r.requests = append(r.requests, q); len(r.requests) > maxPrices {
			return nil, errManyPrices
		}
	}
}

// pricesJSON returns an error of encoding/json in bitmap-usage's words.
func pricesJSON(err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return &pricesError{400, "Request body must not be empty"}
	case errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF):
		return &pricesError{400, fmt.Sprintf("Request body contains badly-formed JSON (at position %d)", syntax.Offset)}
	case errors.As(err, &mismatch):
		return &pricesError{400, fmt.Sprintf("Request body contains an invalid Value for the %q field (at position %d)", mismatch.Field, mismatch.Offset)}
	default:
		return &pricesError{400, "Request body contains badly-formed JSON"}
	}
}
