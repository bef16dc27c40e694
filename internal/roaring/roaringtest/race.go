// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build race

package roaringtest

func init() { RaceEnabled = true }
