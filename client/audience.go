// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
)

// Audience asks about the records of an index that a query matches. It is a value that nothing was
// asked about yet.
type Audience struct {
	c        *Client
	index, q string
}

// Audience returns an audience: the records of an index that a query matches. In the query
// saved(name) may be an audience that follows the data.
func (c *Client) Audience(index, q string) Audience { return Audience{c, index, q} }

// values returns the parameters of a call about the audience. Empty ones are left out, and so is a
// number of 0.
func (a Audience) values(strings map[string]string, numbers map[string]uint64) url.Values {
	v := url.Values{"index": {a.index}, "q": {a.q}}
	for name, value := range strings {
		if value != "" {
			v.Set(name, value)
		}
	}
	for name, value := range numbers {
		if value != 0 {
			v.Set(name, strconv.FormatUint(value, 10))
		}
	}
	return v
}

// Size returns how many records the audience has, and which share that is.
func (a Audience) Size(ctx context.Context) (reply api.SizeReply, err error) {
	err = a.c.get(ctx, "/v1/audience/size", a.values(nil, nil), &reply)
	return reply, err
}

// Words returns the most frequent and the most typical values of a field.
func (a Audience) Words(ctx context.Context, req api.WordsRequest) (reply api.WordsReply, err error) {
	err = a.c.get(ctx, "/v1/audience/words", a.values(map[string]string{"field": req.Field},
		map[string]uint64{"limit": uint64(req.Limit), "least": req.Least}), &reply)
	return reply, err
}

// Values returns the values of a field, page by page.
func (a Audience) Values(ctx context.Context, req api.ValuesRequest) (reply api.ValuesReply, err error) {
	err = a.c.get(ctx, "/v1/audience/values", a.values(map[string]string{"field": req.Field, "by": req.By,
		"cursor": req.Cursor},
		map[string]uint64{"limit": uint64(req.Limit), "least": req.Least}), &reply)
	return reply, err
}

// Demographics returns how the values of fields are spread over the audience, alone and in
// cross-tabs.
func (a Audience) Demographics(ctx context.Context, req api.DemographicsRequest) (reply api.DemographicsReply,
	err error) {
	v := a.values(nil, map[string]uint64{"limit": uint64(req.Limit)})
	v["field"] = req.Fields
	for _, fields := range req.Crosses {
		v.Add("cross", strings.Join(fields, ","))
	}
	err = a.c.get(ctx, "/v1/audience/demographics", v, &reply)
	return reply, err
}

// Compare returns how the audience of another query differs. With is that query, such as Text makes
// of one in the query language.
func (a Audience) Compare(ctx context.Context, req api.CompareRequest) (reply api.CompareReply, err error) {
	var all api.ReportReply
	if all, err = a.Report(ctx, api.ReportRequest{Compare: &req}); err == nil && all.Compare != nil {
		reply = *all.Compare
	}
	return reply, err
}

// Report returns several answers about the audience, which is evaluated once. Index and Query of
// the request are those of the audience.
func (a Audience) Report(ctx context.Context, req api.ReportRequest) (reply api.ReportReply, err error) {
	req.Index, req.Query = a.index, Text(a.q)
	err = a.c.post(ctx, "/v1/audience/report", req, &reply, false)
	return reply, err
}

// Save saves the audience under a name: its records as they are now, or, if it follows the data,
// its query. It returns how many records it has.
func (a Audience) Save(ctx context.Context, name string, follows bool) (uint64, error) {
	var reply api.CountReply
	err := a.c.post(ctx, "/v1/audience/save", api.SaveAudienceRequest{Index: a.index, Name: name, Query: Text(a.q),
		Follows: follows}, &reply, true)
	return reply.Count, err
}

// Overlap returns what each two of 2 to api.MaxSets audiences have in common.
func (c *Client) Overlap(ctx context.Context, index string, queries ...string) ([][]uint64, error) {
	var reply api.OverlapReply
	err := c.get(ctx, "/v1/audience/overlap", url.Values{"index": {index}, "q": queries}, &reply)
	return reply.Matrix, err
}

// SavedAudiences returns the saved audiences of an index, by name.
func (c *Client) SavedAudiences(ctx context.Context, index string) ([]api.SavedAudience, error) {
	var reply api.SavedReply
	err := c.get(ctx, "/v1/audience/saved", url.Values{"index": {index}}, &reply)
	return reply.Audiences, err
}

// ForgetAudience deletes a saved audience.
func (c *Client) ForgetAudience(ctx context.Context, index, name string) error {
	return c.post(ctx, "/v1/audience/forget", api.ForgetAudienceRequest{Index: index, Name: name}, new(json.RawMessage),
		true)
}
