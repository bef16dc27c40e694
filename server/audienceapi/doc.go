// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package audienceapi has the calls about audiences, /v1/audience/. A handler reads a request, asks
// package apps/audience, and writes a reply.
package audienceapi
