// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Lower parts in lanes of 32 bits, for files that fetch them by VPSHUFB.

DATA laneNumbers<>+0(SB)/8, $0x0000000100000000
DATA laneNumbers<>+8(SB)/8, $0x0000000300000002
GLOBL laneNumbers<>(SB), RODATA|NOPTR, $16

// LANES leaves in PLACE the bytes that four lanes of 32 bits are fetched from by VPSHUFB, and in
// SHIFT their distances, where the first begins at bit BIT of the bytes.
#define LANES(BIT, PLACE, SHIFT) \
	VMOVD BIT, X0                  \
	VPBROADCASTD X0, X0            \
	VPADDD X5, X0, X0              \
	VPAND X7, X0, SHIFT            \
	VPSRLD $3, X0, PLACE           \
	VPMULLD X8, PLACE, PLACE       \
	VPADDD X9, PLACE, PLACE

// EIGHTLANES leaves in Y10 and Y11 the bytes and the distances of eight lower parts of R9 bits, of
// which the first begins at bit AX of the bytes that are loaded, up to 7, in R10 how many bytes
// behind those of the
// first four those of the others are loaded, and in Y14 the bits of each lane that are a part. It
// changes AX and BX.
#define EIGHTLANES \
	VMOVD R9, X5                   \
	VPBROADCASTD X5, X5            \
	VPMULLD laneNumbers<>(SB), X5, X5 \
	MOVL $7, BX                    \
	VMOVD BX, X7                   \
	VPBROADCASTD X7, X7            \
	MOVL $0x01010101, BX           \
	VMOVD BX, X8                   \
	VPBROADCASTD X8, X8            \
	MOVL $0x03020100, BX           \
	VMOVD BX, X9                   \
	VPBROADCASTD X9, X9            \
	LANES(AX, X10, X11)            \
	LEAQ (AX)(R9*4), AX            \
	MOVL AX, R10                   \
	SHRL $3, R10                   \
	ANDL $7, AX                    \
	LANES(AX, X12, X13)            \
	VINSERTI128 $1, X12, Y10, Y10  \
	VINSERTI128 $1, X13, Y11, Y11  \
	MOVL $-1, BX                   \
	BZHIL R9, BX, BX               \
	VMOVD BX, X14                  \
	VPBROADCASTD X14, Y14
