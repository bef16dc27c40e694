// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package indexapi has the calls about any index: queries, answers, saved sets, changes, fields,
// and which indexes there are.
// A handler reads a request, asks the database, and writes a reply.
package indexapi
