// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"log/slog"
	"time"
)

// Options sets up a server. nil and the zero value mean the defaults.
type Options struct {
	// Timeout is how long a request may take from its arrival to its answer.
	// Later it is given up, and answered with api.CodeDeadlineExceeded. Default
	// 10 seconds; negative: no limit.
	Timeout time.Duration

	// DrainTimeout is how long Serve lets running requests finish once it was
	// asked to stop. Default 15 seconds.
	DrainTimeout time.Duration

	// MaxBody is the largest body of a request, in bytes. Default 4 MiB.
	MaxBody int64

	// GraphD also serves the paths of GraphD, with its parameters and its JSON, for clients that were written for it (docs/graphd.md).
	GraphD bool

	// RemoteBackups lets whoever reaches the server take a backup (GET, POST /v1/backup): all data, and the secrets of the indexes. Default: only
	// programs on the same machine, not through a proxy that says that it is one.
	RemoteBackups bool

	// Logger is told about internal errors, and at debug level about every
	// request. Default: slog.Default().
	Logger *slog.Logger
}

// withDefaults returns a copy of o with every value set.
func (o *Options) withDefaults() Options {
	var set Options
	if o != nil {
		set = *o
	}
	if set.Timeout == 0 {
		set.Timeout = 10 * time.Second
	}
	if set.DrainTimeout <= 0 {
		set.DrainTimeout = 15 * time.Second
	}
	if set.MaxBody <= 0 {
		set.MaxBody = 4 << 20
	}
	if set.Logger == nil {
		set.Logger = slog.Default()
	}
	return set
}
