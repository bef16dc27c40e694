// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

// What tests make hashes and lists of by themselves.
var (
	MixHash    = mixHash
	FinishHash = finishHash
	ListFirst  = listFirst
)
