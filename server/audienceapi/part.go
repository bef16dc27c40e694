// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"encoding/json"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/server/call"
)

// words answers with a word cloud.
func (a *question) words(req api.WordsRequest) (api.WordsReply, error) {
	if err := a.grow(2 * req.Limit); err != nil {
		return api.WordsReply{}, err
	}
	cloud, err := a.of.Words(a.ctx, req.Field, audience.WordOptions{Limit: req.Limit, Least: req.Least})
	return api.WordsReply{Field: req.Field, Common: a.valuesOf(cloud.Common), Typical: a.valuesOf(cloud.Typical)}, err
}

// values answers with a page of values.
func (a *question) values(req api.ValuesRequest) (api.ValuesReply, error) {
	o := audience.ValueOptions{By: uproar.Measure(req.By), Limit: req.Limit, Least: req.Least}
	of := req
	of.Limit, of.Cursor = 0, ""
	text, _ := json.Marshal(of) // which has been text
	asked := call.Question(a.asked + string(text))
	var err error
	if o.After, err = call.AfterRanked(req.Cursor, asked); err != nil {
		return api.ValuesReply{}, err
	}
	if err := a.grow(req.Limit); err != nil {
		return api.ValuesReply{}, err
	}
	list, more, err := a.of.Values(a.ctx, req.Field, o)
	r := api.ValuesReply{Field: req.Field, Values: a.valuesOf(list)}
	if more {
		r.Cursor = call.BehindRanked(*list[len(list)-1].Place(o.By), asked)
	}
	return r, err
}

// demographics answers how values are spread.
func (a *question) demographics(req api.DemographicsRequest) (api.DemographicsReply, error) {
	if err := a.grow((len(req.Fields) + len(req.Crosses)) * req.Limit); err != nil {
		return api.DemographicsReply{}, err
	}
	d, err := a.of.Demographics(a.ctx, audience.Aspects{Fields: req.Fields, Crosses: req.Crosses, Limit: req.Limit})
	r := api.DemographicsReply{Records: d.Records}
	for _, f := range d.Fields {
		x := api.Distribution{Field: f.Field, With: f.With, More: f.More}
		if f.Values != nil {
			x.Values = a.valuesOf(f.Values)
		}
		if f.Figures != nil {
			x.Figures = figuresOf(f.Figures)
		}
		r.Fields = append(r.Fields, x)
	}
	for _, c := range d.Crosses {
		x := api.CrossTab{Fields: c.Fields, Cells: []api.Cell{}, More: c.More}
		for _, cell := range c.Cells {
			x.Cells = append(x.Cells, api.Cell(cell))
		}
		r.Crosses = append(r.Crosses, x)
	}
	return r, err
}

// integersOf returns what the integers of a field amount to, nil of none.
func (a *question) integersOf(d *audience.Distribution) *api.Distribution {
	if d == nil {
		return nil
	}
	x := &api.Distribution{Field: d.Field, With: d.With}
	if d.Figures != nil {
		x.Figures = figuresOf(d.Figures)
	}
	return x
}

func figuresOf(f *audience.Figures) *api.Figures {
	text := func(s string) json.RawMessage {
		if f.Format != uproar.Number {
			return api.AppendString(nil, s)
		}
		return json.RawMessage(s)
	}
	x := &api.Figures{Min: text(f.Min), Max: text(f.Max)}
	if f.Format == uproar.Number {
		x.Mean = &f.Mean
	}
	for _, q := range f.Quartiles {
		x.Quartiles = append(x.Quartiles, text(q))
	}
	return x
}

// compare answers how another audience differs.
func (a *question) compare(req api.CompareRequest) (api.CompareReply, error) {
	other, err := a.find(req.With)
	if err != nil {
		return api.CompareReply{}, err
	}
	if err := a.grow(2 * len(req.Fields) * req.Limit); err != nil {
		return api.CompareReply{}, err
	}
	c, err := a.of.Compare(a.ctx, other, audience.CompareOptions{Fields: req.Fields, Limit: req.Limit,
		Least: req.Least})
	r := api.CompareReply{Records: c.Records, Other: c.Other, Both: c.Both, Either: c.Either, Jaccard: c.Jaccard}
	for _, f := range c.Fields {
		r.Fields = append(r.Fields, api.Contrast{Field: f.Field, More: a.differencesOf(f.More),
			Less: a.differencesOf(f.Less), Here: a.integersOf(f.Here), There: a.integersOf(f.There)})
	}
	return r, err
}

// valuesOf returns values as they are sent; of none an empty list.
func (a *question) valuesOf(list []audience.Value) []api.Value {
	out := make([]api.Value, len(list))
	for i, v := range list {
		a.bytes += call.EntryBytes + len(v.Key)
		out[i] = api.Value{Key: v.Key, Count: v.Count, Share: v.Share, Total: v.Total, Lift: v.Lift}
	}
	return out
}

func (a *question) differencesOf(list []audience.Difference) []api.Difference {
	out := make([]api.Difference, len(list))
	for i, d := range list {
		a.bytes += call.EntryBytes + len(d.Key)
		out[i] = api.Difference(d)
	}
	return out
}
