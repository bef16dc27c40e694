// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming

import (
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/call"
)

// NDJSON is the media type of JSON objects, each on a line.
const NDJSON = "application/x-ndjson"

// Media are the media types in which answers are streamed.
var Media = []string{NDJSON, export.CSV.Media(), export.TSV.Media(), export.Parquet.Media(),
	export.Arrow.Media()}

// Form is the form of an answer. The zero value is JSON, which is not streamed.
type Form struct {
	media string
	table export.Format // "": lines of JSON
}

// IsJSON reports whether the answer is one JSON text.
func (f Form) IsJSON() bool { return f.media == "" }

// Accepted returns the form that a request asks for in its field Accept, as RFC 9110 says: of those
// that there are the one of the greatest weight; of equal ones that which is named first, and JSON
// before others that are meant by one range. A request without the field wants JSON. Errors:
// api.CodeNotAcceptable.
func Accepted(c *call.Request) (Form, error) {
	var accept string
	if c.Transport != nil {
		accept = c.Transport.Header("Accept")
	}
	if strings.TrimSpace(accept) == "" {
		return Form{}, nil
	}
	var ranges []mediaRange
	for part := range strings.SplitSeq(accept, ",") {
		if r := parseRange(part); r.name != "" {
			ranges = append(ranges, r)
		}
	}
	best, first, chosen := 0.0, len(ranges), ""
	for _, media := range append([]string{call.ContentJSON}, Media...) {
		at, exact := -1, 0
		for i, r := range ranges {
			if n := r.covers(media); n > exact {
				at, exact = i, n
			}
		}
		if at >= 0 && (ranges[at].weight > best || ranges[at].weight == best && best > 0 && at < first) {
			best, first, chosen = ranges[at].weight, at, media
		}
	}
	switch chosen {
	case "":
		return Form{}, &api.Error{Code: api.CodeNotAcceptable, Message: "Accept is " + call.Quote(accept) + ", want " +
			call.ContentJSON + " or one of " + strings.Join(Media, ", ")}
	case call.ContentJSON:
		return Form{}, nil
	}
	table, _ := export.OfMedia(chosen)
	return Form{chosen, table}, nil
}

// mediaRange is one of a field Accept.
type mediaRange struct {
	name   string  // such as text/csv, text/* or */*
	weight float64 // 0: it is not wanted
}

// parseRange reads a range. What is no weight counts as 1.
func parseRange(text string) mediaRange {
	name, params, _ := strings.Cut(text, ";")
	r := mediaRange{strings.ToLower(strings.TrimSpace(name)), 1}
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		if q, err := strconv.ParseFloat(value, 64); err == nil && q >= 0 && q <= 1 {
			r.weight = q
		}
	}
	return r
}

// covers returns how exactly the range means a media type; 0: it does not.
func (r *mediaRange) covers(media string) int {
	kind, _, _ := strings.Cut(media, "/")
	switch r.name {
	case media:
		return 3
	case kind + "/*":
		return 2
	case "*/*":
		return 1
	}
	return 0
}
