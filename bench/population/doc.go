// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package population makes synthetic people, the same on every machine, and audiences among them:
// what benchmarks load and ask.
package population
