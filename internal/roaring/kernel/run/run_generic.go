// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package run

func runAnd(dst, a, b []byte) (values, runs int) { return runAndGeneric(dst, a, b) }

func runAndLen(a, b []byte) int { return runAndLenGeneric(a, b) }

func blocks(_, _ []byte) bool { return false }
