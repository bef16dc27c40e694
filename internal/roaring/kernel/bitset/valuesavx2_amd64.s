// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

DATA lanes64<>+0(SB)/8, $0
DATA lanes64<>+8(SB)/8, $1
DATA lanes64<>+16(SB)/8, $2
DATA lanes64<>+24(SB)/8, $3
GLOBL lanes64<>(SB), RODATA|NOPTR, $32

// FIRST writes the place of the first one that is left in AX, plus the word's, R9, at AT bytes, and
// takes it away.
#define FIRST(AT) \
	TZCNTQ AX, CX                  \
	BLSRQ AX, AX                   \
	ADDQ R9, CX                    \
	MOVQ CX, AT(DI)

// PLACES writes the places of the ones of the lowest byte of AX, and drops it. Y1 and Y2 have the
// place of its first bit plus the numbers of the lanes, 0 to 3 and 4 to 7.
#define PLACES \
	MOVBLZX AX, BX                 \
	POPCNTL BX, CX                 \
	SHLL $4, BX                    \
	VPMOVZXWQ (R10)(BX*1), Y3      \
	VPMOVZXWQ 8(R10)(BX*1), Y4     \
	VPADDQ Y1, Y3, Y3              \
	VPADDQ Y2, Y4, Y4              \
	VPADDQ Y6, Y1, Y1              \
	VPADDQ Y6, Y2, Y2              \
	VMOVDQU Y3, (DI)               \
	VMOVDQU Y4, 32(DI)             \
	SHRQ $8, AX                    \
	LEAQ (DI)(CX*8), DI

// func wordsValuesAVX2(dst []uint64, words []byte, base uint64) (n, read int)
//
// The first eight ones of a word are written even if it has fewer, since their number cannot be
// guessed. A word of more goes by the table of the zeros before each one of a byte. R12 is the last
// place at which there is room for 64 values.
TEXT ·wordsValuesAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R12
	LEAQ -512(DI)(R12*8), R12
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), R8
	ANDQ $-8, R8
	ADDQ SI, R8
	MOVQ base+48(FP), R9
	LEAQ ·zerosBefore(SB), R10
	VMOVDQU lanes64<>(SB), Y5
	VPCMPEQQ Y6, Y6, Y6
	VPSRLQ $63, Y6, Y6
	VPSLLQ $2, Y6, Y7        // 4 in each lane
	VPSLLQ $3, Y6, Y6        // and 8
	VPADDQ Y5, Y7, Y7
	JMP  next
word:
	MOVQ (SI), AX
	ADDQ $8, SI
	TESTQ AX, AX
	JE   skip
	POPCNTQ AX, BX
	CMPL BX, $8
	JHI  many
	FIRST(0)
	FIRST(8)
	FIRST(16)
	FIRST(24)
	FIRST(32)
	FIRST(40)
	FIRST(48)
	FIRST(56)
	LEAQ (DI)(BX*8), DI
	JMP  skip
many:
	VMOVQ R9, X1
	VPBROADCASTQ X1, Y1
	VPADDQ Y7, Y1, Y2
	VPADDQ Y5, Y1, Y1
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
skip:
	ADDQ $64, R9
next:
	CMPQ SI, R8
	JAE  done
	CMPQ DI, R12
	JLE  word
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+56(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+64(FP)
	RET
