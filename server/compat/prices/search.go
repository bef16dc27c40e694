// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// What bitmap-usage says when there is no price. The order of the conditions is that in which it
// looks at them.
const (
	noPrice      = "unable find price"
	manyPrices   = "unable find price, no default and >1 found"
	errOne       = "Unable to find prices for at least one in a group"
	noCharName   = "unable to find charId in index"
	noCharValue  = "unable to find charValue in index"
	priceNumbers = 3 // conditions before those on characteristics
)

// unknownPrice is what it says of a value that no price has, by condition.
var unknownPrice = [priceNumbers]string{"unable find offeringId in index", "unable find groupId in index",
	"unable find specId in index"}

// Attributes of a catalog of prices. All others are characteristics.
const (
	offeringAttribute = "offering"
	groupAttribute    = "group"
	specAttribute     = "spec"
	valueAttribute    = "value"
	currencyAttribute = "currency"
)

// open returns a catalog that has what requests of bitmap-usage name.
func open(db *uproar.DB, name string) (*catalog.Catalog, error) {
	c, err := catalog.Open(db, name)
	if err != nil {
		return nil, err
	}
	s, err := c.Snapshot()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for _, attribute := range [...]string{offeringAttribute, groupAttribute, specAttribute} {
		if s.Attribute(attribute) < 0 {
			return nil, fmt.Errorf("server: catalog %q has no attribute %q, want it for the paths of bitmap-usage",
				name, attribute)
		}
	}
	return c, nil
}

// priceSearch is the memory of searches for prices.
type priceSearch struct {
	conditions []catalog.Condition
	answer     catalog.Answer
	key        []byte

	call    reply // of a single request, with what it has
	request [1]priceRequest
	chars   [fewChars]priceChar
}

var priceSearches = sync.Pool{New: func() any { return new(priceSearch) }}

func takePriceSearch() *priceSearch { return priceSearches.Get().(*priceSearch) }

// one returns a call of a single request, in the memory of the search.
func (p *priceSearch) one(ctx context.Context, of *catalog.Catalog) *reply {
	p.call = reply{ctx: ctx, of: of, single: true, requests: p.request[:], search: p}
	return &p.call
}

// give lets others have the memory, without the texts of the body.
func (p *priceSearch) give() {
	clear(p.conditions[:cap(p.conditions)])
	clear(p.chars[:])
	p.call, p.request = reply{}, [1]priceRequest{}
	priceSearches.Put(p)
}

// Append searches, and appends the answers.
func (r *reply) Append(dst []byte) ([]byte, error) {
	p := r.search
	if p == nil {
		p = takePriceSearch()
	}
	defer p.give()
	start := len(dst)
	err := r.of.Ask(r.ctx, func(s catalog.Snapshot) (err error) {
		dst, err = r.appendAll(dst[:start], s, p)
		return err
	})
	return dst, err
}

// appendAll appends the answers of one state.
func (r *reply) appendAll(dst []byte, s catalog.Snapshot, p *priceSearch) ([]byte, error) {
	if r.single {
		what, err := p.find(r, s, &r.requests[0])
		if err == nil && what != "" {
			err = &call.StatusError{Status: 404, Text: what}
		}
		if err != nil {
			return dst, err
		}
		return p.appendPrice(dst, s, &r.requests[0])
	}
	if !r.lines {
		dst = append(dst, '[')
	}
	dst, err := r.appendParts(dst, s, p)
	if err != nil {
		return dst, err
	}
	switch {
	case r.broken:
		dst = append(append(dst, '\n'), errUndecoded...)
	case !r.lines:
		dst = append(dst, ']')
	}
	return dst, nil
}

// perPart is from how many requests on a processor takes part of them.
const perPart = 1024

// appendParts appends the answers of all requests, in their order, which the processors share.
func (r *reply) appendParts(dst []byte, s catalog.Snapshot, p *priceSearch) ([]byte, error) {
	n := len(r.requests)
	parts := call.PartsOf(n, perPart)
	answers := make([][]byte, parts)
	answers[0] = slices.Grow(dst, n*bytesOfAnswer)
	err := call.InParts(n, parts, func(part, from, to int) (err error) {
		own := p
		if part > 0 {
			own = takePriceSearch()
			defer own.give()
			answers[part] = make([]byte, 0, n/parts*bytesOfAnswer)
		}
		answers[part], err = r.appendPart(answers[part], s, own, from, to)
		return err
	})
	dst = answers[0]
	for _, a := range answers[1:] {
		dst = append(dst, a...)
	}
	return dst, err
}

// bytesOfAnswer is about how long an answer is.
const bytesOfAnswer = 96

// appendPart appends the answers of the requests from one to before another.
func (r *reply) appendPart(dst []byte, s catalog.Snapshot, p *priceSearch, from, to int) ([]byte, error) {
	for i := from; i < to; i++ {
		if i > 0 && r.lines {
			dst = append(dst, '\n')
		} else if i > 0 {
			dst = append(dst, ',')
		}
		q := &r.requests[i]
		what, err := p.find(r, s, q)
		if err == nil && what != "" && r.whole && !r.lines {
			err = &call.StatusError{Status: 400, Text: errOne}
		}
		if err != nil {
			return dst, err
		}
		if what != "" {
			dst = api.AppendKeyHTML(append(dst, `{"error":{"message":`...), []byte(what))
		} else {
			if dst, err = p.appendPrice(append(dst, `{"price":`...), s, q); err != nil {
				return dst, err
			}
			dst = append(dst, `,"error":{`...)
		}
		dst = append(strconv.AppendUint(append(dst, `},"id":`...), uint64(q.ID), 10), '}')
	}
	return dst, nil
}

// find searches for the price of a request; what says why there is none.
func (p *priceSearch) find(r *reply, s catalog.Snapshot, q *priceRequest) (what string, err error) {
	p.conditions = append(p.conditions[:0], catalog.Condition{Attribute: offeringAttribute, Value: q.Offering},
		catalog.Condition{Attribute: groupAttribute, Value: q.Group},
		catalog.Condition{Attribute: specAttribute, Value: q.Spec})
	for i := range q.Chars {
		p.conditions = append(p.conditions, catalog.Condition{Attribute: q.Chars[i].Char, Value: q.Chars[i].Value})
	}
	err = s.Search(r.ctx, &p.answer, 2, p.conditions...)
	if errors.Is(err, catalog.ErrUnknownAttribute) {
		return p.unknown(r, s)
	}
	switch {
	case err != nil:
		return "", err
	case p.answer.Kind == catalog.One:
		return "", nil
	case p.answer.Kind == catalog.Several:
		return p.several(s)
	case p.answer.Unknown < 0 || r.maps:
		return noPrice, nil
	case p.answer.Unknown < priceNumbers:
		return unknownPrice[p.answer.Unknown], nil
	default:
		return noCharValue, nil
	}
}

// several takes the first of several prices, if they are defaults.
func (p *priceSearch) several(s catalog.Snapshot) (what string, err error) {
	if first, err := s.IsDefault(p.answer.IDs[0]); err != nil || !first {
		return manyPrices, err
	}
	p.answer.Kind, p.answer.IDs = catalog.One, p.answer.IDs[:1]
	return "", nil
}

// unknown describes the first condition that no price can fit. It is called when a condition names
// a characteristic that does not exist.
func (p *priceSearch) unknown(r *reply, s catalog.Snapshot) (what string, err error) {
	if r.maps {
		return noPrice, nil
	}
	known := 0
	for known < len(p.conditions) && (known < priceNumbers || s.Attribute(p.conditions[known].Attribute) >= 0) {
		known++
	}
	if err := s.Search(r.ctx, &p.answer, 2, p.conditions[:known]...); err != nil {
		return "", err
	}
	switch unknown := p.answer.Unknown; {
	case p.answer.Kind != catalog.Nothing || unknown < 0:
		return noCharName, nil
	case unknown < priceNumbers:
		return unknownPrice[unknown], nil
	default:
		return noCharValue, nil
	}
}

// appendPrice appends the price that was found.
func (p *priceSearch) appendPrice(dst []byte, s catalog.Snapshot, q *priceRequest) (out []byte, err error) {
	id := p.answer.One()
	if p.key, err = s.AppendKey(p.key[:0], id); err != nil {
		return dst, err
	}
	dst = api.AppendKeyHTML(append(dst, `{"id":`...), p.key)
	dst = api.AppendKeyHTML(append(dst, `,"spec":`...), []byte(q.Spec))
	dst = append(dst, `,"value":`...)
	before := len(dst)
	if at := s.Attribute(valueAttribute); at >= 0 {
		if dst, err = s.AppendValue(dst, id, at); err != nil {
			return dst, err
		}
	}
	if len(dst) == before {
		dst = append(dst, '0')
	}
	p.key = p.key[:0]
	if at := s.Attribute(currencyAttribute); at >= 0 {
		if p.key, err = s.AppendValue(p.key, id, at); err != nil {
			return dst, err
		}
	}
	return append(api.AppendKeyHTML(append(dst, `,"currency":`...), p.key), '}'), nil
}
