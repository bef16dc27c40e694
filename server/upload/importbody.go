// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// Bounds of the bad lines that the answer to an import lists.
const (
	MaxBadLines = graph.DefaultKeepBad // bad lines that are described one by one
	maxBadLine  = 1000                 // bytes of what is wrong with one
	maxFileName = 255                  // bytes of the name of a part
)

// PartsMedia is the media type of several texts.
const PartsMedia = "multipart/mixed"

// Uploads are the bodies that are imported, one at a time.
type Uploads struct{ Turn Exclusive }

// Receive has do import what a body of one of some media types, or of parts, brings: all of it or
// nothing. Its time is that of the client, who must go on sending; one import is under way at a
// time.
func (u *Uploads) Receive(c *call.Request, media []string, do func(context.Context, *ImportBody) (call.Reply,
	error)) (answer call.Reply,
	err error) {
	in, err := newImportBody(c, media)
	if err != nil {
		return nil, err
	}
	defer in.end()
	defer in.body.close()
	defer func() {
		if err != nil {
			in.body.drain()
		}
	}()
	ctx, end, err := u.Turn.Begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer end()
	defer context.AfterFunc(ctx, in.body.interrupt)() // who waits for bytes does not look at ctx
	answer, err = do(ctx, in)
	if err != nil && ctx.Err() != nil {
		err = &api.Error{Code: api.CodeUnavailable, Message: "the server is being stopped; nothing was imported"}
	}
	return answer, err
}

// Relay has do send the body of a call on while it arrives. A server that stops ends it. taken
// tells that all of the body was wanted.
func Relay(ctx context.Context, c *call.Request, do func(context.Context, io.Reader) (taken bool, err error)) error {
	body := &patientBody{transport: c.Transport, length: c.Length}
	defer body.close()
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if stopping, ok := ctx.Value(call.StoppingKey{}).(context.Context); ok {
		defer context.AfterFunc(stopping, func() { cancel(); body.interrupt() })()
	}
	taken, err := do(sending, body)
	if err != nil && sending.Err() != nil {
		return &api.Error{Code: api.CodeUnavailable,
			Message: "the server is being stopped; the copy that leads may have done the import all the same"}
	}
	if err != nil {
		err = (&ImportBody{body: body}).Broken(err)
	}
	if err != nil || !taken {
		body.drain()
	}
	return err
}

// ImportBody reads the texts of an import, such as edge lists, while they arrive. The body may be
// far larger than memory.
type ImportBody struct {
	body  *patientBody
	plain io.Reader         // body, without its Content-Encoding
	end   func()            // of plain
	coded *codedBody        // plain; nil: without a Content-Encoding
	parts *multipart.Reader // nil: the body is the only text
	ahead *ImportText       // what next returns again
	done  bool              // there are no more
	media string            // of the body
	name  string            // of the text that next returned last
}

// codedBody notes why a body could not be decoded.
type codedBody struct {
	io.Reader
	coding string
	err    error
}

// Read reads.
func (b *codedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// ImportText is one of the texts of an import.
type ImportText struct {
	io.Reader
	Name  string // what to say before its bad lines
	Media string // of the body, or of a part that says so
}

// newImportBody begins to read a body. A page in a browser can send none of these types to a server
// that it does not come from.
func newImportBody(c *call.Request, want []string) (*ImportBody, error) {
	media, params, err := mime.ParseMediaType(c.ContentType)
	b := &ImportBody{media: media, body: &patientBody{transport: c.Transport, length: c.Length}}
	var coding error
	b.plain, b.end, coding = Decoded(b.body, c.Encoding)
	if c.Encoding != "" {
		b.coded = &codedBody{Reader: b.plain, coding: c.Encoding}
		b.plain = b.coded
	}
	switch {
	case coding != nil:
		return nil, coding
	case err == nil && media == PartsMedia && params["boundary"] != "":
		b.parts = multipart.NewReader(b.plain, params["boundary"])
	case err != nil || !slices.Contains(want, media):
		return nil, &api.Error{Code: api.CodeUnsupportedMedia,
			Message: fmt.Sprintf("Content-Type is %s, want one of %q, or %s with a boundary", call.Quote(c.ContentType),
				want, PartsMedia)}
	case c.Length < 0:
		// The end of a text does not show; that of parts does.
		return nil,
			call.Invalid("the header has no Content-Length, want it with a single text, so that one that breaks "+
				"off is not taken for a whole one; or send %s", PartsMedia)
	}
	return b, nil
}

// Next returns the next text. io.EOF: there is none.
func (b *ImportBody) Next() (text ImportText, err error) {
	defer func() { b.name = text.Name }()
	if b.ahead != nil {
		text, b.ahead = *b.ahead, nil
		return text, nil
	}
	if b.done {
		return text, io.EOF
	}
	if b.parts == nil {
		b.done = true
		return ImportText{Reader: b.plain, Media: b.media}, nil
	}
	part, err := b.parts.NextRawPart()
	if err == nil {
		text.Reader = part
		text.Media, _, _ = mime.ParseMediaType(part.Header.Get("Content-Type"))
		if file := part.FileName(); file != "" {
			text.Name = file[:min(len(file), maxFileName)] + ": "
		}
		return text, nil
	}
	if b.done = err == io.EOF; b.done {
		return text, err
	}
	if _, failed := b.body.progress(); failed == nil {
		err = call.Invalid("body is no %s: %s; nothing was imported", PartsMedia, err)
	}
	return text, err
}

// Unread has Next return a text again. Nothing of it may have been read.
func (b *ImportBody) Unread(text ImportText) { b.ahead = &text }

// Broken returns the error of an import whose body could not be read to its end: the body's own, if
// it has one.
func (b *ImportBody) Broken(err error) error {
	read, failed := b.body.progress()
	switch {
	case failed == errSlow:
		return call.Invalid(
			"less than %d bytes came in the %v in which they were waited for, after %d bytes; nothing was imported",
			leastBytes, leastTime, read)
	case IsTimeout(failed):
		return call.Invalid("nothing came for %v after %d bytes; nothing was imported", ReadTimeout, read)
	case failed != nil:
		return call.Invalid("body broke off after %d bytes; nothing was imported", read)
	case b.coded != nil && b.coded.err != nil:
		return call.Invalid("body is no %s, or broke off: %s; nothing was imported", b.coded.coding, b.coded.err)
	case errors.Is(err, graph.ErrEncoding), errors.Is(err, graph.ErrHeader), errors.Is(err, catalog.ErrTable),
		errors.Is(err, audience.ErrTable), errors.Is(err, io.ErrUnexpectedEOF):
		return call.Invalid("%s; nothing was imported", Wrong(b.name, err))
	}
	return err
}

// Wrong returns what is wrong with a text of a name, in not too many words: errors tell of values,
// which may be long.
func Wrong(name string, err error) string {
	text := name + call.Public(err)
	if len(text) > maxBadLine {
		text = strings.ToValidUTF8(text[:maxBadLine], "") + "..."
	}
	return text
}
