// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package socialgraph measures a graph of follows of any size: loading it, opening it, and asking
// it, in process and over HTTP. The graph is synthetic, so that whoever wants to can measure the
// same one. It is the work of the command "go run . graph".
package socialgraph
