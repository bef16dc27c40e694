// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package api has the requests, replies and errors of Uproar's HTTP interface:
// what its server reads and writes, and its clients write and read.
//
// Requests and replies are plain structs with the JSON names of their members. Replies also encode
// themselves: AppendJSON gives the same bytes as encoding/json without its escaping for HTML,
// faster and without reflection. All of them are values without locks or connections, and may be
// copied.
//
// Each error is an [Error] with a [Code]; every code has one HTTP status ([Code.Status]).
// docs/http.md describes the calls themselves.
package api
