// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package cpu

import (
	"encoding/binary"
	"os"
)

// best is the best path that this processor has.
var best = detect()

// Active is the path that kernels take: the best one, unless the environment variable
// UPROAR_KERNELS names a lesser one. Only [Use] sets it.
var Active = choose(os.Getenv("UPROAR_KERNELS"), Paths())

// FastScatter reports whether a bit is set fast in a word that was just written. A value takes 0.3
// ns on Intel's processors, and 0.65 on AMD's (Zen 5). Tests set it.
var FastScatter = vendor() == "GenuineIntel"

// FastPairs reports whether VP2INTERSECTD is faster than eight comparisons of sixteen values with
// one each. Beside AVX512, AMD's processors that have it take one cycle. Those of Intel (Tiger
// Lake) take some 15.
var FastPairs = HasPairs() && vendor() == "AuthenticAMD"

// Paths returns the paths that can be taken on this processor, in this build: [Generic] first, the
// best one last.
func Paths() []Path { return []Path{Generic, AVX2, AVX512}[:best+1] }

// Use makes p the path that is taken, or returns false if this processor has not got it. It is for
// tests and measurements: no kernel may run meanwhile.
func Use(p Path) bool {
	if p > best {
		return false
	}
	Active = p
	return true
}

// cpuid returns what the processor says of a leaf and subleaf (Intel, Software Developer's Manual,
// volume 2, CPUID).
func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

// xgetbv returns register XCR0: which registers the operating system saves when it changes threads.
// It may be called if the processor has OSXSAVE.
func xgetbv() (low, high uint32)

// Bits of CPUID and of XCR0.
const (
	// leaf 1, register c
	leaf1 = 1<<20 /* SSE4.2 */ | 1<<23 /* POPCNT */ | 1<<27 /* OSXSAVE */ | 1<<28 /* AVX */
	// leaf 7, register b
	leaf7AVX2   = 1<<3 /* BMI1 */ | 1<<5 /* AVX2 */ | 1<<8                                 /* BMI2 */
	leaf7AVX512 = 1<<16 /* F */ | 1<<17 /* DQ */ | 1<<28 /* CD */ | 1<<30 /* BW */ | 1<<31 /* VL */
	// leaf 7, register c
	leaf7More = 1<<1 /* VBMI */ | 1<<6 /* VBMI2 */ | 1<<12 /* BITALG */ | 1<<14 /* VPOPCNTDQ */
	// leaf 7, register d
	leaf7Pairs = 1 << 8 // VP2INTERSECT
	// XCR0
	savedAVX2   = 1<<1 | 1<<2        /* XMM, YMM */
	savedAVX512 = 1<<5 | 1<<6 | 1<<7 /* masks, upper halves of ZMM0 to 15, ZMM16 to 31 */
)

// vendor returns the twelve letters by which a processor names its maker.
func vendor() string {
	_, b, c, d := cpuid(0, 0)
	var name []byte
	for _, letters := range [...]uint32{b, d, c} {
		name = binary.LittleEndian.AppendUint32(name, letters)
	}
	return string(name)
}

// detect asks the processor and the operating system which path they have.
func detect() Path {
	highest, _, _, _ := cpuid(0, 0)
	if highest < 7 {
		return Generic
	}
	if _, _, c, _ := cpuid(1, 0); c&leaf1 != leaf1 {
		return Generic
	}
	saved, _ := xgetbv()
	_, b, c, _ := cpuid(7, 0)
	if saved&savedAVX2 != savedAVX2 || b&leaf7AVX2 != leaf7AVX2 {
		return Generic
	}
	if saved&savedAVX512 != savedAVX512 || b&leaf7AVX512 != leaf7AVX512 || c&leaf7More != leaf7More {
		return AVX2
	}
	return AVX512
}

// HasPairs reports whether the processor has VP2INTERSECT, beside AVX512.
func HasPairs() bool {
	_, _, _, d := cpuid(7, 0)
	return best == AVX512 && d&leaf7Pairs != 0
}
