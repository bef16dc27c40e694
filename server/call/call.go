// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/trace"
)

// A call is a request as a transport delivers it. Its bytes belong to the
// transport, and are valid until the reply is written.
type Request struct {
	ID           string // by which client, log and traces name it
	Method, Path string // the path as it came, still escaped
	Query        string // what follows the question mark, undecoded
	ContentType  string
	Encoding     string // Content-Encoding
	Length       int64  // of the body, as it was announced; -1: it was not
	Transport    Carrier
	Body         []byte
	BodyErr      error // why there is no body: too large, broken off, or not admitted in time
}

// Remote returns the address of the client.
func (c *Request) Remote() string {
	if c.Transport == nil {
		return ""
	}
	return c.Transport.Remote()
}

// Header returns the value of a field; see Carrier.
func (c *Request) Header(name string) string {
	if c.Transport == nil {
		return ""
	}
	return c.Transport.Header(name)
}

// A Reply is what a call is answered with.
type Reply interface {
	// AppendJSON appends the reply as JSON.
	AppendJSON(dst []byte) []byte
}

// A Source is a reply that is still to be read. It is written straight into the bytes that are
// sent, so a long list is never held in another form.
type Source interface {
	Reply
	// Append appends the reply, or fails. What was appended before it failed is not sent.
	Append(dst []byte) ([]byte, error)
	// Fields returns fields of the header, beside those of every answer. It is asked after Append.
	Fields() [][2]string
}

// FromSource is part of every source.
type FromSource struct{}

// AppendJSON is never called: Append is.
func (FromSource) AppendJSON([]byte) []byte { panic("server: a source is appended with its errors") }

// Fields returns none.
func (FromSource) Fields() [][2]string { return nil }

// Text is a reply that is no JSON.
type Text struct {
	ContentType string
	Body        []byte
	Status      int         // 0: 200
	Fields      [][2]string // of the header, beside those of every answer
}

// AppendJSON is never called: what is no JSON is sent as it is.
func (Text) AppendJSON([]byte) []byte { panic("server: a text is not JSON") }

// Streamed is a reply that is sent while it is made.
type Streamed struct {
	ContentType string
	Stream      io.ReadCloser
}

// AppendJSON is never called: what is no JSON is sent as it is.
func (Streamed) AppendJSON([]byte) []byte { panic("server: a stream is not JSON") }

// A Handler answers a call.
type Handler func(context.Context, Request) (Reply, error)

// An Endpoint is a handler, its method and path, and its name in metrics and logs.
type Endpoint struct {
	Method, Path, Name string
	Handle             Handler
}

// Get returns an endpoint that answers GET, and HEAD.
func Get(path, name string, handle Handler) Endpoint { return Endpoint{"GET", path, name, handle} }

// Post returns an endpoint that answers POST.
func Post(path, name string, handle Handler) Endpoint { return Endpoint{"POST", path, name, handle} }

// ErrorFormat is how an endpoint's answers differ from those of docs/http.md.
type ErrorFormat struct {
	ContentType string
	// appends what an error is answered with
	Fail   func(dst []byte, e *api.Error, err error) (body []byte, status int)
	Access func(e Endpoint) (need Access, always bool) // what a call needs
	Whole  bool                                        // its lists have no pages
	Plain  bool                                        // its answers are not compressed
}

// StatusError is an error in the words of another server's interface, with its status.
type StatusError struct {
	Status int
	Text   string
}

// Error returns the text, for the log.
func (e *StatusError) Error() string { return "server: " + e.Text }

// Bind makes a handler of two functions: decode reads a request, handle answers what it read.
func Bind[Q any](decode func(Request) (Q, error), handle func(context.Context, Q) (Reply, error)) Handler {
	return func(ctx context.Context, c Request) (Reply, error) {
		_, step := trace.Begin(ctx, "parse")
		q, err := decode(c)
		step.End(err)
		if err != nil {
			return nil, err
		}
		return handle(ctx, q)
	}
}

// Panicked is the error of a handler that panicked.
type Panicked struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic.
func (p *Panicked) Error() string { return fmt.Sprintf("server: handler panicked: %v", p.Value) }

// StoppingKey is the key of a value in a request's context: another context, which ends when the
// server begins to stop.
type StoppingKey struct{}

// MaxMessage bounds the text of an error, in bytes: it repeats what a client has sent.
const MaxMessage = 1 << 10

// Cut shortens a text to about most bytes. It leaves out the middle, because the end says what was
// wanted.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most / 4
	return strings.ToValidUTF8(text[:most-end], "") + " ... " + strings.ToValidUTF8(text[len(text)-end:], "")
}

// Carrier is the request that a call came in, as far as a call needs it. Every transport has one.
type Carrier interface {
	io.Reader // the body
	// ReadUntil sets until when the body may be read.
	ReadUntil(time.Time)
	Remote() string // address of the client

	// header returns the value of a field of the request, by its canonical name. Those of several
	// fields of one name are joined with commas, in their order. It is "" if there is none. Of
	// transport.Single there is never more than one. Host is that of the target where it has one.
	Header(name string) string

	// Has reports whether there is such a field, be it empty.
	Has(name string) bool

	// fields are all fields of the request, each name as often as it stands there.
	Fields() iter.Seq2[string, string]
}

// Media types of replies: of nearly all, and of events that are sent as they come.
const (
	ContentJSON   = "application/json"
	ContentEvents = "text/event-stream"
)
