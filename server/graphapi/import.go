// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"
	"errors"
	"io"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// importPath is where edge lists are sent to.
const importPath = "/v1/graph/import"

// importMedia are the media types of one edge list.
var importMedia = []string{"application/octet-stream", "application/gzip", "application/zstd", "application/x-bzip2",
	"application/x-ndjson", "text/csv", "text/tab-separated-values"}

var (
	importSeparators = map[string]graph.Separator{"": graph.Detect, "detect": graph.Detect, "comma": graph.Comma,
		"semicolon": graph.Semicolon, "tab": graph.Tab, "pipe": graph.Pipe, "spaces": graph.Spaces,
		"json": graph.Objects}
	importHeaders = map[string]graph.HeaderUse{"": graph.DetectHeader, "detect": graph.DetectHeader,
		"yes": graph.WithHeader, "no": graph.NoHeader}
)

// decodeImport reads the parameters of an import.
func decodeImport(query string) (opts graph.ImportOptions, err error) {
	p := call.ParseParams(query)
	separator, _ := p.Optional("separator")
	header, _ := p.Optional("header")
	opts.Strict, opts.Cluster = p.Flag("strict"), p.Flag("cluster")
	if most, ok := p.Share("bad"); ok {
		if opts.MaxBad = most; most == 0 {
			opts.MaxBad = -1 // none, and not the default
		}
	}
	var known bool
	if opts.EdgeList.Separator, known = importSeparators[separator]; !known {
		p.Fail(call.Invalid("parameter \"separator\" is %s, want detect, comma, semicolon, tab, pipe, spaces or json",
			call.Quote(separator)))
	}
	if opts.EdgeList.Header, known = importHeaders[header]; !known {
		p.Fail(call.Invalid("parameter \"header\" is %s, want detect, yes or no", call.Quote(header)))
	}
	return opts, p.Finish()
}

// importEdges adds the follows of edge lists to the graph, all of them or none.
func (h *Handlers) importEdges(_ context.Context, c call.Request) (call.Reply, error) {
	opts, err := decodeImport(c.Query)
	if err != nil {
		return nil, err
	}
	return h.uploads.Receive(&c, importMedia, func(ctx context.Context, in *upload.ImportBody) (call.Reply, error) {
		h.imports.Add(1)
		defer h.imports.Add(-1)
		g, err := h.writing(ctx)
		if err != nil {
			return nil, err
		}
		im, err := g.BeginImport(ctx, opts)
		if err != nil {
			return nil, unfinished(err)
		}
		defer im.Abort()
		sum, err := readEdges(im, in)
		if err != nil {
			return nil, err
		}
		err = im.Commit()
		if errors.Is(err, graph.ErrTooManyBad) {
			err = call.Invalid("%s; nothing was imported; parameter \"bad\" says what share may be left out",
				upload.Wrong("", err))
		}
		return sum, err
	})
}

// readEdges reads the edge lists of a body.
func readEdges(im *graph.Import, in *upload.ImportBody) (sum api.ImportReply, err error) {
	for {
		list, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return sum, in.Broken(err)
		}
		report, err := im.Read(list)
		for _, bad := range report.Bad {
			sum.BadLines = append(sum.BadLines, upload.Wrong(list.Name, bad))
		}
		if report.Header != "" && len(sum.Headers) < upload.MaxBadLines {
			sum.Headers = append(sum.Headers, upload.Wrong(list.Name, errors.New(report.Header)))
		}
		sum.Lines, sum.Follows, sum.Bad = sum.Lines+report.Lines, sum.Follows+report.Follows, sum.Bad+report.BadLines
		if bad, ok := errors.AsType[*graph.LineError](err); ok {
			return sum, call.Invalid("%s; nothing was imported", upload.Wrong(list.Name, bad))
		}
		if err != nil {
			return sum, in.Broken(err)
		}
	}
	return sum, nil
}
