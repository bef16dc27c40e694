// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package server serves a database over HTTP and JSON: the graph of follows
// under /v1/graph/, queries of any index under /v1/query, health under /healthz
// and Prometheus metrics under /metrics. docs/http.md describes every call.
//
// # How it is built
//
// An endpoint is a handler with its method, path and name. A handler is a
// function of a context and a decoded request that returns a reply or an error;
// it knows nothing of HTTP. Package api has the requests and replies. A handler's
// error becomes an api.Error in one place (failure.go), which also decides what
// the client is told and what only the log is. Three files know a transport: serve.go
// has the connections that Serve answers, by fasthttp, eventloop.go those of them that
// loops answer, and http.go an http.Handler. They turn what arrives into a call, and
// what respond makes of it into what leaves.
//
// # Loops
//
// On Linux a connection without TLS is served by a loop (internal/eventloop), together
// with others, as long as it asks nothing but plain questions (plain.go). The first
// other thing that it says has it leave to a goroutine of its own, with fasthttp, for
// good. A question that has no answer after a millisecond is asked again by a goroutine.
//
// Each endpoint has an operation (operation*.go), which says what it does for tokens
// and for openapi.json, the document of all calls.
//
// # Limits
//
// Every request has a deadline, every page and every body a largest size, and
// every connection timeouts. A handler that panics answers 500 and is logged; the
// server goes on.
package server
