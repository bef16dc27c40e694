// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// callers decides which requests may come in at all, before any token is looked at.
//
// A server without tokens trusts whoever reaches it, so it must not be reached through somebody's
// browser. A page can do that in two ways. It can resolve its own name to the server's address
// (DNS rebinding): the browser then takes both for one site, and only the Host field shows it.
// Or it can send a request to the server across sites: Origin and Sec-Fetch-Site show that.
//
// With tokens neither check is made: a page does not know the token, and browsers never add one by
// themselves.
type callers struct {
	trusting bool     // there are no tokens
	names    []string // hosts, in lower case; "*.example.com" stands for every name below
	origins  origins
}

// newCallers checks the options about callers.
func newCallers(o *Options, readOnly bool) (callers, error) {
	c := callers{trusting: o.Tokens == nil}
	for _, name := range o.Hosts {
		base, wide := strings.CutPrefix(name, "*.")
		host, ok := hostOf(base)
		if !ok || strings.ContainsAny(base, ":[") || host[0] == '.' {
			return c,
				fmt.Errorf(
					"server: host %s: want a name such as db.example.com, or *.example.com for all names below, "+
						"without a port", call.Quote(name))
		}
		if wide {
			host = "*." + host
		}
		c.names = append(c.names, host)
	}
	var err error
	c.origins, err = newOrigins(o.Origins, c.trusting && !readOnly)
	return c, err
}

// check refuses a call that may come from a page of another site. It costs a look at three fields.
func (s *callers) check(need call.Access, c *call.Request) error {
	if !s.trusting || c.Transport == nil {
		return nil
	}
	if host := c.Transport.Header("Host"); !s.isHost(host) {
		return &api.Error{Code: api.CodeForbidden,
			Message: fmt.Sprintf("Host is %s: without tokens this server answers to IP addresses, localhost, "+
				"and names given by --host (Options.Hosts); start it with --host NAME, or with --tokens",
				call.Quote(host))}
	}
	if need != call.AccessWrite && (c.Method == "GET" || c.Method == "HEAD") {
		return nil // the browser keeps the answer from the page
	}
	if origin, foreign := s.foreignPage(c.Transport); foreign {
		return &api.Error{Code: api.CodeForbidden,
			Message: fmt.Sprintf("this request comes from a page of another site (Origin %s): without tokens "+
				"this server takes it from sites given by --cors (Options.Origins) only", call.Quote(origin))}
	}
	return nil
}

// isHost reports whether a Host field names this server.
func (s *callers) isHost(field string) bool {
	if field == "" { // a program of HTTP/1.0: browsers, which can be led here, always name a host
		return true
	}
	host, ok := hostOf(field)
	if !ok {
		return false
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for _, name := range s.names {
		if host == name || name[0] == '*' && len(host) >= len(name) && strings.HasSuffix(host, name[1:]) {
			return true
		}
	}
	return false
}

// foreignPage reports whether a page of another site sent a request, and which one. Browsers that
// are not older than 2023 say so in Sec-Fetch-Site, which no page can set; others in Origin.
func (s *callers) foreignPage(t call.Carrier) (origin string, foreign bool) {
	origin = t.Header("Origin")
	switch t.Header("Sec-Fetch-Site") {
	case "same-origin", "none":
		return origin, false
	case "":
		if origin == "" {
			return "", false // no browser
		}
		u, err := url.Parse(origin)
		if err == nil && u.Host != "" && strings.EqualFold(u.Host, t.Header("Host")) {
			return origin, false
		}
	}
	_, allowed := s.origins.allow(origin)
	return origin, !allowed
}

// hostOf returns the name or address in a Host field, in lower case. It drops the port, brackets
// and the dot of a full name. ok is false for what is no host: a user before it, a port that is no
// number.
func hostOf(field string) (host string, ok bool) {
	host = field
	if strings.HasPrefix(host, "[") {
		inside, after, found := strings.Cut(host[1:], "]")
		addr, err := netip.ParseAddr(inside)
		return strings.ToLower(inside), found && err == nil && addr.Is6() && addr.Zone() == "" && isPort(after)
	}
	if i := strings.IndexByte(host, ':'); i >= 0 {
		if !isPort(host[i:]) {
			return "", false
		}
		host = host[:i]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host, host != "" && !strings.ContainsFunc(host, notHostChar)
}

// isPort reports whether text is empty, or a colon and a number.
func isPort(text string) bool {
	digits, found := strings.CutPrefix(text, ":")
	return text == "" || found && len(digits) <= len("65535") && strings.Trim(digits, "0123456789") == ""
}

// notHostChar reports whether a character stands in no name that this server can have.
func notHostChar(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-._", r))
}

// programs are the fields that a program sends by itself. Whoever passes a request on adds others,
// of names that nobody can list.
var programs = map[string]bool{
	"accept": true, "accept-charset": true, "accept-encoding": true, "authorization": true, "connection": true,
	"content-encoding": true, "content-length": true, "content-type": true, "expect": true, "host": true,
	"http2-settings": true, "keep-alive": true, "te": true, "transfer-encoding": true, "upgrade": true,
	"user-agent": true,
}

// passedOn returns the name of a field, be it empty, by which a request may have been passed on: by
// a proxy, a content delivery network or a browser.
func passedOn(t call.Carrier) string {
	for name := range t.Fields() {
		if !programs[strings.ToLower(name)] {
			return name
		}
	}
	return ""
}

// mustBeLocal refuses a call that does not come straight from a program on this machine.
func mustBeLocal(c *call.Request, what string) error {
	why := ""
	switch name := ""; {
	case c.Transport == nil:
		why = "this one is a part of another"
	default:
		remote, _, err := net.SplitHostPort(c.Remote())
		host, ok := hostOf(c.Transport.Header("Host"))
		if name = passedOn(c.Transport); name != "" {
			why = "the field " + call.Quote(name) +
				" may be that of a proxy or a browser; send what a request needs, no more"
		} else if err != nil || !net.ParseIP(remote).IsLoopback() {
			why = "this one came from another"
		} else if !ok || host != "localhost" && !net.ParseIP(host).IsLoopback() {
			why = "this one was sent to " + call.Quote(c.Transport.Header("Host"))
		}
	}
	if why == "" {
		return nil
	}
	return &api.Error{Code: api.CodeForbidden, Message: what +
		": this server takes such requests straight from its own machine only; " + why}
}

// origins are the sites whose pages may ask the server (CORS, https://fetch.spec.whatwg.org).
type origins struct {
	all  bool
	list []string // as browsers write them: scheme://host, and the port unless it is the scheme's own
}

// newOrigins checks a list of origins. "*" stands for all; it is refused where every page could
// write.
func newOrigins(list []string, writable bool) (o origins, err error) {
	for _, text := range list {
		if text == "*" {
			if writable {
				return o, fmt.Errorf("server: origin \"*\" without tokens would let every page in a browser write: " +
					"want tokens, a database that is only read, or names of sites")
			}
			o.all = true
			continue
		}
		u, err := url.Parse(strings.ToLower(text))
		if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil ||
			strings.TrimRight(u.Scheme+"://"+u.Host, "/") != strings.ToLower(text) || strings.Contains(u.Host, "*") {
			return o, fmt.Errorf("server: origin %s: want *, or a site such as https://app.example.com, without a path",
				call.Quote(text))
		}
		if u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" {
			u.Host = u.Host[:strings.LastIndexByte(u.Host, ':')]
		}
		o.list = append(o.list, u.Scheme+"://"+u.Host)
	}
	return o, nil
}

// some reports whether there are any.
func (o *origins) some() bool { return o.all || len(o.list) > 0 }

// allow returns what an answer to a page of an origin says that it may be read by.
func (o *origins) allow(origin string) (header string, ok bool) {
	switch {
	case origin == "":
		return "", false
	case slices.Contains(o.list, origin):
		return origin, true
	case o.all:
		return "*", true
	}
	return "", false
}
