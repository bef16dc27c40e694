// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !race && !386 && !arm && !mips && !mipsle

package badgerstore

const takeTurns = false
