// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package roaringtest has what the tests of sets share: how much a random test does, memory between
// pages that fault, a harness that makes every call on bytes that break the rules within a bound of
// memory and time, and a naive writer of the format, straight from its document.
package roaringtest
