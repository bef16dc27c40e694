// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package streaming sends answers of any length as tables or lines of JSON, whose entries are read
// while they are sent: their memory does not grow with their number. A handler says which columns
// an answer has and what comes next. The form that a client wants, the bound on how many answers
// are sent at a time, and the end of an answer are here.
package streaming
