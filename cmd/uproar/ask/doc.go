// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package ask is the commands that ask a database, in a folder or over HTTP. Both answer the same
// calls, so that a question has the same answer from either.
package ask
