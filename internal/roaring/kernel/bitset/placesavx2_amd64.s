// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Without VPCOMPRESSB a table has the zeros before each one of a byte, eight lanes of 16 bits a
// byte. The place of a one is what the table has, the number of the one and the place of the byte.

DATA eightLanes<>+0(SB)/8, $0x0003000200010000
DATA eightLanes<>+8(SB)/8, $0x0007000600050004
GLOBL eightLanes<>(SB), RODATA|NOPTR, $16

// func bitsetToArrayAVX2(dst []byte, a *Words) int
//
// The first four places of a word are written even if it has fewer ones, since their number cannot
// be guessed. A word of more ones goes by the table. DI is the place in dst, R11 its end, R12 the
// last place at which there is room for a word, SI the next word, R8 the end of the words, R9 the
// value of the word's first bit.
TEXT ·bitsetToArrayAVX2(SB), NOSPLIT, $0-40
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ANDQ $-2, R11
	ADDQ DI, R11
	LEAQ -128(R11), R12
	MOVQ a+24(FP), SI
	LEAQ 8192(SI), R8
	XORL R9, R9
	LEAQ ·zerosBefore(SB), R10
	VMOVDQU eightLanes<>(SB), X5
	VPCMPEQW X6, X6, X6
	VPSRLW $15, X6, X6
	VPSLLW $3, X6, X6        // 8 in each lane
	JMP  next

// FIRST writes the place of the first one that is left in BX at AT bytes, and takes it away.
#define FIRST(AT) \
	TZCNTQ BX, CX                  \
	BLSRQ BX, BX                   \
	ADDL R9, CX                    \
	MOVW CX, AT(DI)

// PLACES writes the places of the ones of the lowest byte of AX, and drops it. X2 has the place of
// its first bit plus the number of the lane.
#define PLACES \
	MOVBLZX AX, BX                 \
	POPCNTL BX, CX                 \
	SHLL $4, BX                    \
	VPADDW (R10)(BX*1), X2, X4     \
	VPADDW X6, X2, X2              \
	SHRQ $8, AX                    \
	VMOVDQU X4, (DI)               \
	LEAQ (DI)(CX*2), DI

word:
	MOVQ (SI), AX
	ADDQ $8, SI
	TESTQ AX, AX
	JE   skip
	CMPQ DI, R12
	JG   tail
	MOVQ AX, BX
	FIRST(0)
	FIRST(2)
	FIRST(4)
	FIRST(6)
	TESTQ BX, BX
	JE   few
	VMOVD R9, X2
	VPBROADCASTW X2, X2
	VPADDW X5, X2, X2
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	PLACES
	JMP  skip
few:
	POPCNTQ AX, AX
	LEAQ (DI)(AX*2), DI
skip:
	ADDL $64, R9
next:
	CMPQ SI, R8
	JB   word
	JMP  done
tail:
	CMPQ DI, R11
	JAE  done
	TZCNTQ AX, CX
	ADDL R9, CX
	MOVW CX, (DI)
	ADDQ $2, DI
	BLSRQ AX, AX
	JNE  tail
	JMP  skip
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+32(FP)
	RET

// func bitsetLowsAVX2(dst []uint16, a *Words) int
TEXT ·bitsetLowsAVX2(SB), NOSPLIT, $0-40
	SHLQ $1, dst_len+8(FP)
	JMP  ·bitsetToArrayAVX2(SB)
