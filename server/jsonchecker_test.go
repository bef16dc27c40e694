// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

func TestStrictBodies(t *testing.T) {
	type part struct {
		Account string `json:"account"`
	}
	type body struct {
		Q     string                       `json:"q"`
		Limit int                          `json:"limit,omitempty"`
		Parts []part                       `json:"parts"`
		Free  []map[string]part            `json:"free"`
		IDs   []uint64                     `json:"ids"`
		Raw   []map[string]json.RawMessage `json:"raw"`
	}
	for _, c := range []struct {
		text string
		at   int // of the error; -1: none
	}{
		{`{"q": "a"}`, -1},
		{`{"q": "q", "parts": [{"account": "q"}, {"account": "limit"}], "limit": 1}`, -1},
		{`{"q": "a", "q": "b"}`, 11},
		{`{"parts": [{"account": "a"}, {"account": "a", "account": "b"}]}`, 46},
		{`{"Q": "a"}`, 1},
		{`{"q": "a", "LIMIT": 1}`, 11},
		{`{"parts": [{"Account": "a"}]}`, 12},
		{`{"q": "\ud83d\ude00"}`, -1},
		{`{"q": "\\ud83d"}`, -1},
		{`{"q": "\\\ud83d"}`, 9},
		{`{"q": "\ud83d"}`, 7},
		{`{"q": "\ud83dx"}`, 7},
		{`{"q": "\ude00\ud83d"}`, 7},
		{`{"q": "\ud83d\ud83d\ude00"}`, 7},
		{`{"q": "\uD83D\uDE00\uDE00"}`, 19},
		{`{}`, -1},
		{`{"q": "a", "limit": "many"}`, 20},
		{`{"q": 5}`, 6},
		{`{"parts": [{"account": "a"}, {"account": 17}]}`, 41},
		{`{"parts": {"account": "a"}}`, 10},
		{`{"free": [{"any": {"account": "free"}, "free": {"account": "a"}}, {"any": {}}], "q": "a"}`, -1},
		{`{"free": [{"any": {}, "any": {}}]}`, 22},
		{`{"free": [{"free": {"Account": "a"}}]}`, 20},
		{`{"free": [{"any": {}}], "one": {}}`, 24},
		{`{"raw": [{"any": {"one": {"two": [{"limit": 0}]}, "limit": 0}}]}`, -1},
		{`{"raw": [{"any": [{"one": 1, "one": 2}]}]}`, 29},
		{`{"raw": [{"any": {}}], "one": {}}`, 23},
		{`{"limit": 0}`, 10},
		{`{"ids": null, "q": null, "parts": [null]}`, -1},
		{`{"q": "null", "ids": [1, null]}`, 25},
		{`{"ids": [null]}`, 9},
		{`{"q": "limit", "limit":-0, "parts": []}`, 23},
		{`{"q": "limit", "parts": [{"account": "limit"}]}`, -1},
		{`{"limit": 0.0e5}`, 10},
		{`{"q": "}{][,:\"\\", "limit" : 1 , "q":"b"}`, 34},
		{`{"\u0071": "a", "q": "b"}`, 16},
		{`{"free": [{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{},"i":{},"j":{},"k":{},"l":{},"m":{},` +
			`"n":{},"o":{},"p":{},"q":{},"r":{}}, {"a":{}}]}`, -1},
		{`{"free": [{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{},"i":{},"j":{},"k":{},"l":{},"m":{},` +
			`"n":{},"o":{},"p":{},"q":{},"r":{},"d":{}}]}`, 137},
	} {
		_, err := call.DecodeBody[body](call.Request{ContentType: "application/json", Body: []byte(c.text)})
		var refused *api.Error
		switch {
		case c.at < 0 && err != nil:
			t.Errorf("%s: got %v, want it taken", c.text, err)
		case c.at >= 0 && (!errors.As(err, &refused) || refused.Offset == nil || *refused.Offset != c.at ||
			refused.Code != api.CodeInvalidRequest):
			t.Errorf("%s: got %v, want a refusal at byte %d", c.text, err, c.at)
		}
	}
}
