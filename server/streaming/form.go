// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming

import (
	"strings"

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

// Accepted returns the form that a request asks for: the first one of its field Accept that there
// is.
func Accepted(c *call.Request) Form {
	if c.Transport == nil {
		return Form{}
	}
	for part := range strings.SplitSeq(c.Transport.Header("Accept"), ",") {
		name, params, _ := strings.Cut(part, ";")
		if q, weighed := strings.CutPrefix(strings.TrimSpace(params), "q="); weighed && strings.Trim(q, "0.") == "" {
			continue // q=0: the client does not want it
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if table, ok := export.OfMedia(name); ok {
			return Form{name, table}
		}
		switch name {
		case NDJSON:
			return Form{media: name}
		case call.ContentJSON, "application/*", "*/*":
			return Form{}
		}
	}
	return Form{}
}
