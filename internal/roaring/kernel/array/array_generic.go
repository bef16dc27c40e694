// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

func arrayAndLen(a, b []byte) int { return arrayAndLenGeneric(a, b) }

func arrayAnd(dst, a, b []byte) int { return arrayAndGeneric(dst, a, b) }

func arrayAndNot(dst, a, b []byte) int { return arrayAndNotGeneric(dst, a, b) }

func arrayOr(dst, a, b []byte) int { return arrayOrGeneric(dst, a, b) }

func arrayXor(dst, a, b []byte) int { return arrayXorGeneric(dst, a, b) }

// Mergeable returns false: no form merges arrays by a network.
func Mergeable(_, _ []byte) bool { return false }
