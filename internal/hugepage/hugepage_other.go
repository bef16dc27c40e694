// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package hugepage

// Size returns 0: the system is not known to have huge pages that can be asked for.
func Size() uintptr { return 0 }

// Missing returns ErrRefused.
func Missing(uintptr) (bytes uintptr, err error) { return 0, ErrRefused }

// Collapse returns ErrRefused.
func Collapse(uintptr) error { return ErrRefused }
