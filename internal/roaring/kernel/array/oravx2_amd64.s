// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// What or_amd64.s does with 32 values at a time, with eight: shuffles put what each step of
// the network compares into two vectors, and a table of shuffles drops what is equal to its
// neighbour, as in
// CRoaring's union. Where an array ends, values go through a buffer on the stack.
//
// SI and DX are the places in a and b, R8 and R9 their ends, DI is the place in dst and R11 its
// end. X0 has the values at hand, X1 those written last; R10 has the table.

DATA turned8<>+0(SB)/8, $0x09080B0A0D0C0F0E
DATA turned8<>+8(SB)/8, $0x0100030205040706
GLOBL turned8<>(SB), RODATA|NOPTR, $16

#define BEGIN \
	MOVQ dst_base+0(FP), DI        \
	MOVQ dst_len+8(FP), R11        \
	MOVQ a_base+24(FP), SI         \
	MOVQ a_len+32(FP), R8          \
	MOVQ b_base+48(FP), DX         \
	MOVQ b_len+56(FP), R9          \
	ANDQ $-2, R8                   \
	ANDQ $-2, R9                   \
	ANDQ $-2, R11                  \
	ADDQ DI, R11                   \
	ADDQ SI, R8                    \
	ADDQ DX, R9                    \
	LEAQ ·together(SB), R10        \
	VMOVDQU turned8<>(SB), X15     \
	VPCMPEQW X14, X14, X14         \
	VMOVDQA X14, X1                \
	MOVL $0xFE, R13

// PART loads up to eight values between FROM and END to TO. 65 535 stands for missing ones.
#define PART(FROM, END, TO, all, one, loaded) \
	MOVQ END, AX                   \
	SUBQ FROM, AX                  \
	CMPQ AX, $16                   \
	JGE  all                       \
	VMOVDQU X14, buffer-16(SP)     \
	LEAQ buffer-16(SP), CX         \
one:                               \
	MOVW (FROM), BX                \
	MOVW BX, (CX)                  \
	ADDQ $2, FROM                  \
	ADDQ $2, CX                    \
	SUBQ $2, AX                    \
	JNE  one                       \
	VMOVDQU buffer-16(SP), TO      \
	JMP  loaded                    \
all:                               \
	VMOVDQU (FROM), TO             \
	ADDQ $16, FROM                 \
loaded:

// NETWORK brings the 16 values of X0 and X2 in order, the lower half in X3, the upper half in X0.
#define NETWORK \
	VPSHUFB X15, X2, X2            \
	VPMINUW X2, X0, X3             \
	VPMAXUW X2, X0, X4             \
	VPUNPCKLQDQ X4, X3, X5         \
	VPUNPCKHQDQ X4, X3, X6         \
	VPMINUW X6, X5, X3             \
	VPMAXUW X6, X5, X4             \
	VSHUFPS $0x88, X4, X3, X5      \
	VSHUFPS $0xDD, X4, X3, X6      \
	VPMINUW X6, X5, X3             \
	VPMAXUW X6, X5, X4             \
	VPSLLD $16, X4, X5             \
	VPSRLD $16, X3, X6             \
	VPBLENDW $0xAA, X5, X3, X5     \
	VPBLENDW $0xAA, X4, X6, X6     \
	VPMINUW X6, X5, X3             \
	VPMAXUW X6, X5, X4             \
	VPUNPCKLWD X4, X3, X5          \
	VPUNPCKHWD X4, X3, X6          \
	VPUNPCKLQDQ X6, X5, X3         \
	VPUNPCKHQDQ X6, X5, X0

// KEEP moves those values of FROM together that the equal lanes of X4 do not have, nor what DROPPED
// has not, to X4, and leaves in AX how many they are.
#define KEEP(FROM, COUNTED) \
	VPACKSSWB X4, X4, X4           \
	VPMOVMSKB X4, AX               \
	NOTL AX                        \
	ANDL COUNTED, AX               \
	MOVL AX, CX                    \
	SHLL $4, CX                    \
	VPSHUFB (R10)(CX*1), FROM, X4  \
	POPCNTL AX, AX

// ONCE leaves in X4 the values of X3 that differ from the one before. It makes X3 the values
// written last.
#define ONCE \
	VPALIGNR $14, X1, X3, X4       \
	VPCMPEQW X3, X4, X4            \
	KEEP(X3, $255)                 \
	VMOVDQA X3, X1

// ALONE does the same for values that differ from both neighbours. The last one is left for the
// next time, as its neighbour is not known; R13 drops what the first time has before
// the first value.
#define ALONE \
	VPALIGNR $14, X1, X3, X5       \
	VPALIGNR $12, X1, X3, X6       \
	VPCMPEQW X3, X5, X4            \
	VPCMPEQW X6, X5, X6            \
	VPOR X6, X4, X4                \
	KEEP(X5, R13)                  \
	VMOVDQA X3, X1                 \
	MOVL $0xFF, R13

// WRITE writes the AX values of X4, as many as there is room for: what fills arrays up takes none.
#define WRITE(all, one, written) \
	MOVQ R11, BX                   \
	SUBQ DI, BX                    \
	CMPQ BX, $16                   \
	JGE  all                       \
	SHRQ $1, BX                    \
	CMPQ AX, BX                    \
	CMOVQHI BX, AX                 \
	TESTQ AX, AX                   \
	JE   written                   \
	VMOVDQU X4, buffer-16(SP)      \
	LEAQ buffer-16(SP), CX         \
one:                               \
	MOVW (CX), BX                  \
	MOVW BX, (DI)                  \
	ADDQ $2, CX                    \
	ADDQ $2, DI                    \
	DECQ AX                        \
	JNE  one                       \
	JMP  written                   \
all:                               \
	VMOVDQU X4, (DI)               \
	LEAQ (DI)(AX*2), DI            \
written:

// MERGE is the body up to the last values at hand. As long as both arrays have eight values left
// the vectors are written as a whole: there is room, since eight values more
// have been read.
#define MERGE(DROP) \
	BEGIN                          \
	PART(SI, R8, X0, allAtFirst, oneAtFirst, loadedAtFirst) \
whole:                             \
	LEAQ 16(SI), AX                \
	LEAQ 16(DX), BX                \
	CMPQ AX, R8                    \
	JHI  few                       \
	CMPQ BX, R9                    \
	JHI  few                       \
	MOVWLZX (SI), AX               \
	MOVWLZX (DX), BX               \
	XORL R12, R12                  \
	MOVQ SI, CX                    \
	CMPL AX, BX                    \
	CMOVQHI DX, CX                 \
	SETLS R12                      \
	VMOVDQU (CX), X2               \
	SHLL $4, R12                   \
	ADDQ R12, SI                   \
	XORL $16, R12                  \
	ADDQ R12, DX                   \
	NETWORK                        \
	DROP                           \
	VMOVDQU X4, (DI)               \
	LEAQ (DI)(AX*2), DI            \
	JMP  whole                     \
few:                               \
	CMPQ SI, R8                    \
	JAE  noMore                    \
	CMPQ DX, R9                    \
	JAE  first                     \
	MOVWLZX (SI), AX               \
	MOVWLZX (DX), BX               \
	CMPL AX, BX                    \
	JHI  second                    \
first:                             \
	PART(SI, R8, X2, allOfFirst, oneOfFirst, loadedFirst) \
	JMP  step                      \
noMore:                            \
	CMPQ DX, R9                    \
	JAE  rest                      \
second:                            \
	PART(DX, R9, X2, allOfSecond, oneOfSecond, loadedSecond) \
step:                              \
	NETWORK                        \
	DROP                           \
	WRITE(allOfStep, oneOfStep, writtenStep) \
	JMP  few                       \
rest:                              \
	VMOVDQA X0, X3                 \
	DROP                           \
	WRITE(allOfRest, oneOfRest, writtenRest)

#define END \
	SUBQ dst_base+0(FP), DI        \
	SHRQ $1, DI                    \
	MOVQ DI, ret+72(FP)            \
	RET

// func arrayOrAVX2(dst, a, b []byte) int
TEXT ·arrayOrAVX2(SB), NOSPLIT, $16-80
	MERGE(ONCE)
	END

// func arrayXorAVX2(dst, a, b []byte) int
TEXT ·arrayXorAVX2(SB), NOSPLIT, $16-80
	MERGE(ALONE)
	// The very last value, and 65 535 behind it.
	VMOVDQA X14, X3
	ALONE
	WRITE(allOfLast, oneOfLast, writtenLast)
	END
