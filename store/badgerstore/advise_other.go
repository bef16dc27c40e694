// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package badgerstore

// adviser has no advice for systems other than Linux.
type adviser struct{}

func newAdviser(string, int64, <-chan struct{}) *adviser { return &adviser{} }

func (*adviser) wrote(int64) {}

func (*adviser) stop() {}
