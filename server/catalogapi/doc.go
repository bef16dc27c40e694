// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package catalogapi has the calls about catalogs, /v1/catalog/. A handler reads a request, asks
// package apps/catalog, and writes a reply.
package catalogapi
