// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
)

// send has a server import the sources, which go on being sent while it reads them.
func (c *importGraphCommand) send(ctx context.Context, con *console, sources sourceList) error {
	u, err := serverURL("--to", c.To, "/v1/graph/import")
	if err != nil {
		return err
	}
	u.RawQuery = url.Values{"separator": {c.Separator}, "header": {c.Header}, "strict": {strconv.FormatBool(c.Strict)}, "cluster": {strconv.FormatBool(c.Cluster)}}.Encode()
	// A refusal may get lost in the midst of sending: an import of nothing, which leaves at once with its header, tells before whether there is one.
	var nothing bytes.Buffer
	parts := multipart.NewWriter(&nothing)
	if err := parts.Close(); err != nil {
		return err
	}
	unsent := make(chan error, 1)
	unsent <- nil
	if _, err := c.post(ctx, u, parts, &nothing, unsent); err != nil {
		return err
	}
	start := time.Now()
	done, err := c.sendTo(ctx, con, u, sources)
	if err != nil {
		return err
	}
	for _, line := range done.BadLines[:min(len(done.BadLines), c.ShowBad)] {
		fmt.Fprintln(con.err, line)
	}
	if hidden := done.Bad - int64(min(len(done.BadLines), c.ShowBad)); hidden > 0 {
		fmt.Fprintf(con.err, "and %s more\n", formatPlural(hidden, "bad line"))
	}
	_, err = fmt.Fprintf(con.out, "imported %s from %s in %s (%s a second), %s left out\n",
		formatPlural(done.Follows, "follow"), formatPlural(done.Lines, "line"), formatTook(time.Since(start)), formatCount(perSecond(done.Follows, start)), formatPlural(done.Bad, "bad line"))
	return err
}

// sendTo sends sources, and returns the answer.
func (c *importGraphCommand) sendTo(ctx context.Context, con *console, u *url.URL, sources sourceList) (done api.ImportReply, err error) {
	body, in := io.Pipe()
	parts := multipart.NewWriter(in)
	sent := make(chan error, 1)
	go func() {
		err := sendParts(con, parts, sources)
		sent <- err
		_ = in.CloseWithError(err)
	}()
	defer func() { // the sources are closed when nobody reads them any more
		_ = body.Close()
		<-sent
	}()
	return c.post(ctx, u, parts, body, sent)
}

// post sends a body of parts. sent has the outcome of making it, when that has ended.
func (c *importGraphCommand) post(ctx context.Context, u *url.URL, parts *multipart.Writer, body io.Reader, sent chan error) (done api.ImportReply, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return done, err
	}
	req.Header.Set("Content-Type", "multipart/mixed; boundary="+parts.Boundary())
	client, err := c.prepare(req)
	if err != nil {
		return done, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return done, c.notSent(ctx, err, sent)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		code, err := refusal(c.To, resp)
		if code == api.CodeUnknownPath {
			return done, &adviceError{err, "a newer server: this one takes no imports"}
		}
		return done, unauthorized(code, err)
	}
	if err := json.NewDecoder(resp.Body).Decode(&done); err != nil {
		return done, fmt.Errorf("the answer of %s broke off, and the import may have been done; it may be repeated: %w", c.To, err)
	}
	return done, nil
}

// notSent returns the error of an import that was not answered.
func (c *importGraphCommand) notSent(ctx context.Context, err error, sent chan error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted: unless all had been sent, nothing was imported")
	}
	select {
	case unread := <-sent:
		sent <- unread
		if unread != nil && !errors.Is(unread, io.ErrClosedPipe) {
			return fmt.Errorf("%w; nothing was imported", unread) // of a source
		}
	default:
	}
	// Not wrapped: a connection that was closed is no output that nobody reads.
	return &adviceError{fmt.Errorf("sending to %s: %v", c.To, err), "the address that uproar serve printed, with http:// before it; the log of the server says more"}
}

// sendParts sends each source as a part, and shows how far that is.
func sendParts(con *console, parts *multipart.Writer, sources sourceList) error {
	shown := con.progress("sending", sources.size())
	defer shown.finish()
	done := int64(0)
	for _, s := range sources {
		part, err := parts.CreatePart(textproto.MIMEHeader{"Content-Disposition": {"attachment; filename=" + strconv.Quote(s.name)}})
		if err != nil {
			return err
		}
		_, err = io.Copy(part, io.TeeReader(struct{ io.Reader }{s}, shownBytes{shown, &done, sources.size()}))
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return parts.Close()
}

// shownBytes shows how many bytes were written to it.
type shownBytes struct {
	shown *progress
	done  *int64
	total int64
}

func (b shownBytes) Write(p []byte) (int, error) {
	*b.done += int64(len(p))
	b.shown.update(*b.done, b.total, formatCount(*b.done>>20)+" MiB")
	return len(p), nil
}
