// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package view reads the bytes of one serialized set: the envelope and the forms of a body, its
// directory and containers, every question about the set alone, and the proof that it breaks no
// rule. It knows nothing of a second set, and writes nothing.
//
// Its [View] is that of package bitmap by another name.
package view
