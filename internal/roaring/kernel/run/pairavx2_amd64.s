// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// What pair_amd64.s does, with eight runs of the longer list at a time, as long as there are
// eight.

// CONSTANTS sets Y15 to 0xFFFF, Y14 to 1 and Y13 to 65 536 in each lane, Y12 to zero.
#define CONSTANTS \
	VPCMPEQD Y15, Y15, Y15         \
	VPSRLD $31, Y15, Y14           \
	VPSRLD $16, Y15, Y15           \
	VPADDD Y14, Y15, Y13           \
	VPXOR Y12, Y12, Y12

// BLOCK loads eight runs from DI: first values in Y2, ends in Y3, and the end of the last one in
// R10.
#define BLOCK \
	MOVL 28(DI), AX                \
	MOVWLZX AX, R10                \
	SHRL $16, AX                   \
	LEAL 1(R10)(AX*1), R10         \
	CMPL R10, R11                  \
	CMOVLGT R11, R10               \
	VMOVDQU (DI), Y1               \
	VPAND Y15, Y1, Y2              \
	VPSRLD $16, Y1, Y3             \
	VPADDD Y2, Y3, Y3              \
	VPADDD Y14, Y3, Y3             \
	VPMINUD Y13, Y3, Y3

// MEET leaves the end of the run at (SI) in AX, the larger first values in Y4, and the numbers of
// values that it has in common with those of the block, none if negative, in Y5.
#define MEET \
	MOVL (SI), AX                  \
	MOVWLZX AX, BX                 \
	SHRL $16, AX                   \
	LEAL 1(BX)(AX*1), AX           \
	CMPL AX, R11                   \
	CMOVLGT R11, AX                \
	VMOVD BX, X4                   \
	VMOVD AX, X5                   \
	VPBROADCASTD X4, Y4            \
	VPBROADCASTD X5, Y5            \
	VPMAXUD Y2, Y4, Y4             \
	VPMINUD Y3, Y5, Y5             \
	VPSUBD Y4, Y5, Y5

// SUM adds the lanes of Y0 to AX.
#define SUM \
	VEXTRACTI128 $1, Y0, X1        \
	VPADDD X1, X0, X0              \
	VPSHUFD $0x4E, X0, X1          \
	VPADDD X1, X0, X0              \
	VPSHUFD $0xB1, X0, X1          \
	VPADDD X1, X0, X0              \
	VMOVD X0, AX

// func runAndLenAVX2(a, b []byte) (n, i, j int)
TEXT ·runAndLenAVX2(SB), NOSPLIT, $0-72
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), CX
	ANDQ $-4, CX
	ADDQ SI, CX
	MOVQ b_base+24(FP), DI
	MOVQ b_len+32(FP), DX
	CONSTANTS
	VPXOR Y0, Y0, Y0
	MOVL $65536, R11
	SUBQ $32, DX
	JLT  done
block:
	BLOCK
run:
	CMPQ SI, CX
	JAE  done
	MEET
	VPMAXSD Y12, Y5, Y5
	VPADDD Y5, Y0, Y0
	CMPL AX, R10
	JGE  next
	ADDQ $4, SI
	JMP  run
next:
	ADDQ $32, DI
	SUBQ $32, DX
	JGE  block
done:
	SUM
	VZEROUPPER
	MOVQ AX, n+48(FP)
	SUBQ a_base+0(FP), SI
	MOVQ SI, i+56(FP)
	SUBQ b_base+24(FP), DI
	MOVQ DI, j+64(FP)
	RET

// func runAndAVX2(dst, a, b []byte) (values, runs, i, j int)
//
// It ends before the eight runs that a step may write have no room.
TEXT ·runAndAVX2(SB), NOSPLIT, $0-104
	MOVQ dst_base+0(FP), R9
	MOVQ dst_len+8(FP), R12
	LEAQ -32(R9)(R12*1), R12
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), CX
	ANDQ $-4, CX
	ADDQ SI, CX
	MOVQ b_base+48(FP), DI
	MOVQ b_len+56(FP), DX
	LEAQ ·together(SB), R8
	CONSTANTS
	VPXOR Y0, Y0, Y0
	MOVL $65536, R11
	SUBQ $32, DX
	JLT  done
block:
	BLOCK
run:
	CMPQ SI, CX
	JAE  done
	CMPQ R9, R12
	JGT  done
	MEET
	VPCMPGTD Y12, Y5, Y6
	VPAND Y6, Y5, Y7
	VPADDD Y7, Y0, Y0
	VPSUBD Y14, Y5, Y5
	VPSLLD $16, Y5, Y5
	VPOR Y4, Y5, Y5
	VMOVMSKPS Y6, BX
	MOVL BX, R13
	SHLL $4, R13
	VPMOVZXWD (R8)(R13*1), Y7
	VPSRLD $1, Y7, Y7
	VPERMD Y5, Y7, Y5
	POPCNTL BX, BX
	VMOVDQU Y5, (R9)
	LEAQ (R9)(BX*4), R9
	CMPL AX, R10
	JGE  next
	ADDQ $4, SI
	JMP  run
next:
	ADDQ $32, DI
	SUBQ $32, DX
	JGE  block
done:
	SUM
	VZEROUPPER
	MOVQ AX, values+72(FP)
	SUBQ dst_base+0(FP), R9
	SHRQ $2, R9
	MOVQ R9, runs+80(FP)
	SUBQ a_base+24(FP), SI
	MOVQ SI, i+88(FP)
	SUBQ b_base+48(FP), DI
	MOVQ DI, j+96(FP)
	RET
