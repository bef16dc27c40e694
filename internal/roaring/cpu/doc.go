// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package cpu says which instructions the kernels use on this processor.
//
// A kernel has a form in plain Go and may have others in assembly. It reads [Active] to choose one.
// The environment variable UPROAR_KERNELS names a lesser path than the best, for comparisons. The
// build tag purego leaves the generic path only.
package cpu
