// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func placeShortAVX2(room []byte, size, n int, d uint64) (i int, found bool)
//
// The steps are those of placeShortGeneric. PDEP of one bit under the zeros of a word finds the zero of that number; the lower parts, up to sixteen, are compared all at
// once, and vectors of 128 bits leave the upper halves of the registers clean.
TEXT ·placeShortAVX2(SB), NOSPLIT, $0-57
	MOVQ room_base+0(FP), SI
	MOVQ size+24(FP), R8
	MOVQ n+32(FP), R9
	MOVQ d+40(FP), R10
	LEAQ (R9)(R9*1), AX
	SUBQ AX, R8              // byte at which the lower parts begin
	JLE  none
	MOVQ R10, R11
	SHRQ $16, R11            // upper bits of d
	LEAQ (R8*8), R12
	CMPQ R11, R12
	JAE  none
	LEAQ 1(R11), DX          // zeros needed
	MOVQ (SI), AX
	MOVQ 8(SI), BX
	MOVQ 16(SI), CX
	MOVQ 24(SI), DI
	NOTQ AX
	NOTQ BX
	NOTQ CX
	NOTQ DI
	ANDQ $-256, AX
	ORQ  $128, AX            // bits 0 to 6 are no zeros, bit 7 is
	XORL R15, R15            // zeros before the word
	XORL R9, R9              // the word
	POPCNTQ AX, R13
	CMPQ R13, DX
	CMOVQCS R13, R15
	CMOVQCS BX, AX
	ADCQ $0, R9
	POPCNTQ BX, BX
	ADDQ BX, R13
	CMPQ R13, DX
	CMOVQCS R13, R15
	CMOVQCS CX, AX
	ADCQ $0, R9
	POPCNTQ CX, CX
	ADDQ CX, R13
	CMPQ R13, DX
	CMOVQCS R13, R15
	CMOVQCS DI, AX
	ADCQ $0, R9
word:
	POPCNTQ AX, BX
	ADDQ R15, BX
	CMPQ BX, DX
	JAE  bucket
	MOVQ BX, R15
	INCQ R9
	LEAQ (R9*8), CX
	CMPQ CX, R8
	JAE  none
	MOVQ (SI)(R9*8), AX
	NOTQ AX
	JMP  word
bucket:
	SUBQ R15, DX
	DECQ DX
	MOVL $1, BX
	SHLXQ DX, BX, BX
	PDEPQ AX, BX, BX
	TZCNTQ BX, BX
	SHLQ $6, R9
	LEAQ 1(BX)(R9*1), AX     // bit at which the bucket begins
	CMPQ AX, R12
	JHI  none
	LEAQ -8(AX), BX
	SUBQ R11, BX             // values before the bucket
	CMPQ BX, n+32(FP)
	JGT  other
	// The ones that follow.
	MOVQ room_len+8(FP), CX
	LEAQ -8(CX), R13
	MOVQ AX, DX
	SHRQ $3, DX
	CMPQ DX, R13
	CMOVQHI R13, DX
	MOVQ (SI)(DX*1), R15
	SHLQ $3, DX
	MOVQ AX, DI
	SUBQ DX, DI
	SHRXQ DI, R15, R15
	NOTQ R15
	TZCNTQ R15, R15
	CMPQ R15, $16
	JHI  other
	SUBQ AX, R12
	CMPQ R15, R12
	CMOVQHI R12, R15         // values of the bucket
	// Sixteen lower parts from there, or from as many before as lie inside the room.
	LEAQ (R8)(BX*2), R8
	XORL DI, DI
	LEAQ 33(R8), DX
	SUBQ CX, DX
	CMOVQLT DI, DX
	SHRQ $1, DX              // values before the bucket that are read with it
	LEAQ (DX)(DX*1), DI
	SUBQ DI, R8
	JB   other
	VMOVDQU (SI)(R8*1), X0
	VMOVDQU 16(SI)(R8*1), X1
	VMOVQ R10, X2
	VPBROADCASTW X2, X2
	VPXOR X5, X5, X5
	VPSUBUSW X0, X2, X3
	VPSUBUSW X1, X2, X4
	VPCMPEQW X5, X3, X3
	VPCMPEQW X5, X4, X4
	VPACKSSWB X4, X3, X3
	VPMOVMSKB X3, AX         // values that are not less
	VPCMPEQW X0, X2, X0
	VPCMPEQW X1, X2, X1
	VPACKSSWB X1, X0, X0
	VPMOVMSKB X0, CX         // the same value
	NOTL AX
	SHRXL DX, AX, AX
	SHRXL DX, CX, CX
	BZHIL R15, AX, AX
	BZHIL R15, CX, CX
	POPCNTL AX, AX
	ADDQ AX, BX
	MOVQ BX, i+48(FP)
	TESTL CX, CX
	SETNE found+56(FP)
	RET
none:
	MOVQ n+32(FP), BX
	MOVQ BX, i+48(FP)
	MOVB $0, found+56(FP)
	RET
other:
	MOVQ $-1, i+48(FP)
	MOVB $0, found+56(FP)
	RET
