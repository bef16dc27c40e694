// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
)

// importPath is where edge lists are sent to. They may be far larger than memory, so that they are read while they arrive.
const importPath = "/v1/graph/import"

// maxFileName is how many bytes of the name of a list are told.
const maxFileName = 255

// importMedia are the media types of one edge list. A page in a browser can send none of them to a server that it does not come from.
var importMedia = []string{"application/octet-stream", "application/gzip", "application/x-ndjson", "text/csv", "text/tab-separated-values"}

// partsMedia is the media type of several edge lists.
const partsMedia = "multipart/mixed"

var (
	importSeparators = map[string]graph.Separator{"": graph.Detect, "detect": graph.Detect, "comma": graph.Comma, "tab": graph.Tab, "spaces": graph.Spaces, "json": graph.Objects}
	importHeaders    = map[string]graph.HeaderUse{"": graph.DetectHeader, "detect": graph.DetectHeader, "yes": graph.WithHeader, "no": graph.NoHeader}
)

// decodeImport reads the parameters of an import.
func decodeImport(query string) (opts graph.ImportOptions, err error) {
	p := parseParams(query)
	separator, _ := p.optional("separator")
	header, _ := p.optional("header")
	opts.Strict, opts.Cluster = p.flag("strict"), p.flag("cluster")
	var known bool
	if opts.EdgeList.Separator, known = importSeparators[separator]; !known {
		p.fail(invalid("parameter \"separator\" is %s, want detect, comma, tab, spaces or json", quote(separator)))
	}
	if opts.EdgeList.Header, known = importHeaders[header]; !known {
		p.fail(invalid("parameter \"header\" is %s, want detect, yes or no", quote(header)))
	}
	return opts, p.finish()
}

// importEdges adds the follows of edge lists to the graph, all of them or none. Its time is that of the client, who must go on sending.
func (s *Server) importEdges(_ context.Context, c call) (answer reply, err error) {
	opts, err := decodeImport(c.query)
	if err != nil {
		return nil, err
	}
	lists, err := importLists(&c)
	if err != nil {
		return nil, err
	}
	defer lists.body.close()
	defer func() {
		if err != nil {
			lists.body.drain()
		}
	}()
	ctx, end, err := s.imports.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer end()
	im, err := s.graph.BeginImport(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer im.Abort()
	var sum api.ImportReply
	for {
		name, list, err := lists.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, broken(lists.body, err)
		}
		report, err := im.Read(list)
		for _, bad := range report.Bad {
			sum.BadLines = append(sum.BadLines, name+public(bad))
		}
		sum.Lines, sum.Follows, sum.Bad = sum.Lines+report.Lines, sum.Follows+report.Follows, sum.Bad+report.BadLines
		if bad, ok := errors.AsType[*graph.LineError](err); ok {
			return nil, invalid("%s%s; nothing was imported", name, public(bad))
		}
		if err != nil {
			return nil, broken(lists.body, err)
		}
	}
	if sum.Follows == 0 && sum.Bad > 0 {
		return nil, invalid("no line is a follow; nothing was imported")
	}
	return sum, im.Commit()
}

// broken returns the error of an import whose body could not be read to its end: the body's own, if it has one.
func broken(body *patientBody, err error) error {
	read, failed := body.progress()
	switch {
	case isTimeout(failed):
		return invalid("nothing came for %v after %d bytes; nothing was imported", readTimeout, read)
	case failed != nil:
		return invalid("body broke off after %d bytes; nothing was imported", read)
	case errors.Is(err, graph.ErrEncoding), errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("%s; nothing was imported", public(err))
	}
	return err
}

// edgeLists are the edge lists of a body.
type edgeLists struct {
	body  *patientBody
	parts *multipart.Reader // nil: the body is the only one
	done  bool
}

// importLists begins to read the body of an import.
func importLists(c *call) (*edgeLists, error) {
	media, params, err := mime.ParseMediaType(c.contentType)
	l := &edgeLists{body: &patientBody{transport: c.transport, length: c.length}}
	switch {
	case c.encoding != "":
		return nil, &api.Error{Code: api.CodeUnsupportedMedia, Message: "Content-Encoding is " + quote(c.encoding) + ", want none: send what gzip wrote as it is"}
	case err == nil && media == partsMedia && params["boundary"] != "":
		l.parts = multipart.NewReader(l.body, params["boundary"])
	case err != nil || !slices.Contains(importMedia, media):
		return nil, &api.Error{Code: api.CodeUnsupportedMedia, Message: fmt.Sprintf("Content-Type is %s, want one of %q, or %s with a boundary", quote(c.contentType), importMedia, partsMedia)}
	case c.length < 0:
		// The end of a text does not show; that of parts does.
		return nil, invalid("the header has no Content-Length, want it with a single list, so that one that breaks off is not taken for a whole one; or send %s", partsMedia)
	}
	return l, nil
}

// next returns the next list and what to say before its bad lines. io.EOF: there is none.
func (l *edgeLists) next() (name string, list io.Reader, err error) {
	if l.parts == nil {
		if l.done {
			return "", nil, io.EOF
		}
		l.done = true
		return "", l.body, nil
	}
	part, err := l.parts.NextRawPart()
	if err == nil {
		l.done = true
		if file := part.FileName(); file != "" {
			name = file[:min(len(file), maxFileName)] + ": " // it stands before each bad line
		}
		return name, part, nil
	}
	if _, failed := l.body.progress(); err != io.EOF && failed == nil {
		err = invalid("body is no %s: %s; nothing was imported", partsMedia, err)
	}
	return "", nil, err
}
