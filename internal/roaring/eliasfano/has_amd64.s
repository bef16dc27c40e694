// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// LOWER loads the lower part at bit off of the block to out, XOR R11: a bit of out is zero where
// R11 has the same. It changes at.
#define LOWER(off, at, out) \
	MOVQ off, at \
	SHRQ $3, at \
	CMPQ at, R8 \
	CMOVQGT R8, at \
	MOVQ (SI)(at*1), out \
	SHLQ $3, at \
	NEGQ at \
	ADDQ off, at \
	SHRXQ at, out, out \
	XORQ R11, out \
	BZHIQ R10, out, out

// func packedHasAVX2(p *Packed, upper int, d uint64) int
//
// SI is the block, R8 where its last eight bytes begin, R9 the bits of the upper part, R10 the low
// width, R11 the value and R12 how many zeros of the word AX stand before the end of its bucket.
// R13 counts the ones of the
// words before, R14 is the number of bits that are left from the word on. Two PDEP of one bit, the
// one under the zeros and the other under the places behind them, give the end of the bucket and
// its begin: what is between
// are ones. The first value is compared whether there is one or not; only whether there are more is
// a jump.
TEXT ·packedHasAVX2(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), R8
	SUBQ $8, R8
	MOVQ Packed_Low(DI), R10
	MOVQ upper+8(FP), R9
	MOVQ d+16(FP), R11
	SHRXQ R10, R11, R12
	MOVQ R8, CX
	SARQ $63, CX
	ANDQ R8, CX
	MOVQ (SI)(CX*1), AX
	SHLQ $3, CX
	NEGQ CX
	SHRXQ CX, AX, AX
	XORL R13, R13
	CMPQ R9, $64
	JHI  long
	BZHIQ R9, AX, AX
	NOTQ AX
bucket:
	LEAQ 1(AX)(AX*1), BX
	MOVL $63, DI
	CMPQ R12, $64
	SBBQ DX, DX
	CMOVQCC DI, R12
	NEGQ DX // one, or zero if there are fewer zeros
	SHLXQ R12, DX, DX
	PDEPQ AX, DX, CX
	PDEPQ BX, DX, BX
	SUBQ BX, CX // the ones of the bucket
	TZCNTQ BX, DX
	SUBQ R12, DX
	ADDQ R13, DX // index of its first value
	IMULQ R10, DX
	ADDQ R9, DX
	LOWER(DX, AX, BX)
	CMPQ BX, $1 // carry if it is the same
	SBBQ BX, BX
	ANDQ CX, BX // not zero if there is one, too
	BLSRQ CX, CX
	JNE  more
	NEGQ BX
	SBBQ BX, BX
	NEGQ BX
	MOVQ BX, ret+24(FP)
	RET
more:
	TESTQ BX, BX
	JNE  one
compare:
	ADDQ R10, DX
	LOWER(DX, AX, BX)
	TESTQ BX, BX
	JEQ  one
	BLSRQ CX, CX
	JNE  compare
none:
	MOVQ $0, ret+24(FP)
	RET
one:
	MOVQ $1, ret+24(FP)
	RET
long:
	MOVQ R9, R14
	XORL DI, DI // the word before
	NOTQ AX
word:
	POPCNTQ AX, CX
	CMPQ R12, CX
	JLT  found
	SUBQ CX, R12
	SUBQ $64, R14
	JLE  last
	SUBQ CX, R13
	ADDQ $64, R13
	NOTQ AX
	MOVQ AX, DI
	MOVQ R9, CX
	SUBQ R14, CX
	SHRQ $3, CX
	MOVQ CX, DX
	CMPQ CX, R8
	CMOVQGT R8, CX
	MOVQ (SI)(CX*1), AX
	SUBQ CX, DX
	SHLQ $3, DX
	SHRXQ DX, AX, AX
	MOVL $64, CX
	CMPQ R14, CX
	CMOVQLT R14, CX
	BZHIQ CX, AX, AX
	NOTQ AX
	JMP  word
last:
	TESTQ R12, R12
	JNE  none
	TESTQ AX, AX
	JMI  none
	MOVQ $-1, ret+24(FP) // the bucket is the last one, and ends with the word
	RET
found:
	TESTQ R12, R12
	JNE  bucket
	TESTQ DI, DI
	JPL  bucket
	MOVQ $-1, ret+24(FP) // the bucket begins in the word before
	RET
