// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// LOCATE makes R8 the address of 64 values of the CX at SI, among which those stand that are next
// to DX: each step leaves a quarter, by three comparisons
// that do not wait for each other and jump nowhere.
#define LOCATE(step, last) \
	MOVQ SI, R8 \
	MOVQ CX, R9 \
	LEAQ -128(SI)(CX*2), R12 \
step: \
	CMPQ R9, $64 \
	JLE  last \
	MOVQ R9, R10 \
	SHRQ $2, R10 \
	LEAQ (R8)(R10*2), R11 \
	XORL AX, AX \
	CMPW -2(R11), DX \
	ADCL $0, AX \
	CMPW -2(R11)(R10*2), DX \
	ADCL $0, AX \
	CMPW -2(R11)(R10*4), DX \
	ADCL $0, AX \
	IMULQ R10, AX \
	LEAQ (R8)(AX*2), R8 \
	LEAQ (R10)(R10*2), R10 \
	SUBQ R10, R9 \
	JMP  step \
last: \
	CMPQ R8, R12 \
	CMOVQHI R12, R8 \
	VMOVD DX, X0 \
	VPBROADCASTW X0, Y0

// SAME compares all of the window with DX: ZF says that none is the same.
#define SAME \
	VPCMPEQW (R8), Y0, Y1 \
	VPCMPEQW 32(R8), Y0, Y2 \
	VPCMPEQW 64(R8), Y0, Y3 \
	VPCMPEQW 96(R8), Y0, Y4 \
	VPOR Y2, Y1, Y1 \
	VPOR Y4, Y3, Y3 \
	VPOR Y3, Y1, Y1 \
	VPTEST Y1, Y1

// func searchArrayAVX2(lows []byte, x uint16) int
TEXT ·searchArrayAVX2(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	SHRQ $1, CX
	MOVWLZX x+24(FP), DX
	LOCATE(step, last)
	VPXOR Y5, Y5, Y5
	VPSUBUSW (R8), Y0, Y1
	VPSUBUSW 32(R8), Y0, Y2
	VPSUBUSW 64(R8), Y0, Y3
	VPSUBUSW 96(R8), Y0, Y4
	VPCMPEQW Y5, Y1, Y1
	VPCMPEQW Y5, Y2, Y2
	VPCMPEQW Y5, Y3, Y3
	VPCMPEQW Y5, Y4, Y4
	VPACKSSWB Y2, Y1, Y1
	VPACKSSWB Y4, Y3, Y3
	VPMOVMSKB Y1, AX         // values that are not less
	VPMOVMSKB Y3, BX
	VZEROUPPER
	SHLQ $32, AX
	ORQ  BX, AX
	POPCNTQ AX, AX
	SUBQ SI, R8
	SHRQ $1, R8
	ADDQ $64, R8
	SUBQ AX, R8
	MOVQ R8, ret+32(FP)
	RET

// func arrayContainsAVX2(lows []byte, x uint16) bool
TEXT ·arrayContainsAVX2(SB), NOSPLIT, $0-33
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	SHRQ $1, CX
	MOVWLZX x+24(FP), DX
	LOCATE(step, last)
	SAME
	SETNE ret+32(FP)
	VZEROUPPER
	RET

// func arrayTinyLenAVX2(few, many []byte) int
//
// BX is in few, and R13 how many were found. No search waits for the one before it.
TEXT ·arrayTinyLenAVX2(SB), NOSPLIT, $0-56
	MOVQ few_base+0(FP), BX
	MOVQ few_len+8(FP), DI
	ANDQ $~1, DI
	ADDQ BX, DI
	MOVQ many_base+24(FP), SI
	MOVQ many_len+32(FP), CX
	SHRQ $1, CX
	XORL R13, R13
next:
	CMPQ BX, DI
	JAE  done
	MOVWLZX (BX), DX
	LOCATE(step, last)
	XORL AX, AX
	SAME
	SETNE AX
	ADDQ AX, R13
	ADDQ $2, BX
	JMP  next
done:
	VZEROUPPER
	MOVQ R13, ret+48(FP)
	RET

// func arrayTinyAVX2(dst, few, many []byte, flip int) int
//
// DI is in dst, where each value is written; R13 is the end of few.
TEXT ·arrayTinyAVX2(SB), NOSPLIT, $0-88
	MOVQ dst_base+0(FP), DI
	MOVQ few_base+24(FP), BX
	MOVQ few_len+32(FP), R13
	ANDQ $~1, R13
	ADDQ BX, R13
	MOVQ many_base+48(FP), SI
	MOVQ many_len+56(FP), CX
	SHRQ $1, CX
	MOVQ flip+72(FP), R15
next:
	CMPQ BX, R13
	JAE  done
	MOVWLZX (BX), DX
	MOVW DX, (DI)
	LOCATE(step, last)
	XORL AX, AX
	SAME
	SETNE AX
	XORQ R15, AX
	LEAQ (DI)(AX*2), DI
	ADDQ $2, BX
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+80(FP)
	RET
