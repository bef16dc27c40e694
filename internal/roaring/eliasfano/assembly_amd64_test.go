// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, upperLowsAVX512, nil, upperLowsGeneric),
	kerneltest.NewForm(cpu.AVX2, upperLowsAVX2, nil, upperLowsGeneric),
	kerneltest.NewForm(cpu.AVX512, orLowersAVX512, nil, orLowersGeneric),
	kerneltest.NewForm(cpu.AVX2, orLowersAVX2, lowersByAVX2, orLowersGeneric),
	kerneltest.NewForm(cpu.AVX512, packedValuesAVX512, nil, packedValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, packedValuesAVX2, nil, packedValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, packedKeepAVX2, nil, packedKeepGeneric),
	kerneltest.NewForm(cpu.AVX2, packedMeetAVX2, meetLen, packedMeetGeneric),
	kerneltest.NewForm(cpu.AVX2, packedTinyAVX2, pairLen, packedMeetGeneric),
	kerneltest.NewForm(cpu.AVX2, packedFindAVX2, findPadded, packedFindGeneric),
	kerneltest.NewForm(cpu.AVX2, packedHasAVX2, hasPadded, packedFindGeneric),
	kerneltest.NewForm(cpu.AVX2, packedAtAVX2, atPadded, packedAtGeneric),
	kerneltest.NewForm(cpu.AVX512, upperOffsetsAVX512, nil, upperOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX2, upperOffsetsAVX2, nil, upperOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX512, addLowersAVX512, nil, addLowersGeneric),
	kerneltest.NewForm(cpu.AVX2, addLowersAVX2, addLowers, addLowersGeneric),
	kerneltest.NewForm(cpu.AVX512, arraysOffsetsAVX512, nil, arraysOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX2, arraysOffsetsAVX2, nil, arraysOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX512, arraysValuesAVX512, nil, arraysValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, arraysValuesAVX2, nil, arraysValuesGeneric),
	kerneltest.NewForm(cpu.AVX512, packedKeepOffsetsAVX512, packedKeepByAVX512, packedKeepOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX512, packedInArraysAVX512, nil, packedInArraysGeneric),
	kerneltest.NewForm(cpu.AVX512, valuesInArraysAVX512, nil, valuesInArraysGeneric),
	kerneltest.NewForm(cpu.AVX512, packedSameAVX512, nil, packedSameGeneric),
	kerneltest.NewForm(cpu.AVX512, packedInBitsAVX512, nil, packedInBitsGeneric),
	kerneltest.NewForm(cpu.AVX512, packedInArrayAVX512, nil, packedInArrayGeneric),
}

// What some forms take is limited: they are called by the functions that choose a form, so that the
// limits stand once. What is of no list of few values is left to the reference.

func findPadded(p *Packed, _ int, d uint64) (i int, found bool) {
	return p.FindPadded(max(8-len(p.Block), 0), d)
}

// hasPadded has the place from elsewhere.
func hasPadded(p *Packed, upper int, d uint64) (i int, found bool) {
	i, _ = packedFindGeneric(p, upper, d)
	return i, p.HasPadded(max(8-len(p.Block), 0), d)
}

func atPadded(p *Packed, _, i int) (d uint64, ok bool) {
	return p.AtPadded(max(8-len(p.Block), 0), i)
}

func pairLen(few, many *Packed, fewUpper, manyUpper int) int {
	if n, ok := PairLen(few, many, max(8-min(len(few.Block), len(many.Block)), 0)); ok {
		return n
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}

func meetLen(few, many *Packed, fewUpper, manyUpper int) int {
	if n, ok := MeetLen(few, many, max(8-min(len(few.Block), len(many.Block)), 0)); ok {
		return n
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}
