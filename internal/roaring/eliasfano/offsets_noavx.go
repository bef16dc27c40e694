// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package eliasfano

func packedInArrays(p *Packed, upper int, a *Arrays) int { return packedInArraysGeneric(p, upper, a) }

func valuesInArrays(few []uint64, a *Arrays) int { return valuesInArraysGeneric(few, a) }
