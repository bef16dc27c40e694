// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package library

const hasThreadTime = false

func threadTime() int64 { panic("no thread time") }
