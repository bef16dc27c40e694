// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// The paths of bitmap-usage, a search of prices whose clients need no change (docs/catalog.md):
// JSON that is called text, and errors that are texts.

// Errors is how bitmap-usage writes its answers.
var Errors = &call.ErrorFormat{ContentType: "text/plain; charset=utf-8", Fail: fail, Access: accessOf}

// fail appends an error as bitmap-usage's clients expect it.
func fail(dst []byte, e *api.Error, err error) (body []byte, status int) {
	if own, ok := errors.AsType[*call.StatusError](err); ok {
		return append(dst, call.Cut(own.Text, call.MaxMessage)...), own.Status
	}
	if e.Code == api.CodeInternal {
		return append(append(dst, e.Message+": "...), e.RequestID...), 500
	}
	return append(dst, e.Message...), e.Code.Status()
}

// accessOf says what the calls need: they only read.
func accessOf(e call.Endpoint) (need call.Access, always bool) {
	if e.Path == "/health" || e.Path == "/ready" {
		return call.AccessPublic, true
	}
	return call.AccessRead, false
}

// Endpoints lists the calls of bitmap-usage.
func (h *Handlers) Endpoints() []call.Endpoint {
	nothing := func(context.Context, call.Request) (call.Reply, error) {
		return call.Text{ContentType: Errors.ContentType, Body: nil}, nil
	}
	one, bulk, lines := h.one(variant{}), h.array(variant{}), h.lines(variant{})
	ofMaps := variant{maps: true}
	return []call.Endpoint{
		call.Post("/v1/search/bitmap/prices", "prices-one", one),
		call.Post("/v1/search/bitmap/prices/ugorji", "prices-one", one),
		call.Post("/v1/search/bitmap/prices/jsoniter", "prices-one", one),
		call.Post("/v1/search/kelindar/prices", "prices-one", one),
		call.Post("/v1/search/bitmap/bulk/prices", "prices-bulk", bulk),
		call.Post("/v2/search/bitmap/bulk/prices", "prices-bulk", bulk),
		call.Post("/v4/search/bitmap/bulk/prices", "prices-bulk", bulk),
		call.Post("/v4/search/bitmap/bulk/prices/ugorji", "prices-bulk", bulk),
		call.Post("/v5/search/bitmap/bulk/prices", "prices-lines", lines),
		call.Post("/v1/search/map/prices", "prices-one", h.one(ofMaps)),
		call.Post("/v1/search/map/prices/ugorji", "prices-one", h.one(ofMaps)),
		call.Post("/v1/search/map/bulk/prices", "prices-bulk", h.array(ofMaps)),
		call.Post("/v2/search/map/bulk/prices", "prices-bulk", h.array(variant{maps: true, whole: true})),
		call.Post("/v4/search/map/bulk/prices", "prices-lines", h.lines(variant{maps: true, whole: true})),
		call.Get("/health", "prices-health", nothing),
		call.Get("/ready", "prices-ready", nothing),
		call.Get("/info", "prices-info", h.info),
	}
}

// info tells of the run: the name of the catalog, and how many prices it has.
func (h *Handlers) info(context.Context, call.Request) (call.Reply, error) {
	prices, err := h.open()
	if err != nil {
		return nil, err
	}
	index, err := prices.Index()
	if err != nil {
		return nil, err
	}
	stats, err := index.Stats()
	if err != nil {
		return nil, err
	}
	body := strconv.AppendUint(append(api.AppendKeyHTML([]byte(`{"catalog":`), []byte(h.name)),
		`,"prices":`...), stats.Records, 10)
	return call.Text{ContentType: call.ContentJSON, Body: append(body, "}\n"...)}, nil
}

// variant is in what the answers of a path differ from those of others.
type variant struct {
	maps bool // a scan over maps does not know which value no price has
	// of requests of which one finds no price, or cannot be read, none is answered
	whole bool
}

// reply is a call whose requests are read.
type reply struct {
	variant
	call.FromSource
	ctx      context.Context
	of       *catalog.Catalog
	requests []priceRequest
	single   bool
	lines    bool
	broken   bool         // lines that cannot be read follow the requests
	search   *priceSearch // has the memory of this call; nil: none has
}

// handler answers a call.
type handler = func(context.Context, call.Request) (call.Reply, error)

func (h *Handlers) one(v variant) handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) { return h.readOne(ctx, c, v) }
}

func (h *Handlers) array(v variant) handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) { return h.readArray(ctx, c, v) }
}

func (h *Handlers) lines(v variant) handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) { return h.readLines(ctx, c, v) }
}

func (h *Handlers) readOne(ctx context.Context, c call.Request, v variant) (call.Reply, error) {
	if c.BodyErr != nil {
		return nil, c.BodyErr
	}
	if err := checkSize(c.Body, 0); err != nil {
		return nil, err
	}
	prices, err := h.open()
	if err != nil {
		return nil, err
	}
	r := takePriceSearch().one(ctx, prices)
	r.variant = v
	p := priceParser{text: call.Borrowed(c.Body), chars: r.search.chars[:0]}
	if p.request(&r.requests[0]) {
		return r, nil
	}
	r.requests[0] = priceRequest{}
	return r, explainJSON(json.NewDecoder(bytes.NewReader(c.Body)).Decode(&r.requests[0]))
}

func (h *Handlers) readArray(ctx context.Context, c call.Request, v variant) (call.Reply, error) {
	if c.BodyErr != nil {
		return nil, c.BodyErr
	}
	prices, err := h.open()
	if err != nil {
		return nil, err
	}
	r := &reply{variant: v, ctx: ctx, of: prices}
	if requests, ok := readPrices(call.Borrowed(c.Body)); ok {
		r.requests = requests
		return r, nil
	}
	if err := checkSize(c.Body, 1); err != nil {
		return nil, err
	}
	return r, explainJSON(json.NewDecoder(bytes.NewReader(c.Body)).Decode(&r.requests))
}

// errUndecoded is what bitmap-usage says of lines that it cannot read.
const errUndecoded = "Unable decode body"

func (h *Handlers) readLines(ctx context.Context, c call.Request, v variant) (call.Reply, error) {
	if c.BodyErr != nil {
		return nil, c.BodyErr
	}
	prices, err := h.open()
	if err != nil {
		return nil, err
	}
	r := &reply{variant: v, ctx: ctx, of: prices, lines: true}
	p := priceParser{text: call.Borrowed(c.Body)}
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
	if p.space(0); p.at < len(p.text) {
		if err := checkSize(c.Body, 0); err != nil {
			return nil, err
		}
	}
	rest := json.NewDecoder(bytes.NewReader(c.Body[p.at:]))
	for {
		var q priceRequest
		err := rest.Decode(&q)
		switch {
		case err == io.EOF && len(r.requests) == 0:
			return call.Text{ContentType: Errors.ContentType, Body: nil}, nil
		case err == io.EOF:
			return r, nil
		case err != nil && v.whole:
			return call.Text{ContentType: Errors.ContentType, Body: nil}, nil
		case err != nil && len(r.requests) == 0:
			return nil, &call.StatusError{Status: 400, Text: errUndecoded}
		case err != nil:
			r.broken = true
			return r, nil
		}
		if r.requests = append(r.requests, q); len(r.requests) > maxPrices {
			return nil, errManyPrices
		}
	}
}

// explainJSON returns an error of encoding/json in bitmap-usage's words.
func explainJSON(err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return &call.StatusError{Status: 400, Text: "Request body must not be empty"}
	case errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF):
		return &call.StatusError{Status: 400,
			Text: fmt.Sprintf("Request body contains badly-formed JSON (at position %d)", syntax.Offset)}
	case errors.As(err, &mismatch):
		return &call.StatusError{Status: 400,
			Text: fmt.Sprintf("Request body contains an invalid Value for the %q field (at position %d)",
				mismatch.Field, mismatch.Offset)}
	default:
		return &call.StatusError{Status: 400, Text: "Request body contains badly-formed JSON"}
	}
}

// Handlers answers the calls of bitmap-usage.
type Handlers struct {
	db     *uproar.DB
	name   string
	prices atomic.Pointer[catalog.Catalog] // once it is there
}

// New returns the handlers of the catalog of a name.
func New(db *uproar.DB, name string) *Handlers { return &Handlers{db: db, name: name} }

// Open looks whether the catalog has what requests of bitmap-usage name. Errors:
// api.CodeUnavailable if it is not there.
func (h *Handlers) Open() error {
	_, err := h.open()
	return err
}

// open returns the catalog.
func (h *Handlers) open() (*catalog.Catalog, error) {
	if c := h.prices.Load(); c != nil {
		return c, nil
	}
	c, err := open(h.db, h.name)
	if err != nil {
		return nil, call.NotYet("the catalog "+call.Quote(h.name), err)
	}
	h.prices.Store(c)
	return c, nil
}
