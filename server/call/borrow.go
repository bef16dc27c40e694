// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import "unsafe"

// Borrowed returns the text of a body that is not copied: it is valid as long as the body is, until
// the call is answered.
func Borrowed(body []byte) string { return unsafe.String(unsafe.SliceData(body), len(body)) }
