// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// PROBE8 looks up the values Z3 that K3 names and adds how many are there to R10: those beyond the
// end are not gathered, and their words stay zero.
#define PROBE8 \
	VPSUBQ Z1, Z3, Z3 \
	VPCMPUQ $1, Z2, Z3, K3, K1 \
	VPSRLQ $6, Z3, Z4 \
	VPXORQ Z5, Z5, Z5 \
	VPGATHERQQ (DI)(Z4*8), K1, Z5 \
	VPRORVQ Z3, Z5, Z5 \
	VPTESTMQ Z6, Z5, K2 \
	KMOVB K2, AX \
	POPCNTL AX, AX \
	ADDQ AX, R10

// func containedLenAVX512(values []uint64, bits []byte, base uint64) int
TEXT ·containedLenAVX512(SB), NOSPLIT, $0-64
	MOVQ values_base+0(FP), SI
	MOVQ values_len+8(FP), R8
	MOVQ bits_base+24(FP), DI
	MOVQ bits_len+32(FP), DX
	SHLQ $3, DX
	VPBROADCASTQ base+48(FP), Z1
	VPBROADCASTQ DX, Z2 // bits
	MOVQ $1, AX
	VPBROADCASTQ AX, Z6
	XORQ R10, R10
	KXNORB K3, K3, K3
	SUBQ $8, R8
	JLT  few
eight:
	VMOVDQU64 (SI), Z3
	PROBE8
	ADDQ $64, SI
	SUBQ $8, R8
	JGE  eight
few:
	ADDQ $8, R8
	JEQ  done
	MOVQ $-1, AX
	BZHIQ R8, AX, AX
	KMOVB AX, K3
	VMOVDQU64.Z (SI), K3, Z3
	PROBE8
done:
	VZEROUPPER
	MOVQ R10, ret+56(FP)
	RET

// func containedLenAVX2(values []uint64, bits []byte, base uint64) (n int)
TEXT ·containedLenAVX2(SB), NOSPLIT, $0-64
	MOVQ values_base+0(FP), SI
	MOVQ values_len+8(FP), R8
	MOVQ bits_base+24(FP), DI
	MOVQ bits_len+32(FP), DX
	SHLQ $3, DX
	MOVQ $-0x8000000000000000, AX
	XORQ AX, DX
	VPBROADCASTQ base+48(FP), Y1
	VMOVQ DX, X2
	VPBROADCASTQ X2, Y2 // bits, less 2⁶³: comparisons are of signed numbers
	VMOVQ AX, X6
	VPBROADCASTQ X6, Y6
	MOVQ $63, AX
	VMOVQ AX, X7
	VPBROADCASTQ X7, Y7
	XORQ R10, R10
	SUBQ $4, R8
	JLT  done
four:
	VMOVDQU (SI), Y3
	VPSUBQ Y1, Y3, Y3
	VPXOR Y6, Y3, Y4
	VPCMPGTQ Y4, Y2, Y0
	VPSRLQ $6, Y3, Y4
	VPXOR Y5, Y5, Y5
	VPGATHERQQ Y0, (DI)(Y4*8), Y5
	VPANDN Y7, Y3, Y3 // the distance of the bit from the highest one
	VPSLLVQ Y3, Y5, Y5
	VMOVMSKPD Y5, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $32, SI
	SUBQ $4, R8
	JGE  four
done:
	VZEROUPPER
	MOVQ R10, n+56(FP)
	RET
