// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package call is what the handlers of a server and the server say to each other: a request whose
// parameters and body are read, a reply, an error as a client is told of it, and what is documented
// of an operation. It knows nothing of connections.
package call
