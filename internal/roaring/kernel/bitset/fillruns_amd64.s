// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// SHORT sets the run at an offset of SI, unless it is long or ends the chunk. What counts is the
// number of steps: a loop of these takes as many cycles as four steps at a time do.
#define SHORT(AT, lo, ones, at, other) \
	MOVWLZX AT(SI), lo \
	MOVWLZX (AT+2)(SI), ones \
	SHRXL   R15, lo, at \
	CMPL    ones, $56 \
	JHI     other \
	CMPL    at, $8184 \
	JHI     other \
	NOTL    ones \
	SHRXQ   ones, R13, ones \
	ANDL    $7, lo \
	SHLXQ   lo, ones, ones \
	ORQ     ones, (DI)(at*1)

// func fillRunsAVX2(bits *Words, runs []byte)
//
// A short run is one OR of eight bytes in memory: what it costs are the steps to its address and
// its ones, which BMI2 and a register of ones make half as many as in Go. Longer ones are words,
// and 32 bytes at a time between those at their ends.
TEXT ·fillRunsAVX2(SB), NOSPLIT, $0-32
	MOVQ bits+0(FP), DI
	MOVQ runs_base+8(FP), SI
	MOVQ runs_len+16(FP), CX
	SHRQ $2, CX
	JEQ  done
	MOVQ $-1, R13
	MOVL $65536, R12
	MOVL $3, R15
	XORL R11, R11 // where the long runs before end
	VPCMPEQD Y0, Y0, Y0
two:
	SUBQ $2, CX
	JCS  last
pair:
	SHORT(0, R9, AX, R10, long)
	SHORT(4, R8, BX, DX, second)
	ADDQ $8, SI
	SUBQ $2, CX
	JCC  pair
last:
	ADDQ $2, CX
	JEQ  done
	SHORT(0, R9, AX, R10, only)
	JMP  done

second:
	ADDQ $4, SI
	DECQ CX
	MOVL R8, R9
	MOVL BX, AX
long:
	ADDQ $2, CX
only:
	// From R9 on and before R10.
	LEAL    1(R9)(AX*1), R10
	CMPL    R10, R12
	CMOVLHI R12, R10
	CMPL    R9, R11
	CMOVLCS R11, R9
	CMPL    R9, R10
	JCC     next
	MOVL    R10, R11
	SHLXQ   R9, R13, AX
	NEGL    R10
	SHRXQ   R10, R13, DX
	SHRL    $6, R9
	LEAL    -1(R11), R10
	SHRL    $6, R10
	CMPL    R9, R10
	JEQ     one
	ORQ     AX, (DI)(R9*8)
	ORQ     DX, (DI)(R10*8)
	INCL    R9
	SUBL    R9, R10 // words between
	LEAQ    (DI)(R9*8), R9
	SUBL    $4, R10
	JCS     few
four:
	VMOVDQU Y0, (R9)
	ADDQ    $32, R9
	SUBL    $4, R10
	JCC     four
few:
	ADDL    $4, R10
	JEQ     next
word:
	MOVQ    R13, (R9)
	ADDQ    $8, R9
	DECL    R10
	JNE     word
	JMP     next
one:
	ANDQ    DX, AX
	ORQ     AX, (DI)(R9*8)
next:
	ADDQ    $4, SI
	DECQ    CX
	JNE     two
done:
	VZEROUPPER
	RET
