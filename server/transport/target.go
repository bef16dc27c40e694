// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"net/netip"
	"strconv"
	"strings"
)

// CheckTarget refuses what is no target of a request of this method.
func CheckTarget(method, target string) *Error {
	if !all(target, isTarget) {
		return bad("the target has a byte that must be percent-encoded, or a fragment")
	}
	switch {
	case method == "CONNECT":
		return refuse(501, "this server is no proxy: it knows no CONNECT")
	case target == "*":
		if method != "OPTIONS" {
			return bad("the target is *, which only OPTIONS has")
		}
		return nil
	case strings.HasPrefix(target, "/"):
		return checkPath(target)
	}
	authority, path, ok := cutAuthority(target)
	if !ok || !validHost(authority) {
		return bad("the target is %q, want a path, or http://HOST/PATH", clip(target))
	}
	return checkPath(path)
}

// Authority returns the host of a target in absolute form, or "". It counts instead of the field
// Host.
func Authority(target string) string {
	if strings.HasPrefix(target, "/") {
		return ""
	}
	authority, _, _ := cutAuthority(target)
	return authority
}

// cutAuthority splits a target in absolute form.
func cutAuthority(target string) (authority, path string, ok bool) {
	scheme, rest, ok := strings.Cut(target, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", "", false
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		return rest, "", true
	}
	return rest[:end], rest[end:], true
}

// checkPath refuses a path whose percent-encoding is broken. That of the query is checked
// with the parameters.
func checkPath(target string) *Error {
	path, _, _ := strings.Cut(target, "?")
	for {
		_, escape, ok := strings.Cut(path, "%")
		if !ok {
			return nil
		}
		if len(escape) < 2 || !all(escape[:2], isHex) {
			return bad("the path has %q, want %% and two hexadecimal digits", "%"+escape[:min(2, len(escape))])
		}
		path = escape[2:]
	}
}

// CheckHost refuses the value of a field Host that names no host.
func CheckHost(value string) *Error {
	if validHost(value) {
		return nil
	}
	return bad("Host is %q, want a name or an address, and a port if it has one", clip(value))
}

// validHost reports whether a text is a name, an IPv4 address, or an IPv6 address in brackets. A
// port may follow.
func validHost(text string) bool {
	if inner, rest, ok := strings.Cut(text, "]"); ok && strings.HasPrefix(text, "[") {
		addr, err := netip.ParseAddr(inner[1:])
		if err != nil || !addr.Is6() || addr.Zone() != "" || rest != "" && rest[0] != ':' {
			return false
		}
		return rest == "" || validPort(rest[1:])
	}
	name, port, ok := strings.Cut(text, ":")
	return name != "" && all(name, isHost) && (!ok || validPort(port))
}

// validPort reports whether a text is a port; an empty one is that of the scheme.
func validPort(text string) bool {
	if text == "" {
		return true
	}
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil && isDigit(text[0])
}
