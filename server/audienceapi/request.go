// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// partRequest is a call about one audience, with what is asked about it.
type partRequest struct {
	api.AudienceRequest
	part func(*question) (call.Reply, error)
}

// decodeParams takes "index" and "q".
func decodeParams(p *call.Params) api.AudienceRequest {
	return api.AudienceRequest{Index: p.Required("index"), Query: p.Required("q")}
}

// leastParam takes "least".
func leastParam(p *call.Params) uint64 {
	text, ok := p.Optional("least")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		p.Fail(call.Invalid("parameter \"least\" is %s, want 1 or more", call.Quote(text)))
	}
	return n
}

func decodeAudience(c call.Request) (api.AudienceRequest, error) {
	p := call.ParseParams(c.Query)
	req := decodeParams(p)
	return req, p.Finish()
}

func decodeWords(c call.Request) (partRequest, error) {
	p := call.ParseParams(c.Query)
	req, words := partRequest{AudienceRequest: decodeParams(p)}, api.WordsRequest{Field: p.Required("field")}
	words.Limit, _ = p.Limit()
	words.Least = leastParam(p)
	req.part = func(a *question) (call.Reply, error) { return a.words(words) }
	return req, p.Finish()
}

func decodeValues(c call.Request) (partRequest, error) {
	p := call.ParseParams(c.Query)
	req, values := partRequest{AudienceRequest: decodeParams(p)}, api.ValuesRequest{Field: p.Required("field")}
	by, given := p.Optional("by")
	if given && by == "" || !rankedBy(by) {
		p.Fail(call.Invalid("parameter \"by\" is %s, want count or lift", call.Quote(by)))
	}
	values.By = by
	values.Limit, _ = p.Limit()
	values.Least, values.Cursor = leastParam(p), p.Cursor()
	req.part = func(a *question) (call.Reply, error) { return a.values(values) }
	return req, p.Finish()
}

// rankedBy reports whether values may be ranked so.
func rankedBy(by string) bool { return by == "" || by == "count" || by == "lift" }

func decodeDemographics(c call.Request) (partRequest, error) {
	p := call.ParseParams(c.Query)
	req, asked := partRequest{AudienceRequest: decodeParams(p)}, api.DemographicsRequest{Fields: p.All("field")}
	for _, text := range p.All("cross") {
		asked.Crosses = append(asked.Crosses, strings.Split(text, ","))
	}
	asked.Limit, _ = p.Limit()
	if err := checkDemographics(&asked); err != nil {
		p.Fail(err)
	}
	req.part = func(a *question) (call.Reply, error) { return a.demographics(asked) }
	return req, p.Finish()
}

func decodeCompare(c call.Request) (partRequest, error) {
	p := call.ParseParams(c.Query)
	req, asked := partRequest{AudienceRequest: decodeParams(p)}, api.CompareRequest{With: api.AppendString(nil,
		p.Required("with")), Fields: p.All("field")}
	asked.Limit, _ = p.Limit()
	asked.Least = leastParam(p)
	if len(asked.Fields) > api.MaxFields {
		p.Fail(call.Invalid("parameter \"field\" is given %d times, want at most %d", len(asked.Fields), api.MaxFields))
	}
	req.part = func(a *question) (call.Reply, error) { return a.compare(asked) }
	return req, p.Finish()
}

func decodeOverlap(c call.Request) (api.OverlapRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.OverlapRequest{Index: p.Required("index"), Queries: p.All("q")}
	if n := len(req.Queries); n < 2 || n > api.MaxSets {
		p.Fail(call.Invalid("parameter \"q\" is given %d times, want 2 to %d", n, api.MaxSets))
	}
	return req, p.Finish()
}

// checkDemographics checks what is asked, and sets its default.
func checkDemographics(req *api.DemographicsRequest) error {
	switch n, k := len(req.Fields), len(req.Crosses); {
	case n == 0 && k == 0:
		return call.Invalid("\"field\" and \"cross\" are both missing, want one of them")
	case n > api.MaxFields || k > api.MaxFields:
		return call.Invalid("got %d fields and %d cross-tabs, want at most %d of each", n, k, api.MaxFields)
	}
	for _, fields := range req.Crosses {
		if n := len(fields); n < 2 || n > api.MaxCrossed {
			return call.Invalid("a cross-tab has %d fields, want 2 to %d", n, api.MaxCrossed)
		}
	}
	return call.CheckLimit(&req.Limit)
}

func decodeReport(c call.Request) (api.ReportRequest, error) {
	req, err := call.DecodeBody[api.ReportRequest](c)
	if err == nil {
		err = call.CheckAsked(req.Index, req.Query != nil)
	}
	if err == nil {
		err = checkReport(&req)
	}
	return req, err
}

// checkReport checks the parts of a report, and sets their defaults.
func checkReport(req *api.ReportRequest) error {
	if n, k := len(req.Words), len(req.Values); n > api.MaxFields || k > api.MaxFields {
		return call.Invalid("got %d \"words\" and %d \"values\", want at most %d of each", n, k, api.MaxFields)
	}
	if n := len(req.Overlap); n >= api.MaxSets {
		return call.Invalid("\"overlap\" has %d queries, want at most %d", n, api.MaxSets-1)
	}
	for i := range req.Words {
		if err := checkField(req.Words[i].Field, &req.Words[i].Limit); err != nil {
			return err
		}
	}
	for i := range req.Values {
		v := &req.Values[i]
		if !rankedBy(v.By) {
			return call.Invalid("\"by\" is %s, want count or lift", call.Quote(v.By))
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
			return call.Invalid("\"with\" is missing")
		case len(c.Fields) > api.MaxFields:
			return call.Invalid("\"compare\" has %d fields, want at most %d", len(c.Fields), api.MaxFields)
		}
		return call.CheckLimit(&c.Limit)
	}
	return nil
}

func checkField(field string, limit *int) error {
	if field == "" {
		return call.Invalid("\"field\" is missing or empty")
	}
	return call.CheckLimit(limit)
}

func decodeSaveAudience(c call.Request) (api.SaveAudienceRequest, error) {
	req, err := call.DecodeBody[api.SaveAudienceRequest](c)
	if err == nil {
		err = call.CheckAsked(req.Index, req.Query != nil)
	}
	if err == nil && req.Name == "" {
		err = call.Invalid("\"name\" is missing or empty")
	}
	return req, err
}

func decodeForgetAudience(c call.Request) (api.ForgetAudienceRequest, error) {
	req, err := call.DecodeBody[api.ForgetAudienceRequest](c)
	if err == nil && (req.Index == "" || req.Name == "") {
		err = call.Invalid("\"index\" or \"name\" is missing or empty")
	}
	return req, err
}
