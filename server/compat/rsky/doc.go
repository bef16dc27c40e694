// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package rsky answers the calls of rsky-graph, which is asked for known followers, so that its
// callers need no change. The lists are whole and of one state. What is not loaded yet is
// answered with 503, never with an empty list (docs/graph.md).
package rsky
