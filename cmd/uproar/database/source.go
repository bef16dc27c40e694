// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server/audienceapi"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/catalogapi"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/indexapi"
	"github.com/uproar-db/uproar/server/recordapi"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/server/upload"
)

// Source is a database that can be asked. A folder and a server answer the same calls: those of a
// folder are carried out by the handlers of the server, in this process, without limits.
type Source struct {
	Client *client.Client
	DB     *uproar.DB // in a folder; nil: a server has it
}

// Close closes the connections, or the database.
func (s *Source) Close() error {
	s.Client.Close()
	if s.DB == nil {
		return nil
	}
	return s.DB.Close()
}

// Close closes a source at the end of a command, and adds its error to the command's.
func Close(s *Source, err *error) { *err = errors.Join(*err, s.Close()) }

// connect returns a server as a source.
func (f *Flags) connect(address string) (*Source, error) {
	c, err := f.Connect("--url", address)
	if err != nil {
		return nil, err
	}
	return &Source{Client: c}, nil
}

// Connect returns a client of the server that a flag names.
func (f *RemoteFlags) Connect(flag, address string) (*client.Client, error) {
	if _, err := ServerURL(flag, address, ""); err != nil {
		return nil, err
	}
	token, err := f.token()
	if err != nil {
		return nil, err
	}
	conn, err := f.HTTP()
	if err != nil {
		return nil, err
	}
	return client.New(address, &client.Options{Token: token, HTTP: conn})
}

// Local returns the database of a folder as a source.
func Local(db *uproar.DB) (*Source, error) {
	imports := &upload.Uploads{Turn: upload.Exclusive{What: "import is under way"}}
	endpoints := graphapi.New(db, imports).Endpoints()
	endpoints = append(endpoints, audienceapi.New(db, imports).Endpoints()...)
	streams := streaming.New(math.MaxInt)
	endpoints = append(endpoints, indexapi.New(db, streams, graphapi.Unfinished).Endpoints()...)
	endpoints = append(endpoints, recordapi.New(db, streams).Endpoints()...)
	unbounded := func(int) int { return math.MaxInt }
	endpoints = append(endpoints, catalogapi.New(db, imports, unbounded).Endpoints()...)
	in := make(inProcess, len(endpoints))
	for _, e := range endpoints {
		in[e.Method+" "+e.Path] = e.Handle
	}
	c, err := client.New("http://localhost", &client.Options{HTTP: &http.Client{Transport: in}, Retries: -1,
		MaxReply: math.MaxInt64 - 1})
	if err != nil {
		return nil, err
	}
	return &Source{Client: c, DB: db}, nil
}

// inProcess carries out requests in this process, by method and path. Their errors are those of
// the handlers.
type inProcess map[string]call.Handler

// RoundTrip carries out a request.
func (h inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	handle := h[req.Method+" "+req.URL.Path]
	if handle == nil {
		return nil, fmt.Errorf("a folder has no call %s %s", req.Method, req.URL.Path)
	}
	c := call.Request{Method: req.Method, Path: req.URL.EscapedPath(), Query: req.URL.RawQuery,
		ContentType: req.Header.Get("Content-Type"), Length: req.ContentLength, Transport: header(req.Header)}
	if req.Body != nil {
		defer req.Body.Close()
		if c.Body, c.BodyErr = io.ReadAll(req.Body); c.BodyErr != nil {
			return nil, c.BodyErr
		}
	}
	reply, err := handle(req.Context(), c)
	if err != nil {
		return nil, &failure{err}
	}
	resp := &http.Response{StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header),
		ContentLength: -1, Request: req}
	var body []byte
	switch from := reply.(type) {
	case call.Streamed:
		resp.Header.Set("Content-Type", from.ContentType)
		resp.Body = &stream{req.Context(), from.Stream}
		return resp, nil
	case call.Source:
		body, err = from.Append(nil)
	default:
		body = reply.AppendJSON(nil)
	}
	if err != nil {
		return nil, &failure{err}
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// stream is an answer that is made while it is read, until its request is given up.
type stream struct {
	ctx context.Context
	io.ReadCloser
}

// Read reads on.
func (s *stream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = &failure{err}
	}
	return n, err
}

// header is the fields of a request that comes over no network.
type header http.Header

// Read reads nothing: the body has been read.
func (h header) Read([]byte) (int, error) { return 0, io.EOF }

// ReadUntil does nothing.
func (h header) ReadUntil(time.Time) {}

// Remote returns no address.
func (h header) Remote() string { return "" }

// Header returns the value of a field.
func (h header) Header(name string) string { return strings.Join(h[name], ", ") }

// Has reports whether there is a field.
func (h header) Has(name string) bool { return len(h[name]) > 0 }

// Fields returns all fields.
func (h header) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, values := range h {
			for _, value := range values {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

// failure is the error of a handler, which travels through an HTTP client unharmed.
type failure struct{ err error }

// Error returns the text of the error.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns the error.
func (f *failure) Unwrap() error { return f.err }

// Failed returns the error of a call as a person is to see it, whichever source it was asked of.
// What is unknown is an *uproar.UnknownError.
func (s *Source) Failed(err error) error {
	if own, ok := errors.AsType[*failure](err); ok {
		return plain(own.err)
	}
	refused, ok := errors.AsType[*client.Error](err)
	if !ok {
		if _, lost := errors.AsType[net.Error](err); lost && !errors.Is(err, context.Canceled) {
			return &terminal.AdviceError{Err: err, Try: "the address that uproar serve printed, with http:// before it"}
		}
		return err
	}
	for code, what := range unknowns {
		if refused.Code == code {
			if u, ok := unknown(what, refused.Message); ok {
				return u
			}
		}
	}
	said := &worded{remoteText(refused), refused}
	switch refused.Code {
	case api.CodeUnknownPath:
		return &terminal.AdviceError{Err: said, Try: "a newer server: this one has no such call"}
	case api.CodeUnauthorized:
		return &terminal.AdviceError{Err: said, Try: "--token-file, with a token of the server"}
	case api.CodeForbidden:
		return &terminal.AdviceError{Err: said, Try: "--token-file, with a token that may do this"}
	}
	return said
}

// plain returns the error of a handler in the words that a server answers with.
func plain(err error) error {
	if e, ok := errors.AsType[*api.Error](err); ok {
		return errors.New(e.Message)
	}
	return &worded{Public(err.Error()), err}
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

// Error returns the words.
func (w *worded) Error() string { return w.text }

// Unwrap returns the error.
func (w *worded) Unwrap() error { return w.err }

// remoteText returns what a server has answered, in its own words.
func remoteText(refused *client.Error) string {
	switch {
	case refused.Code == "":
		return refused.Error()
	case refused.RequestID != "":
		return refused.Message + " " + refused.RequestID
	}
	return refused.Message
}

// unknowns are the codes about names that a database does not have.
var unknowns = map[api.Code]string{api.CodeUnknownIndex: "index", api.CodeUnknownField: "field",
	api.CodeUnknownSet: "saved set"}

// unknown reads the error about a name that is not there from its text.
func unknown(what, message string) (*uproar.UnknownError, bool) {
	rest, ok := strings.CutPrefix(message, "unknown "+what+" ")
	if !ok {
		return nil, false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return nil, false
	}
	e := &uproar.UnknownError{What: what}
	e.Name, _ = strconv.Unquote(quoted)
	if near, ok := strings.CutPrefix(rest[len(quoted):], ": did you mean "); ok {
		if quoted, err := strconv.QuotedPrefix(near); err == nil {
			e.Suggestion, _ = strconv.Unquote(quoted)
		}
	}
	return e, e.Error() == message || "uproar: "+message == e.Error()
}
