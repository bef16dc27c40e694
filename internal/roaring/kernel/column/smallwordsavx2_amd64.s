// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// What a word is multiplied by for each distance, so that its lowest bit becomes bit 7: there are
// no shifts of lanes of 16 bits by their own distance.
DATA powers<>+0(SB)/8, $0x0102040810204080
DATA powers<>+8(SB)/8, $0
GLOBL powers<>(SB), RODATA|NOPTR, $16

// func smallWordsAVX2(dst, lows []uint16, words []byte, offset, bits int) (n, most int)
//
// Eight words at a time, as long as there are two bytes for each of them, which are loaded one by
// one: a gather takes longer on some processors, and has no lanes of 16 bits.
TEXT ·smallWordsAVX2(SB), NOSPLIT, $32-104
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ words_base+48(FP), BX
	MOVQ words_len+56(FP), R8
	XORL AX, AX
	VPXOR X5, X5, X5
	SUBQ $2, R8
	JB   done
	MOVL $0x0FFFFFFF, R9 // above all places; those before the column, of 32 bits without a sign, are above it
	CMPQ R8, R9
	CMOVQHI R9, R8
	VMOVD R8, X15
	VPBROADCASTD X15, Y15    // the last place of two bytes
	MOVQ offset+72(FP), R9
	VMOVD R9, X14
	VPBROADCASTD X14, Y14
	MOVQ bits+80(FP), R9
	VMOVD R9, X13
	VPBROADCASTD X13, Y13
	MOVQ $-1, R10
	BZHIQ R9, R10, R10
	VMOVD R10, X12
	VPBROADCASTW X12, X12
	VPCMPEQD Y11, Y11, Y11
	VPSRLD $29, Y11, Y11     // 7 in each lane
	VPCMPEQW X10, X10, X10
	VPSLLW $15, X10, X10     // what makes the upper byte of a factor zero
	VMOVDQU powers<>(SB), X9
	SUBQ $8, CX
	JL   done
loop:
	VPMOVZXWD (SI)(AX*2), Y0
	VPADDD Y14, Y0, Y0
	VPMULLD Y13, Y0, Y0
	VPSRLD $3, Y0, Y1
	VPCMPGTD Y15, Y1, Y2
	VPTEST Y2, Y2
	JNE  done
	VMOVDQU Y1, places-32(SP)
	VPAND Y11, Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPACKUSDW X2, X0, X0
	VPOR X10, X0, X0
	VPSHUFB X0, X9, X0
	MOVL places-32(SP), R9
	MOVL places-28(SP), R10
	MOVL places-24(SP), R11
	MOVL places-20(SP), R12
	VPINSRW $0, (BX)(R9*1), X3, X3
	VPINSRW $1, (BX)(R10*1), X3, X3
	VPINSRW $2, (BX)(R11*1), X3, X3
	VPINSRW $3, (BX)(R12*1), X3, X3
	MOVL places-16(SP), R9
	MOVL places-12(SP), R10
	MOVL places-8(SP), R11
	MOVL places-4(SP), R12
	VPINSRW $4, (BX)(R9*1), X4, X4
	VPINSRW $5, (BX)(R10*1), X4, X4
	VPINSRW $6, (BX)(R11*1), X4, X4
	VPINSRW $7, (BX)(R12*1), X4, X4
	VPBLENDW $0xF0, X4, X3, X3
	VPMULLW X0, X3, X3
	VPSRLW $7, X3, X3
	VPAND X12, X3, X3
	VPMAXUW X3, X5, X5
	VMOVDQU X3, (DI)(AX*2)
	ADDQ $8, AX
	CMPQ AX, CX
	JLE  loop
done:
	VPSRLDQ $8, X5, X0
	VPMAXUW X0, X5, X0
	VPSRLDQ $4, X0, X1
	VPMAXUW X1, X0, X0
	VPSRLDQ $2, X0, X1
	VPMAXUW X1, X0, X0
	VPEXTRW $0, X0, BX
	VZEROUPPER
	MOVQ AX, n+88(FP)
	MOVQ BX, most+96(FP)
	RET
