// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package run

func runSelect(runs []byte, i uint32) (x uint16, ok bool) { return runSelectGeneric(runs, i) }
