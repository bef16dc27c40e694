// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// BYTE makes at the byte in which a bit of a block stands or, if less than eight bytes are there
// from it on, the last one from which eight are: it may lie before the block.
#define BYTE(bit, last, at) \
	MOVQ bit, at \
	SHRQ $3, at \
	CMPQ at, last \
	CMOVQGT last, at

// DISTANCE makes bit its distance from byte at.
#define DISTANCE(bit, at) \
	SHLQ $3, at \
	SUBQ at, bit

// LOWER loads the lower part at a bit of the longer block to sum, XOR AX: a bit of sum is zero
// where AX has the same. It changes bit and at.
#define LOWER(bit, at, sum) \
	BYTE(bit, last-8(SP), at) \
	MOVQ (R8)(at*1), sum \
	DISTANCE(bit, at) \
	SHRXQ bit, sum, sum \
	XORQ AX, sum \
	ANDQ mask-16(SP), sum

// MANY makes ready the block at AX, whose upper part has CX bits: R8 is the block, R10 a word of
// the upper part, with R9 zeros before it, R13 its zeros as ones, R15 the low width. It changes BX,
// DX, R11 and R12.
#define MANY \
	MOVQ Packed_Block(AX), R8 \
	MOVQ (Packed_Block+8)(AX), BX \
	SUBQ $8, BX \
	MOVQ BX, last-8(SP) \
	MOVQ Packed_N(AX), DX \
	MOVQ DX, count-24(SP) \
	MOVQ Packed_Low(AX), R15 \
	MOVQ $-1, DX \
	BZHIQ R15, DX, DX \
	MOVQ DX, mask-16(SP) \
	MOVQ CX, DX \
	SUBQ R15, DX \
	MOVQ DX, lower-32(SP) \
	MOVQ CX, R11 \
	ANDQ $~63, R11 \
	BYTE(R11, BX, R12) \
	MOVQ (R8)(R12*1), R13 \
	DISTANCE(R11, R12) \
	SHRXQ R11, R13, R13 \
	MOVQ CX, DX \
	ANDQ $63, CX \
	BZHIQ CX, R13, R13 \
	NOTQ R13 \
	MOVQ R13, tail-48(SP) \
	SHRQ $6, DX \
	LEAQ (R8)(DX*8), DX \
	MOVQ DX, whole-40(SP) \
	XORL R9, R9 \
	MOVQ R8, R10 \
	CMPQ R10, DX \
	JAE  ready \
	MOVQ (R10), R13 \
	NOTQ R13 \
ready:

// SEARCH looks up AX, whose upper part BX has CX zeros more than R9, in the block. It goes to
// common if AX is there, to none if not, to behind if there are fewer zeros, and to far if it
// cannot decide.
#define SEARCH(common, none, behind, far) \
word: \
	POPCNTQ R13, DX \
	CMPQ CX, DX \
	JLT  found \
	CMPQ R10, whole-40(SP) \
	JAE  behind \
	SUBQ DX, CX \
	ADDQ DX, R9 \
	ADDQ $8, R10 \
	MOVQ tail-48(SP), R13 \
	CMPQ R10, whole-40(SP) \
	JAE  word \
	MOVQ (R10), R13 \
	NOTQ R13 \
	JMP  word \
found: \
	/* DX becomes the place of zero number CX, from 0. */ \
	/* CX becomes what precedes it, inverted, the nearest in the highest bits. */ \
	XORL DX, DX \
	BTSQ CX, DX \
	PDEPQ R13, DX, DX \
	TZCNTQ DX, DX \
	MOVQ R13, CX \
	NOTQ CX \
	ADDQ CX, CX \
	MOVQ DX, R11 \
	NOTQ R11 \
	SHLXQ R11, CX, CX \
	XORL R11, R11 \
	CMPQ R10, R8 \
	JEQ  first \
	SHRXQ DX, -8(R10), R11 \
first: \
	ORQ  R11, CX \
	NOTQ CX \
	BSRQ CX, CX /* 63 less the size of the bucket */ \
	JEQ  far \
	CMPQ CX, $63 \
	JEQ  none \
	MOVQ R10, R11 \
	SUBQ R8, R11 \
	LEAQ (DX)(R11*8), R11 \
	SUBQ BX, R11 /* index behind the bucket */ \
	CMPQ R11, count-24(SP) \
	JHI  far \
	LEAQ -63(R11)(CX*1), DX \
	TESTQ DX, DX \
	JLT  far \
	IMULQ R15, R11 \
	ADDQ lower-32(SP), R11 /* the last lower part of the bucket */ \
another: \
	MOVQ R11, BX \
	LOWER(BX, DX, R12) \
	TESTQ R12, R12 \
	JEQ  common \
	SUBQ R15, R11 \
	INCQ CX \
	CMPQ CX, $63 \
	JLT  another \
	JMP  none

// func packedMeetAVX2(few, many *Packed, fewUpper, manyUpper int) (n int)
//
// Of the shorter block: SI is the block, DI what is left of its upper part, R14 the bit of the next
// lower part. AX is a value, BX its upper part in the longer block, CX how many zeros it has more
// than R9. Eight bytes before
// the end of each block may be read. The search is that of packedKeepAVX2. It returns -1 at a value
// that is far away, or in a bucket of 64 and more.
TEXT ·packedMeetAVX2(SB), NOSPLIT, $80-40
	MOVQ $0, n+32(FP)
	MOVQ many+8(FP), AX
	MOVQ manyUpper+24(FP), CX
	MANY
	MOVQ few+0(FP), AX
	MOVQ Packed_Block(AX), SI
	MOVQ (Packed_Block+8)(AX), BX
	SUBQ $8, BX
	MOVQ BX, fewLast-56(SP)
	MOVQ Packed_N(AX), CX
	MOVQ CX, left-64(SP)
	MOVQ Packed_Low(AX), CX
	MOVQ CX, fewLow-72(SP)
	MOVQ $0, index-80(SP)
	MOVQ fewUpper+16(FP), R14
	XORL R11, R11
	BYTE(R11, BX, R12)
	MOVQ (SI)(R12*1), DI
	DISTANCE(R11, R12)
	SHRXQ R11, DI, DI
	BZHIQ R14, DI, DI
loop:
	TESTQ DI, DI
	JEQ  done
	DECQ left-64(SP)
	JLT  done
	MOVQ fewLast-56(SP), DX
	BYTE(R14, DX, CX)
	MOVQ (SI)(CX*1), AX
	MOVQ R14, DX
	DISTANCE(DX, CX)
	SHRXQ DX, AX, AX
	MOVQ fewLow-72(SP), CX
	BZHIQ CX, AX, AX
	ADDQ CX, R14
	TZCNTQ DI, BX
	BLSRQ DI, DI
	SUBQ index-80(SP), BX
	INCQ index-80(SP)
	SHLXQ CX, BX, BX
	ORQ  BX, AX
	SHRXQ R15, AX, BX
	CMPQ BX, manyUpper+24(FP)
	JHI  done
	MOVQ BX, CX
	SUBQ R9, CX
	CMPQ CX, $const_meetFar
	JHI  far
	SEARCH(common, loop, done, far)
common:
	INCQ n+32(FP)
	JMP  loop
far:
	MOVQ $-1, n+32(FP)
done:
	RET
