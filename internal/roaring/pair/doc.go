// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pair combines two sets: what both have, or one of them, as a new set, as a body in the
// caller's memory, or as a number. It looks at the forms of both, and takes for each pair of forms
// the way that costs least.
package pair
