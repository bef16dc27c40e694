// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync/atomic"
)

// requestIDs numbers the requests that the log speaks of. A random prefix tells
// the runs of a server apart.
type requestIDs struct {
	run  string
	last atomic.Uint64
}

func newRequestIDs() requestIDs {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return requestIDs{run: hex.EncodeToString(b[:])}
}

func (ids *requestIDs) next() string {
	return ids.run + "-" + strconv.FormatUint(ids.last.Add(1), 10)
}
