// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package call has the types that handlers and the server share: a request with its parameters and
// body, a reply, an error as clients see it, and the description of an operation. It knows nothing
// of connections.
package call
