// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Sums of sixteen numbers at once, for files that select by them.

// Of each sixteen numbers the last one of the four before its own, and that of the four before
// those, as sums of two fours.
DATA groups<>+0(SB)/8, $0x0000000000000000
DATA groups<>+8(SB)/8, $0x0000000000000000
DATA groups<>+16(SB)/8, $0x0000000300000003
DATA groups<>+24(SB)/8, $0x0000000300000003
DATA groups<>+32(SB)/8, $0x0000000700000007
DATA groups<>+40(SB)/8, $0x0000000700000007
DATA groups<>+48(SB)/8, $0x0000000B0000000B
DATA groups<>+56(SB)/8, $0x0000000B0000000B
GLOBL groups<>(SB), RODATA|NOPTR, $64

DATA halves<>+0(SB)/8, $0x0000000000000000
DATA halves<>+8(SB)/8, $0x0000000000000000
DATA halves<>+16(SB)/8, $0x0000000000000000
DATA halves<>+24(SB)/8, $0x0000000000000000
DATA halves<>+32(SB)/8, $0x0000000300000003
DATA halves<>+40(SB)/8, $0x0000000300000003
DATA halves<>+48(SB)/8, $0x0000000700000007
DATA halves<>+56(SB)/8, $0x0000000700000007
GLOBL halves<>(SB), RODATA|NOPTR, $64

// FIND looks for the first of sixteen numbers, Z1, that the sum of those up to it, which Z2
// becomes, exceeds what is left of i in all of Z0; K1 says which of the numbers are there, and AX
// which sums exceed it. Sums
// of four, then of two groups of four, then of four groups: the steps are the same for all numbers.
#define FIND \
	VPSLLDQ $4, Z1, Z2 \
	VPADDD Z1, Z2, Z2 \
	VPSLLDQ $8, Z2, Z3 \
	VPADDD Z3, Z2, Z2 \
	VPERMD.Z Z2, Z28, K5, Z3 \
	VPADDD Z3, Z2, Z2 \
	VPERMD.Z Z2, Z29, K6, Z3 \
	VPADDD Z3, Z2, Z2 \
	VPCMPUD $6, Z0, Z2, K1, K2 \
	KMOVW K2, AX

// PASS takes the sum of all sixteen off what is left.
#define PASS \
	VPSHUFD $0xFF, Z2, Z3 \
	VSHUFI32X4 $0xFF, Z3, Z3, Z3 \
	VPSUBD Z3, Z0, Z0

// SOME makes K1 the mask of the first sixteen of the CX numbers that are left, or of all: whether
// there are as many should not be guessed.
#define SOME \
	MOVL    $16, BX \
	CMPQ    CX, BX \
	CMOVQCS CX, BX \
	MOVL    $-1, AX \
	BZHIL   BX, AX, AX \
	KMOVW   AX, K1

// BEGIN leaves in Z28 and Z29 where the sums of fours come from, K5 and K6 saying for which numbers
// there are some, and makes all of Z31 -1 and all of Z0 i.
#define BEGIN \
	XORL DX, DX \
	MOVL i+24(FP), AX \
	VPBROADCASTD AX, Z0 \
	VMOVDQU64 groups<>(SB), Z28 \
	VMOVDQU64 halves<>(SB), Z29 \
	MOVL $0xFFF0, BX \
	KMOVW BX, K5 \
	MOVL $0xFF00, BX \
	KMOVW BX, K6 \
	VPTERNLOGD $0xFF, Z31, Z31, Z31

// FOUND makes BX the place, and AX what is left there. DX is the place of the first number.
#define FOUND \
	TZCNTL AX, BX \
	ADDQ DX, BX \
	VPADDD Z1, Z0, Z0 \
	VPSUBD Z2, Z0, Z0 \
	VPCOMPRESSD.Z Z0, K2, Z0 \
	VMOVD X0, AX
