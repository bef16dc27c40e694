// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package graphapi has the calls about the graph of accounts, /v1/graph/. A handler reads a
// request, asks package apps/graph, and writes a reply.
package graphapi
