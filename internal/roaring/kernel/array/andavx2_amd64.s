// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "and_amd64.h"

// The kernels of AVX2 take the steps that have eight values of both arrays, and leave the rest to
// their caller: i and j are where it begins. A table of
// shuffles moves the values that are found together.

// func arrayAndLenAVX2(a, b []byte) (n, i, j int)
TEXT ·arrayAndLenAVX2(SB), NOSPLIT, $0-72
	ARRAYS(0)
	XORL R10, R10
	BEGINAHEAD
ahead:
	COMPARE
	AHEADA
	AHEADB
	VMOVD X0, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	AGAIN
end:
	ENDAHEAD
whole:
	WHOLE
	MATCH
	POPCNTL AX, AX
	ADDQ AX, R10
	EXCHANGE
	JMP  whole
few:
	SUBQ a_base+0(FP), SI
	SUBQ b_base+24(FP), DX
	MOVQ R10, n+48(FP)
	MOVQ SI, i+56(FP)
	MOVQ DX, j+64(FP)
	RET

// func arrayAndAVX2(dst, a, b []byte) (n, i, j int)
TEXT ·arrayAndAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ADDQ DI, R11
	LEAQ ·together(SB), R10
	ARRAYS(24)
	SUBQ $16, R11
	BEGINAHEAD
ahead:
	CMPQ DI, R11
	JGT  end
	COMPARE
	AHEADA
	AHEADB
	VMOVD X0, AX
	POPCNTL AX, R12
	SHLL $4, AX
	VPSHUFB (R10)(AX*1), X1, X1
	VMOVDQU X1, (DI)
	LEAQ (DI)(R12*2), DI
	AGAIN
end:
	ENDAHEAD
	ADDQ $16, R11
whole:
	WHOLE
	LEAQ 16(DI), CX
	CMPQ CX, R11
	JHI  few
	MATCH
	MOVL AX, CX
	SHLL $4, CX
	VPSHUFB (R10)(CX*1), X1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*2), DI
	EXCHANGE
	JMP  whole
few:
	SUBQ dst_base+0(FP), DI
	SUBQ a_base+24(FP), SI
	SUBQ b_base+48(FP), DX
	SHRQ $1, DI
	MOVQ DI, n+72(FP)
	MOVQ SI, i+80(FP)
	MOVQ DX, j+88(FP)
	RET

// func arrayAndNotAVX2(dst, a, b []byte) (n, i, j int)
//
// R11 is the block of b from which on the block of a has been compared: it has not been counted
// when the loop ends, and is compared again.
TEXT ·arrayAndNotAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	ARRAYS(24)
	XORL R10, R10
	MOVQ DX, R11
	BEGINAHEAD
ahead:
	COMPARE
	AHEADA
	SETCC R12
	AHEADB
	VMOVD X0, AX
	ORL  AX, R10
	MOVL R10, AX
	XORL $0xFF, AX
	POPCNTL AX, R13
	SHLL $4, AX
	LEAQ ·together(SB), R15
	VPSHUFB (R15)(AX*1), X1, X1
	VMOVDQU X1, (DI)
	XORL AX, AX
	TESTB $1, R12
	CMOVLEQ AX, R13
	CMOVLNE AX, R10
	CMOVQNE DX, R11
	LEAQ (DI)(R13*2), DI
	AGAIN
end:
	ENDAHEAD
whole:
	WHOLE
	MATCH
	ORL  AX, R10
	MOVL R10, AX
	XORL $0xFF, AX
	MOVL AX, CX
	SHLL $4, CX
	LEAQ ·together(SB), BX
	VPSHUFB (BX)(CX*1), X1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	EXCHANGE
	XORL CX, CX
	TESTL R12, R12
	CMOVLEQ CX, AX
	CMOVLNE CX, R10
	CMOVQNE DX, R11
	LEAQ (DI)(AX*2), DI
	JMP  whole
few:
	SUBQ dst_base+0(FP), DI
	SUBQ a_base+24(FP), SI
	SUBQ b_base+48(FP), R11
	SHRQ $1, DI
	MOVQ DI, n+72(FP)
	MOVQ SI, i+80(FP)
	MOVQ R11, j+88(FP)
	RET
