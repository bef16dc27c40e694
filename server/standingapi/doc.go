// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package standingapi has the calls about standing queries, /v1/standing. A handler reads a
// request, asks package apps/standing, and writes a reply.
package standingapi
