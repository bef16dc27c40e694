// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import "github.com/uproar-db/uproar/internal/roaring/kernel/swar"

// zerosBefore has the zeros before each one of a byte.
var zerosBefore = swar.ZerosBefore()
