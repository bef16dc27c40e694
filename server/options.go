// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"crypto/tls"
	"log/slog"
	"runtime"
	"time"

	"github.com/uproar-db/uproar/server/replica"
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

	// MaxConcurrent is how many requests are worked on at a time. Default: 16 for each processor
	// that Go may use, because some wait for the disk.
	MaxConcurrent int

	// MaxWaiting is how many requests beyond MaxConcurrent may wait for their turn, and MaxWait how
	// long. What is beyond is answered with api.CodeOverloaded. Defaults 1 024 and 500 ms.
	MaxWaiting int
	MaxWait    time.Duration

	// MaxStreams is how many answers are sent at a time as tables or lines of JSON, which may be of
	// any length. Each holds a snapshot, and up to 24 MiB. What is beyond is answered with
	// api.CodeOverloaded. Default 16.
	MaxStreams int

	// MaxConnections is how many connections Serve has at a time. Each takes some 80 KiB. One
	// beyond that has the place of the one that has waited longest for a request, or for the body
	// of one. If none waits, it is answered with api.CodeOverloaded, and closed. It has fewer where
	// that would be more than half of the files that the process can open, and logs that. Default 1
	// 024.
	MaxConnections int

	// MaxConnectionsPerAddress is how many of them one client may have: one address, or one network
	// of 64 bits of IPv6. The next one has the place of the one of this client that has waited
	// longest for a request. It does not hold for this machine. Behind a proxy on another machine
	// all clients have the proxy's address: then it must be as large as MaxConnections, or
	// negative, which is no bound. Default: a quarter of MaxConnections, at least 16.
	MaxConnectionsPerAddress int

	// MaxQueryBytes bounds the posting lists that one query may read, in bytes. One that would read
	// more is refused with api.CodeInvalidQuery before it reads them. At least 1 MiB, or 0: only
	// the memory of the database bounds it.
	MaxQueryBytes int64

	// AnswerBytes bounds the memory that large answers take together. An answer takes it before it
	// is built and gives it back when it is sent. It also counts against the memory of the
	// database, whose cache gives way. A call that gets none within MaxWait is answered with
	// api.CodeUnavailable. So is a call whose answer would be larger than an eighth of AnswerBytes,
	// or than some 16 MiB; only GraphD's lists, which have no pages, may have three sixteenths of
	// it. Default 256 MiB.
	AnswerBytes int64

	// BodyBytes bounds the bodies above 64 KiB that are worked on at a time; at least one is. A
	// body takes some ten times its size until it is written. Default: twice MaxBody.
	BodyBytes int64

	// Replica is set for a database of which there are several copies: the store of this one. nil:
	// there is one. Forward says what is done with calls that write while another copy leads; ""
	// is replica.Redirect.
	Replica replica.Replica
	Forward replica.Forward

	// MaxAge is how old a copy may be to be asked; 0: however old. Age is the time since it was
	// known to have everything.
	MaxAge time.Duration

	// TLS has the certificates with which Serve encrypts connections, and what else it is to know
	// of them. nil: they are not encrypted.
	TLS *tls.Config

	// Tokens says who may ask for what. nil: whoever reaches the server may do everything.
	Tokens *Tokens

	// Hosts are the names that a server without Tokens answers to, beside IP addresses and
	// localhost: "db.example.com", or "*.example.com" for all names below. Requests for others are
	// refused, because they may come from a page that has given its own name to this server's
	// address. With Tokens every name will do.
	Hosts []string

	// Origins are the sites whose pages may ask the server from a browser (CORS), such as
	// "https://app.example.com"; "*": all, with Tokens or with a database that is only read.
	// Default: none.
	Origins []string

	// Profiles serves the calls of go tool pprof under /debug/pprof/. They need a token that allows
	// everything, or without Tokens a program on the same machine.
	Profiles bool

	// Requests says which requests are logged. Default: at level debug all, otherwise none.
	Requests RequestLog

	// MaxBody is the largest body of a request, in bytes. Default 4 MiB.
	MaxBody int64

	// Paths says which paths of other servers are served too, for clients written for these.
	Paths Paths

	// RemoteBackups lets whoever reaches the server take a backup (GET, POST /v1/backup): all data,
	// and the secrets of the indexes. Default: only programs on the same machine, not through a
	// proxy that says that it is one.
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
	if set.MaxConcurrent <= 0 {
		set.MaxConcurrent = 16 * runtime.GOMAXPROCS(0)
	}
	if set.MaxWaiting <= 0 {
		set.MaxWaiting = 1024
	}
	if set.MaxWait <= 0 {
		set.MaxWait = 500 * time.Millisecond
	}
	if set.MaxStreams <= 0 {
		set.MaxStreams = 16
	}
	if set.MaxConnections <= 0 {
		set.MaxConnections = 1024
	}
	if set.MaxBody <= 0 {
		set.MaxBody = 4 << 20
	}
	if set.AnswerBytes <= 0 {
		set.AnswerBytes = 256 << 20
	}
	if set.BodyBytes <= 0 {
		set.BodyBytes = 2 * set.MaxBody
	}
	set.BodyBytes = max(set.BodyBytes, set.MaxBody)
	if set.Logger == nil {
		set.Logger = slog.Default()
	}
	return set
}

// Paths are the paths of other servers, with their parameters and their JSON.
type Paths struct {
	// GraphD serves those of GraphD (docs/graphd.md).
	GraphD bool

	// Rsky serves those of rsky-graph, which is asked for known followers (docs/graph.md). What is
	// not loaded yet is answered with 503. Nothing is while nobody follows anybody or follows are
	// being imported. RskyStream names a stream of events that has a position only once all is
	// loaded; "": there is none to wait for.
	Rsky       bool
	RskyStream string

	// Constellation serves those of constellation, which is asked what links to a subject
	// (docs/graph.md). What is loaded is decided as for Rsky.
	Constellation bool

	// Prices names a catalog that is searched under the paths of bitmap-usage (docs/catalog.md).
	// "": there are no such paths.
	Prices string
}

// RequestLog says which requests a server logs.
type RequestLog struct {
	Every int           // one of so many, at level info; 1: all; 0: none
	Slow  time.Duration // those that take at least so long, at level warn, with their question; 0: none
}
