// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
)

// partRequest is a call about one audience, with what is asked about it.
type partRequest struct {
	api.AudienceRequest
	part func(*audienceHandler) (reply, error)
}

// audienceParams takes "index" and "q".
func audienceParams(p *params) api.AudienceRequest {
	return api.AudienceRequest{Index: p.required("index"), Query: p.required("q")}
}

// leastParam takes "least".
func leastParam(p *params) uint64 {
	text, ok := p.optional("least")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		p.fail(invalid("parameter \"least\" is %s, want 1 or more", quote(text)))
	}
	return n
}

func decodeAudience(c call) (api.AudienceRequest, error) {
	p := parseParams(c.query)
	req := audienceParams(p)
	return req, p.finish()
}

func decodeWords(c call) (partRequest, error) {
	p := parseParams(c.query)
	req, words := partRequest{AudienceRequest: audienceParams(p)}, api.WordsRequest{Field: p.required("field")}
	words.Limit, _ = p.limit()
	words.Least = leastParam(p)
	req.part = func(a *audienceHandler) (reply, error) { return a.words(words) }
	return req, p.finish()
}

func decodeValues(c call) (partRequest, error) {
	p := parseParams(c.query)
	req, values := partRequest{AudienceRequest: audienceParams(p)}, api.ValuesRequest{Field: p.required("field")}
	by, given := p.optional("by")
	if given && by == "" || !rankedBy(by) {
		p.fail(invalid("parameter \"by\" is %s, want count or lift", quote(by)))
	}
	values.By = by
	values.Limit, _ = p.limit()
	values.Least, values.Cursor = leastParam(p), p.cursor()
	req.part = func(a *audienceHandler) (reply, error) { return a.values(values) }
	return req, p.finish()
}

// rankedBy reports whether values may be ranked so.
func rankedBy(by string) bool { return by == "" || by == "count" || by == "lift" }

func decodeDemographics(c call) (partRequest, error) {
	p := parseParams(c.query)
	req, asked := partRequest{AudienceRequest: audienceParams(p)}, api.DemographicsRequest{Fields: p.all("field")}
	for _, text := range p.all("cross") {
		asked.Crosses = append(asked.Crosses, strings.Split(text, ","))
	}
	asked.Limit, _ = p.limit()
	if err := checkDemographics(&asked); err != nil {
		p.fail(err)
	}
	req.part = func(a *audienceHandler) (reply, error) { return a.demographics(asked) }
	return req, p.finish()
}

func decodeCompare(c call) (partRequest, error) {
	p := parseParams(c.query)
	req, asked := partRequest{AudienceRequest: audienceParams(p)}, api.CompareRequest{With: api.AppendString(nil,
		p.required("with")), Fields: p.all("field")}
	asked.Limit, _ = p.limit()
	asked.Least = leastParam(p)
	if len(asked.Fields) > api.MaxFields {
		p.fail(invalid("parameter \"field\" is given %d times, want at most %d", len(asked.Fields), api.MaxFields))
	}
	req.part = func(a *audienceHandler) (reply, error) { return a.compare(asked) }
	return req, p.finish()
}

func decodeOverlap(c call) (api.OverlapRequest, error) {
	p := parseParams(c.query)
	req := api.OverlapRequest{Index: p.required("index"), Queries: p.all("q")}
	if n := len(req.Queries); n < 2 || n > api.MaxSets {
		p.fail(invalid("parameter \"q\" is given %d times, want 2 to %d", n, api.MaxSets))
	}
	return req, p.finish()
}

// checkDemographics checks what is asked, and sets its default.
func checkDemographics(req *api.DemographicsRequest) error {
	switch n, k := len(req.Fields), len(req.Crosses); {
	case n == 0 && k == 0:
		return invalid("\"field\" and \"cross\" are both missing, want one of them")
	case n > api.MaxFields || k > api.MaxFields:
		return invalid("got %d fields and %d cross-tabs, want at most %d of each", n, k, api.MaxFields)
	}
	for _, fields := range req.Crosses {
		if n := len(fields); n < 2 || n > api.MaxCrossed {
			return invalid("a cross-tab has %d fields, want 2 to %d", n, api.MaxCrossed)
		}
	}
	return checkLimit(&req.Limit)
}

func decodeReport(c call) (api.ReportRequest, error) {
	req, err := decodeBody[api.ReportRequest](c)
	if err == nil {
		err = checkAsked(req.Index, req.Query != nil)
	}
	if err == nil {
		err = checkReport(&req)
	}
	return req, err
}

// checkReport checks the parts of a report, and sets their defaults.
func checkReport(req *api.ReportRequest) error {
	if n, k := len(req.Words), len(req.Values); n > api.MaxFields || k > api.MaxFields {
		return invalid("got %d \"words\" and %d \"values\", want at most %d of each", n, k, api.MaxFields)
	}
	if n := len(req.Overlap); n >= api.MaxSets {
		return invalid("\"overlap\" has %d queries, want at most %d", n, api.MaxSets-1)
	}
	for i := range req.Words {
		if err := checkField(req.Words[i].Field, &req.Words[i].Limit); err != nil {
			return err
		}
	}
	for i := range req.Values {
		v := &req.Values[i]
		if !rankedBy(v.By) {
			return invalid("\"by\" is %s, want count or lift", quote(v.By))
		}
		if err := checkField(v.Field, &v.Limit); err != nil {
			return err
		}
	}
	if req.Demographics != nil {
		if err := checkDemographics(req.Demographics); err != nil {
			return err
		}
	}
	if c := req.Compare; c != nil {
		switch {
		case c.With == nil:
			return invalid("\"with\" is missing")
		case len(c.Fields) > api.MaxFields:
			return invalid("\"compare\" has %d fields, want at most %d", len(c.Fields), api.MaxFields)
		}
		return checkLimit(&c.Limit)
	}
	return nil
}

func checkField(field string, limit *int) error {
	if field == "" {
		return invalid("\"field\" is missing or empty")
	}
	return checkLimit(limit)
}

func decodeSaveAudience(c call) (api.SaveAudienceRequest, error) {
	req, err := decodeBody[api.SaveAudienceRequest](c)
	if err == nil {
		err = checkAsked(req.Index, req.Query != nil)
	}
	if err == nil && req.Name == "" {
		err = invalid("\"name\" is missing or empty")
	}
	return req, err
}

func decodeForgetAudience(c call) (api.ForgetAudienceRequest, error) {
	req, err := decodeBody[api.ForgetAudienceRequest](c)
	if err == nil && (req.Index == "" || req.Name == "") {
		err = invalid("\"index\" or \"name\" is missing or empty")
	}
	return req, err
}
