// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// How the kernels of directories (arraysoffsets.go) begin.

// BODY leaves in DI the place in dst, whose values have 2^SCALE bytes, and in R11 its end, in R15
// the container to begin with, and in R13 and R10 the body and its size. AX is the directory.
#define BODY(SCALE) \
	MOVQ dst_base+0(FP), DI        \
	MOVQ dst_len+8(FP), R11        \
	SHLQ $SCALE, R11               \
	ADDQ DI, R11                   \
	MOVQ a+24(FP), AX              \
	MOVQ i+32(FP), R15             \
	MOVQ Arrays_Body(AX), R13      \
	MOVQ (Arrays_Body+8)(AX), R10

// FIELDS leaves in SI the key of container R15, in R12 the bits of a key, in R8 eight bytes that
// the end of the container before closes, in R9 how many bits precede an end in these, and in R13
// and R10 the payloads and their size.
#define FIELDS \
	MOVQ Arrays_KeyBytes(AX), R12  \
	MOVQ R12, keyBytes-8(SP)       \
	MOVQ R15, SI                   \
	IMULQ R12, SI                  \
	ADDQ Arrays_Keys(AX), SI       \
	ADDQ R13, SI                   \
	SHLL $3, R12                   \
	MOVQ Arrays_EndBytes(AX), CX   \
	MOVQ CX, endBytes-16(SP)       \
	MOVQ R15, R8                   \
	IMULQ CX, R8                   \
	ADDQ Arrays_Ends(AX), R8       \
	LEAQ -8(R13)(R8*1), R8         \
	MOVL $64, R9                   \
	SHLL $3, CX                    \
	SUBL CX, R9                    \
	MOVQ Arrays_Payloads(AX), AX   \
	ADDQ AX, R13                   \
	SUBQ AX, R10

// START leaves in DX where the payload of container R15 begins: it jumps to begin with zero if that
// is the first one.
#define START \
	XORL DX, DX                    \
	TESTQ R15, R15                 \
	JE   begin                     \
	SHRXQ R9, (R8), DX             \
	SHRQ $2, DX
