// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Two lists are merged four values by four: each of four values of a is compared with each of four
// of b, and the block with the smaller last value is exchanged for the next, as with arrays. Which
// one that is, is
// calculated, as it cannot be guessed.
//
// R1 and R2 are the places in a and b, R8 and R9 the last ones at which four values stand.

#define LISTS(AT) \
	MOVD a_base+(AT)(FP), R1       \
	MOVD a_len+(AT+8)(FP), R8      \
	MOVD b_base+(AT+24)(FP), R2    \
	MOVD b_len+(AT+32)(FP), R9     \
	ADD  R8<<3, R1, R8             \
	ADD  R9<<3, R2, R9             \
	SUB  $32, R8                   \
	SUB  $32, R9

// WHOLE jumps to few if one of both lists has less than four values left. Signed, as a place before
// the memory may be meant.
#define WHOLE \
	CMP  R8, R1                    \
	BGT  few                       \
	CMP  R9, R2                    \
	BGT  few

// MATCH leaves in V16 and V20 which of the four values of a, in V0 and V1, are among those of b.
#define MATCH \
	FLDPQ (R1), (F0, F1)           \
	FLDPQ (R2), (F2, F3)           \
	VEXT $8, V2.B16, V2.B16, V4.B16 \
	VEXT $8, V3.B16, V3.B16, V5.B16 \
	VCMEQ V0.D2, V2.D2, V16.D2     \
	VCMEQ V0.D2, V3.D2, V17.D2     \
	VCMEQ V0.D2, V4.D2, V18.D2     \
	VCMEQ V0.D2, V5.D2, V19.D2     \
	VCMEQ V1.D2, V2.D2, V20.D2     \
	VCMEQ V1.D2, V3.D2, V21.D2     \
	VCMEQ V1.D2, V4.D2, V22.D2     \
	VCMEQ V1.D2, V5.D2, V23.D2     \
	VORR V17.B16, V16.B16, V16.B16 \
	VORR V19.B16, V18.B16, V18.B16 \
	VORR V21.B16, V20.B16, V20.B16 \
	VORR V23.B16, V22.B16, V22.B16 \
	VORR V18.B16, V16.B16, V16.B16 \
	VORR V22.B16, V20.B16, V20.B16

// EXCHANGE moves on in a, or b, or both.
#define EXCHANGE \
	MOVD 24(R1), R5                \
	MOVD 24(R2), R6                \
	CMP  R6, R5                    \
	CSET LS, R5                    \
	CSET HS, R6                    \
	ADD  R5<<5, R1                 \
	ADD  R6<<5, R2

// func valuesAndLenNEON(a, b []uint64) (n, i, j int)
//
// The lanes of V25 and V26 count what has been found.
TEXT ·valuesAndLenNEON(SB), NOSPLIT, $0-72
	LISTS(0)
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
whole:
	WHOLE
	MATCH
	VSUB V16.D2, V25.D2, V25.D2
	VSUB V20.D2, V26.D2, V26.D2
	EXCHANGE
	B    whole
few:
	VADD V26.D2, V25.D2, V25.D2
	VMOV V25.D[0], R3
	VMOV V25.D[1], R4
	ADD  R4, R3
	MOVD R3, n+48(FP)
	MOVD a_base+0(FP), R3
	SUB  R3, R1
	LSR  $3, R1
	MOVD R1, i+56(FP)
	MOVD b_base+24(FP), R3
	SUB  R3, R2
	LSR  $3, R2
	MOVD R2, j+64(FP)
	RET

// func valuesAndNEON(dst, a, b []uint64) (n, i, j int)
//
// The masks of four values become 16 bits each of R5, which say how far the next value of the four
// is written behind the one before: each is written, whether it counts or not. R0 is the place in
// dst, R11 the last one with room for
// four.
TEXT ·valuesAndNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	ADD  R11<<3, R0, R11
	SUB  $32, R11
	LISTS(24)
whole:
	WHOLE
	CMP  R11, R0
	BGT  few
	MATCH
	VUZP1 V20.S4, V16.S4, V16.S4
	XTNH(16, 16)
	LDP  (R1), (R3, R4)
	LDP  16(R1), (R6, R7)
	FMOVD F16, R5
	MOVD R3, (R0)
	AND  $8, R5, R10
	ADD  R10, R0
	MOVD R4, (R0)
	AND  $(8<<16), R5, R10
	ADD  R10>>16, R0
	MOVD R6, (R0)
	AND  $(8<<32), R5, R10
	ADD  R10>>32, R0
	MOVD R7, (R0)
	AND  $(8<<48), R5, R10
	ADD  R10>>48, R0
	EXCHANGE
	B    whole
few:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $3, R0
	MOVD R0, n+72(FP)
	MOVD a_base+24(FP), R3
	SUB  R3, R1
	LSR  $3, R1
	MOVD R1, i+80(FP)
	MOVD b_base+48(FP), R3
	SUB  R3, R2
	LSR  $3, R2
	MOVD R2, j+88(FP)
	RET
