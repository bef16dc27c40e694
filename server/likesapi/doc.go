// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package likesapi has the calls about likes, /v1/likes/. A handler reads a request, asks package
// apps/graph/likes, and writes a reply.
package likesapi
