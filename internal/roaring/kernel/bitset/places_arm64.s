// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

DATA places<>+0(SB)/8, $0x0003000200010000
DATA places<>+8(SB)/8, $0x0007000600050004
GLOBL places<>(SB), RODATA|NOPTR, $16

// func bitsetToArrayNEON(dst []byte, a *Words) int
//
// The first four places of a word are written even if it has fewer ones, since their number cannot
// be guessed. For a word of more ones, a table gives the places of the ones of a byte at once: the
// zeros before each one, to which its number is added (after Kurz's and Lemire's decoding of
// bitsets by tables, 2018). Where they are written follows from a multiplication that adds up the
// counts of all bytes of a word (Vigna, Broadword Implementation of Rank/Select Queries, 2008). R0
// is the place in dst, R11 its end, R8 the last place at which there is room for a word, R1 the
// next word, R9 the end of the words, R7 the value of the word's first bit.
TEXT ·bitsetToArrayNEON(SB), NOSPLIT, $0-40
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	MOVD a+24(FP), R1
	ADD  $8192, R1, R9
	MOVD ZR, R7
	AND  $~1, R11
	ADD  R0, R11
	SUB  $128, R11, R8
	MOVD $·zerosBefore(SB), R13
	MOVD $places<>(SB), R2
	FMOVQ (R2), F5
	MOVD $0x0101010101010101, R14
	B    next

// FIRST writes the place of the first one that is left in R12 at AT bytes, and takes it away.
#define FIRST(AT) \
	RBIT R12, R2                   \
	SUB  $1, R12, R3               \
	CLZ  R2, R2                    \
	AND  R3, R12                   \
	ADD  R7, R2                    \
	MOVH R2, AT(R0)

word:
	MOVD.P 8(R1), R4
	CBZ  R4, skip
	CMP  R8, R0
	BGT  tail
	FMOVD R4, F0
	VCNT V0.B8, V0.B8
	FMOVD F0, R5
	MUL  R14, R5, R5         // byte k: the ones of bytes 0 to k
	MOVD R4, R12
	FIRST(0)
	FIRST(2)
	FIRST(4)
	FIRST(6)
	CBZ  R12, few
	LSL  $8, R5, R6          // byte k: the ones before byte k
	VDUP R7, V2.H8
	VADD V5.H8, V2.H8, V2.H8
	VMOVI $8, V3.B16
	VUSHR $8, V3.H8, V3.H8

// PLACES writes the places of the ones of byte K. V2 has the place of its first bit plus the number
// of the lane.
#define PLACES(K) \
	UBFX $(8*K), R4, $8, R2        \
	UBFX $(8*K), R6, $8, R3        \
	LOADENTRY(2, 13, 4)            \
	ADD  R3<<1, R0, R3             \
	VADD V2.H8, V4.H8, V4.H8       \
	VADD V3.H8, V2.H8, V2.H8       \
	FMOVQ F4, (R3)

	PLACES(0)
	PLACES(1)
	PLACES(2)
	PLACES(3)
	PLACES(4)
	PLACES(5)
	PLACES(6)
	PLACES(7)
few:
	LSR  $56, R5
	ADD  R5<<1, R0
skip:
	ADD  $64, R7
next:
	CMP  R9, R1
	BLO  word
	B    done
tail:
	CMP  R11, R0
	BHS  done
	RBIT R4, R2
	CLZ  R2, R2
	SUB  $1, R4, R3
	ADD  R7, R2
	ANDS R3, R4
	MOVH.P R2, 2(R0)
	BNE  tail
	B    skip
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $1, R0
	MOVD R0, ret+32(FP)
	RET

// func bitsetLowsNEON(dst []uint16, a *Words) int
TEXT ·bitsetLowsNEON(SB), NOSPLIT, $0-40
	MOVD dst_len+8(FP), R3
	LSL  $1, R3
	MOVD R3, dst_len+8(FP)
	B    ·bitsetToArrayNEON(SB)
