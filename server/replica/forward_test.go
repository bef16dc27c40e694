// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package replica

import (
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server/call"
)

// sent is a request with these fields.
type sent struct {
	call.Carrier
	fields [][2]string
}

func (s sent) Header(name string) string {
	var all []string
	for field, value := range s.Fields() {
		if strings.EqualFold(field, name) {
			all = append(all, value)
		}
	}
	return strings.Join(all, ", ")
}

func (s sent) Fields() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, f := range s.fields {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

// TestPassFields: fields of the caller go on, those of the connection and of browsers do not.
func TestPassFields(t *testing.T) {
	req := &call.Request{Transport: sent{fields: [][2]string{{"authorization", "Bearer x"},
		{"Content-Type", "text/csv"},
		{"Connection", "close, x-hop"}, {"X-Hop", "1"}, {"X-Trace", "7"}, {"X-Trace", "8"}, {"Host", "here"},
		{"Content-Length", "12"}, {"Origin", "http://page"}, {"Sec-Fetch-Site", "cross-site"}, {"Cookie", "c"},
		{"Content-Encoding", "gzip"}, {"Accept-Encoding", "zstd"}, {"Transfer-Encoding", "chunked"},
		{"Uproar-Max-Age", "5"}, {"Expect", "100-continue"}}}}
	for coded, want := range map[bool]string{
		false: "Authorization Content-Type Uproar-Max-Age X-Trace",
		true:  "Authorization Content-Encoding Content-Type Uproar-Max-Age X-Trace",
	} {
		to := make(http.Header)
		passFields(to, req, coded)
		if got := strings.Join(slices.Sorted(maps.Keys(to)), " "); got != want ||
			!slices.Equal(to["X-Trace"], []string{"7", "8"}) {
			t.Errorf("coded %v: got %v, want %s", coded, to, want)
		}
	}
	passFields(make(http.Header), new(call.Request), false) // a call that came in no request
}
