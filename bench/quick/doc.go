// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package quick measures twenty headline figures in less than a minute, each beside its best peer.
// A peer is a Go library, measured in the same run.
package quick
