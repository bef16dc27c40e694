// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func containedLenNEON(values []uint64, bits []byte, base uint64) int
//
// Four values at a time: two vectors make them places, and those outside the first place, which is
// there unless there are no bits. Words of 64 bits are then looked up one by one, whose bit is
// found by a shift that takes a place as it is. How often the
// first place stood for another, V28 and V29, which count those inside below zero, say at the end:
// that is cheaper than to leave each out by itself. R10 and R11 count in halves of 32 bits, as BFI
// puts two bits together in one step: enough for fewer than 2³³ values.
TEXT ·containedLenNEON(SB), NOSPLIT, $0-64
	MOVD values_base+0(FP), R1
	MOVD values_len+8(FP), R3
	MOVD bits_base+24(FP), R2
	MOVD bits_len+32(FP), R16
	MOVD base+48(FP), R17
	MOVD ZR, R10
	LSL  $3, R16 // places
	CBZ  R16, done
	MOVD ZR, R11
	VDUP R17, V30.D2
	VDUP R16, V31.D2
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	AND  $~3, R3, R12
	SUBS $4, R3
	BLT  whole
loop:
	FLDPQ.P 32(R1), (F0, F1)
	VSUB V30.D2, V0.D2, V0.D2
	VSUB V30.D2, V1.D2, V1.D2
	CMHID(0, 31, 2)
	CMHID(1, 31, 3)
	VAND V2.B16, V0.B16, V0.B16
	VAND V3.B16, V1.B16, V1.B16
	VADD V2.D2, V28.D2, V28.D2
	VADD V3.D2, V29.D2, V29.D2
	FMOVD F0, R4
	VMOV V0.D[1], R5
	FMOVD F1, R6
	VMOV V1.D[1], R7
	LSR  $6, R4, R8
	LSR  $6, R5, R9
	LSR  $6, R6, R14
	LSR  $6, R7, R15
	MOVD (R2)(R8<<3), R8
	MOVD (R2)(R9<<3), R9
	MOVD (R2)(R14<<3), R14
	MOVD (R2)(R15<<3), R15
	LSR  R4, R8, R8
	LSR  R5, R9, R9
	LSR  R6, R14, R14
	LSR  R7, R15, R15
	AND  $1, R8
	BFI  $32, R9, $1, R8
	AND  $1, R14
	BFI  $32, R15, $1, R14
	ADD  R8, R10
	ADD  R14, R11
	SUBS $4, R3
	BGE  loop
whole:
	ADD  R10>>32, R11, R4
	ADD  R11>>32, R10, R5
	MOVWU R4, R4
	MOVWU R5, R5
	ADD  R4, R5, R10
	VADD V29.D2, V28.D2, V28.D2
	FMOVD F28, R4
	VMOV V28.D[1], R5
	ADD  R4, R12
	ADD  R5, R12
	MOVBU (R2), R4
	AND  $1, R4
	MSUB R4, R10, R12, R10
	ADDS $4, R3
	BEQ  done
one:
	MOVD.P 8(R1), R4
	SUB  R17, R4
	CMP  R16, R4
	CSEL LO, R4, ZR, R4
	CSET LO, R6
	LSR  $6, R4, R5
	MOVD (R2)(R5<<3), R5
	LSR  R4, R5, R5
	AND  R6, R5
	ADD  R5, R10
	SUBS $1, R3
	BNE  one
done:
	MOVD R10, ret+56(FP)
	RET
