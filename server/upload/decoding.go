// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// Decoded returns a reader of a body without its content coding: "", identity, gzip or zstd. Its
// memory does not grow with the body. close ends it. Errors: api.CodeUnsupportedMedia.
func Decoded(body io.Reader, coding string) (r io.Reader, close func(), err error) {
	switch strings.ToLower(strings.TrimSpace(coding)) {
	case "", "identity":
		return body, func() {}, nil
	case "gzip", "x-gzip":
		return &gunzip{from: body}, func() {}, nil
	case "zstd":
		z, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return nil, nil, &api.Error{Code: api.CodeUnsupportedMedia, Message: "Content-Encoding is " + call.Quote(coding) +
		", want gzip, zstd or none"}
}

// gunzip reads a body of gzip, whose head it reads with the first byte.
type gunzip struct {
	from io.Reader
	*gzip.Reader
}

// Read reads.
func (g *gunzip) Read(p []byte) (int, error) {
	if g.Reader == nil {
		r, err := gzip.NewReader(g.from)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // an empty body is no gzip
		}
		if err != nil {
			return 0, err
		}
		g.Reader = r
	}
	return g.Reader.Read(p)
}
