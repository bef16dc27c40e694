// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// ParallelOrAll is [OrAll] by up to the given number of goroutines. All of them have ended when it
// returns. Fewer than 1 stands for GOMAXPROCS.
//
// The container keys are cut into several ranges for each worker, at keys sampled from the sets,
// and the parts of the result are laid out together. It is OrAll with one worker, and where OrAll
// takes little time, by an estimate. Memory: that of an OrAll for each worker, and the result
// twice.
func ParallelOrAll(workers int, views ...View) *Bitmap {
	return (*Bitmap)(roaring.ParallelOrAll(workers, engine(views)...))
}

// ParallelXorAll is [XorAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelXorAll(workers int, views ...View) *Bitmap {
	return (*Bitmap)(roaring.ParallelXorAll(workers, engine(views)...))
}

// ParallelAndNotAll is [AndNotAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndNotAll(workers int, a View, others ...View) *Bitmap {
	return (*Bitmap)(roaring.ParallelAndNotAll(workers, view.View(a), engine(others)...))
}

// ParallelAndAll is [AndAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndAll(workers int, views ...View) *Bitmap {
	return (*Bitmap)(roaring.ParallelAndAll(workers, engine(views)...))
}
