// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The upper part is at most two words; the second may hold none of its bits. Arithmetic selects the
// word, and PDEP of one bit under its zeros, or ones, finds the place in it. The processor has
// nothing to guess.

// WORDS loads the upper part, of R9 bits, of the block at SI, whose last eight bytes stand at R8,
// which is negative if it has fewer, to AX and BX. It leaves DI zero, and changes CX and DX.
#define WORDS \
	XORL DI, DI \
	MOVQ R8, CX \
	CMPQ R8, DI \
	CMOVQGT DI, CX \
	MOVQ (SI)(CX*1), AX \
	SHLQ $3, CX \
	NEGQ CX \
	SHRXQ CX, AX, AX \
	BZHIQ R9, AX, AX \
	MOVL $8, CX \
	CMPQ CX, R8 \
	CMOVQGT R8, CX \
	MOVQ (SI)(CX*1), BX \
	SHLQ $3, CX \
	NEGQ CX \
	SHRXQ CX, BX, BX \
	MOVQ R9, CX \
	SUBQ $64, CX \
	CMOVQLT DI, CX \
	BZHIQ CX, BX, BX

// LOWER loads the lower part at bit DI, which DX masks, to out. It changes AX and tmp.
#define LOWER(tmp, out) \
	MOVQ DI, AX \
	SHRQ $3, AX \
	CMPQ AX, R8 \
	CMOVQGT R8, AX \
	MOVQ (SI)(AX*1), out \
	SHLQ $3, AX \
	MOVQ DI, tmp \
	SUBQ AX, tmp \
	SHRXQ tmp, out, out \
	ANDQ DX, out

// COMPARE compares lower part number k of a bucket with that of d, R11: it sets bit k of R15 if it
// is less, and of BX if it is the same.
#define COMPARE(k) \
	LOWER(R14, R12) \
	XORL AX, AX \
	CMPQ R12, R11 \
	SETEQ AX \
	SBBQ R12, R12 \
	ANDL $(1<<k), R12 \
	ORL  R12, R15 \
	SHLL $k, AX \
	ORL  AX, BX \
	ADDQ R10, DI

// func packedFindAVX2(p *Packed, upper int, d uint64) (i int, found bool)
//
// Zero number h, from 0, ends the bucket of upper bits h. All bits behind the upper part count as
// zeros, so that zero exists unless h is larger than all upper bits. The ones next to it are the
// bucket. Three are compared, even if there are fewer.
TEXT ·packedFindAVX2(SB), NOSPLIT, $0-33
	MOVQ p+0(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), R8
	SUBQ $8, R8
	MOVQ Packed_Low(DI), R10
	MOVQ Packed_N(DI), R15
	MOVQ R15, i+24(FP) // until it is known
	MOVQ upper+8(FP), R9
	MOVQ d+16(FP), R11
	WORDS
	SHRXQ R10, R11, R12
	MOVL $127, DX
	CMPQ R12, DX
	CMOVQHI DX, R12
	// R14 becomes the zeros of the word, AX the ones of the word before it, R15 which of its zeros
	// is meant, and CX the place of its first bit.
	MOVQ AX, R13
	NOTQ R13
	MOVQ BX, R14
	NOTQ R14
	POPCNTQ R13, DX
	MOVL $64, CX
	MOVQ R12, R15
	SUBQ DX, R15
	CMOVQCS R12, R15
	CMOVQCS R13, R14
	CMOVQCS DI, AX
	CMOVQCS DI, CX
	POPCNTQ R14, DX
	MOVL $1, BX
	SHLXQ R15, BX, BX
	PDEPQ R14, BX, BX
	TZCNTQ BX, BX
	// R13 becomes what precedes the zero, inverted, the nearest in the highest bits.
	MOVQ R14, R13
	NOTQ R13
	ADDQ R13, R13
	MOVQ BX, R14
	NOTQ R14
	SHLXQ R14, R13, R13
	SHRXQ BX, AX, AX
	ORQ  AX, R13
	NOTQ R13
	BSRQ R13, R13
	JEQ  other
	XORQ $63, R13
	ADDQ CX, BX
	SUBQ R12, BX
	MOVQ i+24(FP), CX
	CMPQ R15, DX
	CMOVQCC CX, BX
	CMOVQCC DI, R13
	// R13 values are in the bucket, and BX are less or in it.
	CMPQ R13, $3
	JHI  other
	CMPQ BX, CX
	JGT  other
	SUBQ R13, BX
	JLT  other
	MOVQ BX, i+24(FP)
	MOVQ $-1, DX
	BZHIQ R10, DX, DX
	ANDQ DX, R11
	MOVQ BX, DI
	IMULQ R10, DI
	ADDQ R9, DI
	XORL R15, R15
	XORL BX, BX
	COMPARE(0)
	COMPARE(1)
	COMPARE(2)
	BZHIL R13, R15, R15
	BZHIL R13, BX, BX
	POPCNTL R15, R15
	ADDQ R15, i+24(FP)
	TESTL BX, BX
	SETNE found+32(FP)
	RET
other:
	MOVQ $-1, i+24(FP)
	MOVB $0, found+32(FP)
	RET

// func packedAtAVX2(p *Packed, upper, i int) (d uint64, ok bool)
TEXT ·packedAtAVX2(SB), NOSPLIT, $0-33
	MOVQ p+0(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), R8
	SUBQ $8, R8
	MOVQ Packed_Low(DI), R10
	MOVQ upper+8(FP), R9
	MOVQ i+16(FP), R12
	WORDS
	POPCNTQ AX, DX
	MOVL $64, CX
	MOVQ R12, R15
	SUBQ DX, R15
	CMOVQCS R12, R15
	CMOVQCS AX, BX
	CMOVQCS DI, CX
	POPCNTQ BX, R14
	CMPQ R15, R14
	SETCS ok+32(FP) // unless the block is not valid
	MOVL $1, R13
	SHLXQ R15, R13, R13
	PDEPQ BX, R13, R13
	TZCNTQ R13, BX
	ADDQ CX, BX
	SUBQ R12, BX
	SHLXQ R10, BX, BX
	MOVQ R12, DI
	IMULQ R10, DI
	ADDQ R9, DI
	MOVQ $-1, DX
	BZHIQ R10, DX, DX
	LOWER(R14, R13)
	ORQ  R13, BX
	MOVQ BX, d+24(FP)
	RET
