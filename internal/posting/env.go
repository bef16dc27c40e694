// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
)

// withClosing returns a context that ends with ctx, or when the index is closed.
func (ix *Index) withClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ix.stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// wake tells a worker that there is something to do; telling it twice is telling it once.
func wake(worker chan struct{}) {
	select {
	case worker <- struct{}{}:
	default:
	}
}
