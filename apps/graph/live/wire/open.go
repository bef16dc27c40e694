// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// server is where a source is.
type server struct {
	name     string // without a password
	base     url.URL
	password string
	has      bool // a password
	idle     time.Duration
}

// URLError says why a text names no source. It does not have the text, which may have a password.
type URLError struct{ Reason string }

// Error returns the reason, and what is wanted.
func (e *URLError) Error() string {
	return "live: source: " + e.Reason + ", want jetstream://HOST, jetstream2://HOST or tap://HOST:PORT"
}

// defaultIdle is how long a connection may be silent before it is asked whether it is there.
const defaultIdle = 30 * time.Second

// Open returns the source at a URL, without connecting: jetstream://HOST, jetstream2://HOST or
// tap://HOST:PORT. The parameter tls=yes or tls=no says whether the server speaks TLS: Jetstream
// does by default, and tap not. A password of tap is in the URL: tap://:PASSWORD@HOST:PORT. The
// error is a *URLError.
func Open(text string) (live.Source, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, &URLError{"a URL that cannot be read"}
	}
	if u.Host == "" || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" || u.Opaque != "" {
		return nil, &URLError{"a URL with no host, or with a path"}
	}
	secure := u.Scheme != "tap"
	for key, values := range u.Query() {
		if key != "tls" || len(values) != 1 || values[0] != "yes" && values[0] != "no" {
			return nil, &URLError{fmt.Sprintf("parameter %q of the URL", key)}
		}
		secure = values[0] == "yes"
	}
	s := server{name: u.Scheme + "://" + u.Host, base: url.URL{Scheme: "ws", Host: u.Host}, idle: defaultIdle}
	if secure {
		s.base.Scheme = "wss"
	}
	if u.User != nil {
		s.password, s.has = u.User.Password()
	}
	switch u.Scheme {
	case "jetstream":
		return &jetstream{s}, nil
	case "jetstream2":
		return &jetstream2{s}, nil
	case "tap":
		return &tap{server: s, client: &http.Client{Timeout: time.Minute}}, nil
	}
	return nil, &URLError{fmt.Sprintf("scheme %q", u.Scheme)}
}

// Name names the source.
func (s *server) Name() string { return s.name }

// at returns the URL of a path, with parameters.
func (s *server) at(path string, query url.Values) string {
	u := s.base
	u.Path, u.RawQuery = path, query.Encode()
	return u.String()
}

// collections are the names of the collections that a graph holds.
func collections() []string { return slices.Sorted(maps.Keys(live.Collections)) }

// resumed adds the position at which a connection is to go on.
func resumed(query url.Values, from int64, resume bool) url.Values {
	if resume {
		query.Set("cursor", strconv.FormatInt(from, 10))
	}
	return query
}
