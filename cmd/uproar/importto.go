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

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// remoteImport is an import into the database that a server has open, which goes on serving
// meanwhile.
type remoteImport struct {
	database.RemoteFlags
	to     string // --to
	path   string
	query  url.Values
	try    url.Values // of an import of nothing
	schema []byte     // a part before the sources, as JSON; nil: none
}

// send has the server import the sources, and reads its answer. It goes on sending while the server
// reads them.
func (r *remoteImport) send(ctx context.Context, con *terminal.Console, sources terminal.Inputs, done any) error {
	// A refusal may get lost in the midst of sending: an import of nothing, which leaves at once
	// with its header, tells before whether there is one.
	var nothing bytes.Buffer
	parts := multipart.NewWriter(&nothing)
	if err := r.sendParts(con, parts, nil); err != nil {
		return err
	}
	unsent := make(chan error, 1)
	unsent <- nil
	if err := r.post(ctx, r.try, parts, &nothing, unsent, done); err != nil {
		return err
	}
	body, in := io.Pipe()
	parts = multipart.NewWriter(in)
	sent := make(chan error, 1)
	go func() {
		err := r.sendParts(con, parts, sources)
		sent <- err
		_ = in.CloseWithError(err)
	}()
	defer func() { // the sources are closed when nobody reads them any more
		_ = body.Close()
		<-sent
	}()
	return r.post(ctx, r.query, parts, body, sent, done)
}

// fields returns the fields of an index of the server; nil: there is no such index.
func (r *remoteImport) fields(ctx context.Context, index string) (fields []uproar.Field, err error) {
	u, err := database.ServerURL("--to", r.to, "/v1/fields")
	if err != nil {
		return nil, err
	}
	u.RawQuery = url.Values{"index": {index}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	client, err := r.Prepare(req)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, r.notSent(ctx, err, nil)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		code, err := database.Refusal(r.to, resp)
		if code == api.CodeUnknownIndex {
			return nil, nil
		}
		return nil, database.Unauthorized(code, err)
	}
	var reply api.FieldsReply
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return nil, fmt.Errorf("the answer of %s broke off; nothing was imported: %w", r.to, err)
	}
	fields = []uproar.Field{} // and not nil
	for _, f := range reply.Fields {
		fields = append(fields, uproar.Field{Name: f.Name, Type: uproar.FieldType(f.Type), Inverse: f.Inverse,
			Column: uproar.Column(f.Column), Format: uproar.Format(f.Format), Scale: f.Scale})
	}
	return fields, nil
}

// post sends a body of parts, and reads the answer. sent has the outcome of making the body, when
// that has ended.
func (r *remoteImport) post(ctx context.Context, query url.Values, parts *multipart.Writer, body io.Reader,
	sent chan error, done any) error {
	u, err := database.ServerURL("--to", r.to, r.path)
	if err != nil {
		return err
	}
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "multipart/mixed; boundary="+parts.Boundary())
	client, err := r.Prepare(req)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return r.notSent(ctx, err, sent)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		code, err := database.Refusal(r.to, resp)
		switch code {
		case api.CodeUnknownPath:
			return &terminal.AdviceError{Err: err, Try: "a newer server: this one takes no such imports"}
		case api.CodeUnknownIndex:
			return &terminal.AdviceError{Err: err, Try: "--schema, which makes it"}
		}
		return database.Unauthorized(code, err)
	}
	if err := json.NewDecoder(resp.Body).Decode(done); err != nil {
		return fmt.Errorf("the answer of %s broke off, and the import may have been done; it may be repeated: %w", r.to,
			err)
	}
	return nil
}

// notSent returns the error of an import that was not answered.
func (r *remoteImport) notSent(ctx context.Context, err error, sent chan error) error {
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
	return &terminal.AdviceError{Err: fmt.Errorf("sending to %s: %v", r.to, err),
		Try: "the address that uproar serve printed, with http:// before it; the log of the server says more"}
}

// sendParts sends the schema, if there is one, and each source as a part. It shows the progress.
func (r *remoteImport) sendParts(con *terminal.Console, parts *multipart.Writer, sources terminal.Inputs) error {
	if r.schema != nil {
		part, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {"application/json"}})
		if err == nil {
			_, err = part.Write(r.schema)
		}
		if err != nil {
			return err
		}
	}
	if len(sources) > 0 {
		shown := con.Progress("sending", sources.Size())
		defer shown.Finish()
		if err := sendSources(shown, parts, sources); err != nil {
			return err
		}
	}
	return parts.Close()
}

func sendSources(shown *terminal.Progress, parts *multipart.Writer, sources terminal.Inputs) error {
	done := int64(0)
	for _, s := range sources {
		head := textproto.MIMEHeader{"Content-Disposition": {"attachment; filename=" + strconv.Quote(s.Name)}}
		if s.Media != "" {
			head.Set("Content-Type", s.Media)
		}
		part, err := parts.CreatePart(head)
		if err != nil {
			return err
		}
		_, err = io.Copy(part, io.TeeReader(struct{ io.Reader }{s}, shownBytes{shown, &done, sources.Size()}))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// tellBad prints the first bad lines of an import, and how many others there are.
func tellBad(c *terminal.Console, lines []string, bad int64, most int) {
	lines = lines[:min(len(lines), most)]
	for _, line := range lines {
		fmt.Fprintln(c.Err, line)
	}
	if hidden := bad - int64(len(lines)); hidden > 0 {
		fmt.Fprintf(c.Err, "and %s more\n", terminal.Plural(hidden, "bad line"))
	}
}

// shownBytes shows how many bytes were written to it.
type shownBytes struct {
	shown *terminal.Progress
	done  *int64
	total int64
}

func (b shownBytes) Write(p []byte) (int, error) {
	*b.done += int64(len(p))
	b.shown.Update(*b.done, b.total, terminal.Count(*b.done>>20)+" MiB")
	return len(p), nil
}
