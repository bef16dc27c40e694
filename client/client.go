// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
)

// Options sets up a client. nil and the zero value mean the defaults.
type Options struct {
	// Token is sent with every request, to a server that has tokens.
	Token string

	// HTTP sends the requests, and decides about TLS, proxies and timeouts. Default: one that keeps
	// connections, and takes replies in gzip from other machines than this one. Without a
	// CheckRedirect of its own no redirects are followed but those of a copy of the database to the
	// one that takes the writes, so that a token goes to nobody else.
	HTTP *http.Client

	// Others are addresses of servers with other copies of the database. When a request is sent
	// again, it goes to the next of all, and those after it too.
	Others []string

	// ReadYourWrites has the client remember how far its writes have come, and ask copies of the
	// database to answer once they have come so far. A copy that does not within its time answers
	// with api.ReasonStale.
	ReadYourWrites bool

	// Retries is how many times more a request is sent that may be. Default 2; negative: none.
	Retries int

	// MaxReply bounds the bytes of a reply; a longer one is an error. Backups are not bounded.
	// Default 256 MiB.
	MaxReply int64
}

// Client asks a server. Beside its connections it remembers, of a database of several copies, which
// one takes the writes. Safe for concurrent use.
type Client struct {
	bases   []string      // addresses
	turn    atomic.Uint64 // modulo their number: the one that is asked
	opts    Options
	writer  atomic.Pointer[string] // address of the copy that takes writes; nil: one of bases may know
	written atomic.Uint64          // the furthest position of a write
}

// New returns a client of the server at an address such as "https://db.example:7070". It does not
// connect. The error is about the address.
func New(address string, opts *Options) (*Client, error) {
	c := new(Client)
	if opts != nil {
		c.opts = *opts
	}
	local := true
	for _, text := range append([]string{address}, c.opts.Others...) {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
			u.RawQuery != "" || u.Fragment != "" {
			return nil, fmt.Errorf("client: %q is no address of a server, want one such as http://127.0.0.1:7070", text)
		}
		c.bases = append(c.bases, u.Scheme+"://"+u.Host)
		local = local && isLocal(u.Hostname())
	}
	if c.opts.HTTP == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 64
		transport.DisableCompression = local
		c.opts.HTTP = &http.Client{Transport: transport}
	}
	if c.opts.HTTP.CheckRedirect == nil {
		own := *c.opts.HTTP
		own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		c.opts.HTTP = &own
	}
	if c.opts.Retries == 0 {
		c.opts.Retries = 2
	}
	if c.opts.MaxReply <= 0 {
		c.opts.MaxReply = 256 << 20
	}
	return c, nil
}

// isLocal reports whether a host is this machine, where bytes cost less than compressing them.
func isLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// Close closes connections that nothing is asked on.
func (c *Client) Close() { c.opts.HTTP.CloseIdleConnections() }

// request is one call, which may be sent several times.
type request struct {
	method, path string
	query        url.Values
	contentType  string
	accept       string // media type of the reply; "": that of the call
	body         []byte
	writes       bool // it changes the database
}

// get asks a call by GET, and reads its reply into to.
func (c *Client) get(ctx context.Context, path string, query url.Values, to any) error {
	return c.ask(ctx, request{method: http.MethodGet, path: path, query: query}, to)
}

// poll asks for one who follows: where that is patient, as it was answered before, a server that is
// away is asked until it is back, or ctx is done.
func poll(ctx context.Context, c *Client, path string, query url.Values, to any, patient bool) error {
	r := request{method: http.MethodGet, path: path, query: query}
	for tried := 0; ; tried++ {
		err := c.ask(ctx, r, to)
		wait, again := r.again(err, tried)
		if !patient || !again {
			return err
		}
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
		c.turn.Add(1)
	}
}

// post asks a call by POST.
func (c *Client) post(ctx context.Context, path string, body, to any, writes bool) error {
	b, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("client: body of %s: %w", path, err)
	}
	return c.ask(ctx, request{method: http.MethodPost, path: path, contentType: "application/json", body: b,
		writes: writes}, to)
}

// ask sends a request, again if need be, and reads its reply.
func (c *Client) ask(ctx context.Context, r request, to any) error {
	for tried := 0; ; tried++ {
		err := c.once(ctx, r, to)
		wait, again := r.again(err, tried)
		if err == nil || !again || tried >= c.opts.Retries || !sleep(ctx, wait) {
			return err
		}
		c.turn.Add(1)
	}
}

// once sends a request once.
func (c *Client) once(ctx context.Context, r request, to any) error {
	resp, err := c.send(ctx, r, bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return c.read(ctx, r, resp, to)
}

// read reads a reply.
func (c *Client) read(ctx context.Context, r request, resp *http.Response, to any) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.opts.MaxReply+1))
	switch {
	case err != nil:
		return c.unanswered(ctx, resp.Request.URL.Scheme+"://"+resp.Request.URL.Host, r, err)
	case int64(len(body)) > c.opts.MaxReply:
		return fmt.Errorf("client: the reply to %s has more than %d bytes", r.path, c.opts.MaxReply)
	}
	if text, ok := to.(*string); ok {
		*text = string(body)
		return nil
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("client: the reply to %s is not what it should be: %w", r.path, err)
	}
	return nil
}

// base returns the address that is asked now.
func base(c *Client) *string { return &c.bases[c.turn.Load()%uint64(len(c.bases))] }

// send sends a request, to the copy that takes writes if it is one and that copy is known. A
// *bytes.Reader has r.body, and may be sent on. The answer, which the caller closes, is one of
// status 200.
func (c *Client) send(ctx context.Context, r request, body io.Reader) (*http.Response, error) {
	writer := c.writer.Load()
	if writer == nil || !r.writes {
		writer = base(c)
	}
	for hops := 0; ; hops++ {
		resp, err := c.sendTo(ctx, *writer, r, body)
		if err != nil {
			c.writer.CompareAndSwap(writer, nil)
			return nil, c.unanswered(ctx, *writer, r, err)
		}
		if resp.StatusCode == http.StatusOK {
			if position, err := strconv.ParseUint(resp.Header.Get("Uproar-Position"), 10, 64); err == nil && r.writes {
				raise(&c.written, position)
			}
			return resp, nil
		}
		next := writerOf(resp)
		_, again := body.(*bytes.Reader)
		if next == "" || !again || hops == mostHops {
			defer resp.Body.Close()
			err := refused(resp)
			if e, ok := errors.AsType[*Error](err); ok && e.Reason == api.ReasonNoWriter {
				c.writer.CompareAndSwap(writer, nil)
			}
			return nil, err
		}
		_ = resp.Body.Close()
		writer, body = &next, bytes.NewReader(r.body) // the other one may still be read
		c.writer.Store(writer)
	}
}

// mostHops bounds how often one request is sent on to the copy that takes writes.
const mostHops = 3

// writerOf returns the address of the copy that an answer sends a request on to; "" if it does not.
// It is asked for the same call, and encrypted if the first is: a token goes to no host in the
// clear that has not asked for it so.
func writerOf(resp *http.Response) string {
	asked := resp.Request.URL
	to, err := resp.Location()
	if resp.StatusCode != http.StatusTemporaryRedirect || err != nil || to.Path != asked.Path ||
		to.Scheme != asked.Scheme || to.Host == asked.Host {
		return ""
	}
	return to.Scheme + "://" + to.Host
}

// raise makes a number as large as another.
func raise(number *atomic.Uint64, least uint64) {
	for now := number.Load(); now < least && !number.CompareAndSwap(now, least); now = number.Load() {
	}
}

// findWriter finds out which copy takes the writes, for a body that can be sent only once: a copy
// that follows would send it back.
func findWriter(ctx context.Context, c *Client) {
	if c.writer.Load() != nil {
		return
	}
	mine, err := c.Cluster().Copy(ctx)
	scheme, _, _ := strings.Cut(*base(c), "//")
	if err != nil || mine.Leads || mine.Forward != "redirect" || !strings.HasPrefix(mine.WriterURL, scheme+"//") {
		return
	}
	writer := strings.TrimSuffix(mine.WriterURL, "/")
	c.writer.CompareAndSwap(nil, &writer)
}

// sendTo sends a request to the server at an address.
func (c *Client) sendTo(ctx context.Context, base string, r request, body io.Reader) (*http.Response, error) {
	target := base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, err
	}
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	if r.path == backupPath {
		req.Header.Set("Accept-Encoding", "identity") // what it has is compressed already
	}
	if c.opts.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.opts.Token)
	}
	if written := c.written.Load(); c.opts.ReadYourWrites && written > 0 && !r.writes {
		req.Header.Set("Uproar-At-Least", strconv.FormatUint(written, 10))
	}
	return c.opts.HTTP.Do(req)
}

// unanswered is the error of a request that has no answer.
func (c *Client) unanswered(ctx context.Context, base string, r request, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fmt.Errorf("client: asking %s%s: %w", base, r.path, err)
}

// sleep waits, unless ctx is done first.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Health returns nil when the server answers and its database can be read.
func (c *Client) Health(ctx context.Context) error {
	var reply api.HealthReply
	return c.get(ctx, "/healthz", nil, &reply)
}

// Ready returns nil when the server can read and, unless it only reads, write. Otherwise the error
// matches ErrFull or ErrFailed.
func (c *Client) Ready(ctx context.Context) error {
	var reply api.HealthReply
	return c.get(ctx, "/readyz", nil, &reply)
}

// Metrics returns the server's figures, in the text format of Prometheus.
func (c *Client) Metrics(ctx context.Context) (string, error) {
	var text string
	err := c.get(ctx, "/metrics", nil, &text)
	return text, err
}

// OpenAPI returns the document that describes the server's calls, in JSON.
func (c *Client) OpenAPI(ctx context.Context) (string, error) {
	var text string
	err := c.get(ctx, "/v1/openapi.json", nil, &text)
	return text, err
}
