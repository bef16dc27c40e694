// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package upload reads imports from the body of a request while it arrives, one import at a time. A
// body may be larger than memory, and has to come at a least speed.
package upload
