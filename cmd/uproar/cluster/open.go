// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/blob"
	"github.com/uproar-db/uproar/store/ship/cql"
)

// Open returns the engine at a URL: of object storage, a folder or Cassandra. A URL of no scheme
// that it knows is a terminal.UsageError.
func Open(ctx context.Context, url string) (ship.Engine, error) {
	scheme, _, found := strings.Cut(url, "://")
	if found && scheme == cql.Scheme {
		return cql.Open(ctx, url)
	}
	e, err := blob.Open(ctx, url)
	if err != nil && !found {
		return nil, &terminal.UsageError{Err: err}
	}
	return e, err
}

// place returns the URL of a log as it may be printed: without names, passwords and parameters.
func place(url string) string {
	url, _, _ = strings.Cut(url, "?")
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		return url
	}
	authority, path, slash := strings.Cut(rest, "/")
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if slash {
		path = "/" + path
	}
	return scheme + "://" + authority + path
}
