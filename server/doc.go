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
// the client is told and what only the log is. Two files know a transport: serve.go
// has the connections that Serve answers, by fasthttp, and http.go an http.Handler. They
// turn what arrives into a call, and what respond makes of it into what leaves. Package
// transport counts connections, and judges requests before fasthttp reads them.
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
