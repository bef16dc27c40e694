// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// A run of the shorter list is compared with sixteen runs of the longer one at a time, which stay
// in registers as long as runs of the shorter one end before the last of them does. What both have
// is from the larger
// one of the first values to the smaller one of the ends. There are as many steps as runs of the
// shorter list and blocks of the longer one together, and no guess but when a block ends.

// CONSTANTS sets Z31 to 0xFFFF, Z30 to 1 and Z29 to 65 536 in each lane, Z28 to zero.
#define CONSTANTS \
	MOVL $0xFFFF, AX               \
	VPBROADCASTD AX, Z31           \
	MOVL $1, AX                    \
	VPBROADCASTD AX, Z30           \
	VPADDD Z30, Z31, Z29           \
	VPXORD Z28, Z28, Z28

// BLOCK loads sixteen runs from DI, or as many as the DX bytes left have: first values in Z2, ends
// in Z3, which are zero where there is no run, and the end of the last one in R10.
#define BLOCK \
	MOVQ DX, R8                    \
	MOVL $64, AX                   \
	CMPQ R8, AX                    \
	CMOVQGT AX, R8                 \
	MOVL -4(DI)(R8*1), AX          \
	MOVWLZX AX, R10                \
	SHRL $16, AX                   \
	LEAL 1(R10)(AX*1), R10         \
	MOVL $65536, AX                \
	CMPL R10, AX                   \
	CMOVLGT AX, R10                \
	SHRQ $2, R8                    \
	MOVL $-1, AX                   \
	BZHIL R8, AX, AX               \
	KMOVW AX, K1                   \
	VMOVDQU32.Z (DI), K1, Z1       \
	VPANDD Z31, Z1, Z2             \
	VPSRLD $16, Z1, Z3             \
	VPADDD Z2, Z3, Z3              \
	VPADDD.Z Z30, Z3, K1, Z3       \
	VPMINUD Z29, Z3, Z3

// MEET leaves the end of the run at (SI) in AX, the larger first values in Z4, and the numbers of
// values that it has in common with those of the block, none if negative, in Z5.
#define MEET \
	MOVL (SI), AX                  \
	MOVWLZX AX, BX                 \
	SHRL $16, AX                   \
	LEAL 1(BX)(AX*1), AX           \
	CMPL AX, R11                   \
	CMOVLGT R11, AX                \
	VPBROADCASTD BX, Z4            \
	VPBROADCASTD AX, Z5            \
	VPMAXUD Z2, Z4, Z4             \
	VPMINUD Z3, Z5, Z5             \
	VPSUBD Z4, Z5, Z5

// SUM adds the lanes of Z0 to AX.
#define SUM \
	VEXTRACTI64X4 $1, Z0, Y1       \
	VPADDD Y1, Y0, Y0              \
	VEXTRACTI128 $1, Y0, X1        \
	VPADDD X1, X0, X0              \
	VPSHUFD $0x4E, X0, X1          \
	VPADDD X1, X0, X0              \
	VPSHUFD $0xB1, X0, X1          \
	VPADDD X1, X0, X0              \
	VMOVD X0, AX

// func runAndLenAVX512(a, b []byte) int
TEXT ·runAndLenAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), CX
	ANDQ $-4, CX
	ADDQ SI, CX
	MOVQ b_base+24(FP), DI
	MOVQ b_len+32(FP), DX
	ANDQ $-4, DX
	CONSTANTS
	VPXORD Z0, Z0, Z0
	MOVL $65536, R11
	TESTQ DX, DX
	JLE  done
block:
	BLOCK
run:
	CMPQ SI, CX
	JAE  done
	MEET
	VPMAXSD Z28, Z5, Z5
	VPADDD Z5, Z0, Z0
	CMPL AX, R10
	JGE  next
	ADDQ $4, SI
	JMP  run
next:
	ADDQ $64, DI
	SUBQ $64, DX
	JG   block
done:
	SUM
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET

// func runAndAVX512(dst, a, b []byte) (values, runs int)
//
// What begins within dst and has only part of its room is written by a mask. What has no room is
// left out: valid runs have room.
TEXT ·runAndAVX512(SB), NOSPLIT, $0-88
	MOVQ dst_base+0(FP), R9
	MOVQ dst_len+8(FP), R12
	ANDQ $-4, R12
	ADDQ R9, R12
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), CX
	ANDQ $-4, CX
	ADDQ SI, CX
	MOVQ b_base+48(FP), DI
	MOVQ b_len+56(FP), DX
	ANDQ $-4, DX
	CONSTANTS
	VPXORD Z0, Z0, Z0
	MOVL $65536, R11
	TESTQ DX, DX
	JLE  done
block:
	BLOCK
run:
	CMPQ SI, CX
	JAE  done
	MEET
	VPXOR X6, X6, X6 // as VPCOMPRESSD may wait for it
	VPCMPD $6, Z28, Z5, K2
	VPADDD Z5, Z0, K2, Z0
	VPSUBD Z30, Z5, Z5
	VPSLLD $16, Z5, Z5
	VPORD Z4, Z5, Z5
	VPCOMPRESSD.Z Z5, K2, Z6
	KMOVW K2, BX
	POPCNTL BX, BX
	LEAQ 64(R9), R13
	CMPQ R13, R12
	JHI  tail
	VMOVDQU32 Z6, (R9)
written:
	LEAQ (R9)(BX*4), R9
	CMPL AX, R10
	JGE  next
	ADDQ $4, SI
	JMP  run
next:
	ADDQ $64, DI
	SUBQ $64, DX
	JG   block
done:
	SUM
	VZEROUPPER
	MOVQ AX, values+72(FP)
	SUBQ dst_base+0(FP), R9
	SHRQ $2, R9
	MOVQ R9, runs+80(FP)
	RET
tail:
	MOVQ R12, R13
	SUBQ R9, R13
	SHRQ $2, R13
	CMPQ BX, R13
	CMOVQHI R13, BX
	MOVL $-1, R13
	BZHIL BX, R13, R13
	KMOVW R13, K2
	VMOVDQU32 Z6, K2, (R9)
	JMP  written
