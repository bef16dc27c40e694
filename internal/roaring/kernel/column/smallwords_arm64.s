// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// TWOBYTES leaves in register D the two bytes of the word of the low at bit AT of FROM.
#define TWOBYTES(FROM, AT, D) \
	UBFX $AT, FROM, $16, R9        \
	MADDW R8, R13, R9, R9          \
	LSR  $3, R9                    \
	LOADHALF(9, 2, D)

// func smallWordsNEON(dst, lows []uint16, words []byte, offset, bits int) (n, most int)
//
// It reads as many words as are whole vectors of eight, or none if one of these is not there, which
// the least and the greatest of all lows say. Nothing is gathered: the bytes of eight words are
// loaded one by one, and zipped; the rest is done for eight at a time.
TEXT ·smallWordsNEON(SB), NOSPLIT, $0-104
	MOVD dst_base+0(FP), R0
	MOVD lows_base+24(FP), R1
	MOVD lows_len+32(FP), R3
	MOVD words_base+48(FP), R2
	MOVD words_len+56(FP), R6
	MOVD offset+72(FP), R7
	MOVD bits+80(FP), R8
	LSR  $3, R3
	LSL  $3, R3, R14
	VEOR V26.B16, V26.B16, V26.B16
	CBZ  R3, none
	VEOR V24.B16, V24.B16, V24.B16
	VCMEQ V25.B16, V25.B16, V25.B16
	MOVD R1, R9
	MOVD R3, R10
extremes:
	FMOVQ.P 16(R9), F0
	VUMAX V0.H8, V24.H8, V24.H8
	VUMIN V0.H8, V25.H8, V25.H8
	SUBS $1, R10
	BNE  extremes
	UMAXVH(24, 24)
	UMINVH(25, 25)
	VMOV V24.H[0], R10
	VMOV V25.H[0], R11
	ADDS R7, R11
	BMI  none
	ADD  R7, R10
	MUL  R8, R10
	LSR  $3, R10
	ADD  $2, R10
	CMP  R6, R10
	BHI  none
	MUL  R8, R7, R13
	VDUP R13, V28.H8
	VDUP R8, V29.H8
	VMOVI $7, V30.B16
	VUSHR $8, V30.H8, V30.H8
	MOVD $1, R9
	LSL  R8, R9
	SUB  $1, R9
	VDUP R9, V31.H8
loop:
	FMOVQ (R1), F16
	LDP.P 16(R1), (R4, R5)
	TWOBYTES(R4, 0, 0)
	TWOBYTES(R4, 16, 1)
	TWOBYTES(R4, 32, 2)
	TWOBYTES(R4, 48, 3)
	TWOBYTES(R5, 0, 4)
	TWOBYTES(R5, 16, 5)
	TWOBYTES(R5, 32, 6)
	TWOBYTES(R5, 48, 7)
	MULH(29, 16, 16)
	VADD V28.H8, V16.H8, V16.H8
	VAND V30.B16, V16.B16, V16.B16
	NEGH(16, 16)             // how far each is shifted to the right
	VZIP1 V1.H8, V0.H8, V0.H8
	VZIP1 V3.H8, V2.H8, V2.H8
	VZIP1 V5.H8, V4.H8, V4.H8
	VZIP1 V7.H8, V6.H8, V6.H8
	VZIP1 V2.S4, V0.S4, V0.S4
	VZIP1 V6.S4, V4.S4, V4.S4
	VZIP1 V4.D2, V0.D2, V0.D2
	USHLH(16, 0, 0)
	VAND V31.B16, V0.B16, V0.B16
	VUMAX V0.H8, V26.H8, V26.H8
	FMOVQ.P F0, 16(R0)
	SUBS $1, R3
	BNE  loop
	UMAXVH(26, 26)
	VMOV V26.H[0], R9
	MOVD R14, n+88(FP)
	MOVD R9, most+96(FP)
	RET
none:
	MOVD ZR, n+88(FP)
	MOVD ZR, most+96(FP)
	RET
