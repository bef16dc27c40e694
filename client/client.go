// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
)

// Options sets up a client. nil and the zero value mean the defaults.
type Options struct {
	// Token is sent with every request, to a server that has tokens.
	Token string

	// HTTP sends the requests, and decides about TLS, proxies and timeouts. Default: one that keeps
	// connections, takes replies in gzip from other machines than this one, and follows no
	// redirects, so that a token goes to nobody else.
	HTTP *http.Client

	// Retries is how many times more a request is sent that may be. Default 2; negative: none.
	Retries int

	// MaxReply bounds the bytes of a reply; a longer one is an error. Backups are not bounded.
	// Default 256 MiB.
	MaxReply int64
}

// Client asks one server. It has no state beside its connections. Safe for concurrent use.
type Client struct {
	base string
	opts Options
}

// New returns a client of the server at an address such as "https://db.example:7070". It does not
// connect. The error is about the address.
func New(address string, opts *Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("client: %q is no address of a server, want one such as http://127.0.0.1:7070", address)
	}
	c := &Client{base: u.Scheme + "://" + u.Host}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.HTTP == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 64
		transport.DisableCompression = isLocal(u.Hostname())
		c.opts.HTTP = &http.Client{Transport: transport, CheckRedirect: toWriter}
	}
	if c.opts.Retries == 0 {
		c.opts.Retries = 2
	}
	if c.opts.MaxReply <= 0 {
		c.opts.MaxReply = 256 << 20
	}
	return c, nil
}

// toWriter follows a server to the copy of its database that takes writes: once, for the same call,
// with the same token, which it gives no host in the clear that has not asked for it so.
func toWriter(r *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 2 || r.Response.StatusCode != http.StatusTemporaryRedirect || r.URL.Path != first.URL.Path ||
		r.URL.Scheme != first.URL.Scheme {
		return http.ErrUseLastResponse
	}
	if token := first.Header.Get("Authorization"); token != "" {
		r.Header.Set("Authorization", token)
	}
	return nil
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
		return c.unanswered(ctx, r, err)
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

// send sends a request. Its answer, which the caller closes, is one of status 200.
func (c *Client) send(ctx context.Context, r request, body io.Reader) (*http.Response, error) {
	target := c.base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
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
	resp, err := c.opts.HTTP.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, r, err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, refused(resp)
	}
	return resp, nil
}

// unanswered is the error of a request that has no answer.
func (c *Client) unanswered(ctx context.Context, r request, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fmt.Errorf("client: asking %s%s: %w", c.base, r.path, err)
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

// HandOver has the server, whose copy of the database leads, let another copy take the writes.
func (c *Client) HandOver(ctx context.Context) (api.CopyReply, error) {
	var reply api.HealthReply
	if err := c.post(ctx, "/v1/handover", struct{}{}, &reply, false); err != nil || reply.Copy == nil {
		return api.CopyReply{}, err
	}
	return *reply.Copy, nil
}

// Copy returns how the copy of the database that the server has is doing. It is the zero value when
// there is one only.
func (c *Client) Copy(ctx context.Context) (api.CopyReply, error) {
	var reply api.HealthReply
	if err := c.get(ctx, "/healthz", nil, &reply); err != nil || reply.Copy == nil {
		return api.CopyReply{}, err
	}
	return *reply.Copy, nil
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
