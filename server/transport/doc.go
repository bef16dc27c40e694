// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package transport carries connections to the HTTP server. It lets through only requests that
// every reader of RFC 9112 reads in the same way.
//
// A [Listener] bounds how many connections there are, and closes waiting ones when others need
// their place. Each connection that it accepts is a [Conn]. A Conn checks the bytes of every
// request before anyone parses them: a parser behind it sees whole and valid heads, bodies that are
// framed as their heads say, or one *[Error]. So the answer does not depend on the pieces that a
// request comes in.
package transport
