// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// func valuesInArraysAVX512(few []uint64, a *Arrays) int
//
// As packedInArraysAVX512, with up to 32 values in Z2 to Z5.
TEXT ·valuesInArraysAVX512(SB), NOSPLIT, $16-40
	MOVQ few_base+0(FP), AX
	MOVQ few_len+8(FP), R10
	MOVL $-1, BX
	BZHIL R10, BX, BX
	KMOVD BX, K1
	VMOVDQU64.Z (AX), K1, Z2
	KSHIFTRD $8, K1, K1
	VMOVDQU64.Z 64(AX), K1, Z3
	KSHIFTRD $8, K1, K1
	VMOVDQU64.Z 128(AX), K1, Z4
	KSHIFTRD $8, K1, K1
	VMOVDQU64.Z 192(AX), K1, Z5
	MOVQ a+24(FP), DI
	MOVQ Arrays_Body(DI), R12
	MOVQ (Arrays_Body+8)(DI), R13
	MOVQ Arrays_Keys(DI), SI
	ADDQ R12, SI
	MOVQ Arrays_KeyBytes(DI), R11
	MOVQ R11, keyBytes-8(SP)
	SHLL $3, R11
	MOVQ Arrays_EndBytes(DI), CX
	MOVQ CX, endBytes-16(SP)
	MOVQ Arrays_Ends(DI), R8
	ADDQ R12, R8
	LEAQ -8(R8)(CX*1), R8
	MOVL $64, R9
	SHLL $3, CX
	SUBL CX, R9
	MOVQ Arrays_Payloads(DI), AX
	ADDQ AX, R12
	SUBQ AX, R13
	MOVQ Arrays_Count(DI), CX
	XORL DX, DX
	KXORD K3, K3, K3
	KXORD K4, K4, K4
	KXORD K5, K5, K5
	KXORD K6, K6, K6
container:
	BZHIQ R11, (SI), AX
	SHRXQ R9, (R8), BX
	TESTL $3, BX
	JNE  other
	SHLQ $16, AX
	SHRQ $2, BX
	CMPQ BX, R13
	JHI  passed
	INCQ DX
	CMPQ DX, BX
	JCC  passed
value:
	MOVWQZX -1(R12)(DX*1), R15
	ORQ  AX, R15
	VPBROADCASTQ R15, Z0
	VPCMPEQQ Z0, Z2, K1
	VPCMPEQQ Z0, Z3, K2
	KORB K1, K3, K3
	KORB K2, K4, K4
	VPCMPEQQ Z0, Z4, K1
	VPCMPEQQ Z0, Z5, K2
	KORB K1, K5, K5
	KORB K2, K6, K6
	ADDQ $2, DX
	CMPQ DX, BX
	JCS  value
passed:
	MOVQ BX, DX
	ADDQ keyBytes-8(SP), SI
	ADDQ endBytes-16(SP), R8
	DECQ CX
	JNE  container
	KUNPCKBW K3, K4, K3
	KUNPCKBW K5, K6, K5
	KUNPCKWD K3, K5, K3
	KMOVD K3, AX
	BZHIL R10, AX, AX
	POPCNTL AX, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET
other:
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET
