// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "and_amd64.h"

// func arrayAndLenAVX512(a, b []byte) int
TEXT ·arrayAndLenAVX512(SB), NOSPLIT, $0-56
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
	PARTS
	VPCMPISTRM $1, X1, X2
	VMOVD X0, CX
	POPCNTL CX, CX
	ADDQ CX, R10
	ADVANCE
	JMP  few
done:
	VZEROUPPER
	MOVQ R10, ret+48(FP)
	RET

// func arrayAndAVX512(dst, a, b []byte) int
TEXT ·arrayAndAVX512(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ADDQ DI, R11
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
	KMOVB AX, K1
	VPCOMPRESSW.Z X1, K1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*2), DI
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
	KMOVB AX, K1
	VPCOMPRESSW.Z X1, K1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*2), DI
	EXCHANGE
	JMP  whole
few:
	PARTS
	VPCMPISTRM $1, X1, X2
	VMOVD X0, CX
	KMOVB CX, K1
	VPCOMPRESSW.Z X1, K1, X1
	POPCNTL CX, CX
	// As many as there is room for: of arrays that do not ascend, values are found more than once.
	MOVQ R11, R12
	SUBQ DI, R12
	SHRQ $1, R12
	CMPQ CX, R12
	CMOVQHI R12, CX
	MOVL $-1, R13
	BZHIL CX, R13, R12
	KMOVB R12, K2
	VMOVDQU16 X1, K2, (DI)
	LEAQ (DI)(CX*2), DI
	ADVANCE
	JMP  few
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+72(FP)
	RET

// func arrayAndNotAVX512(dst, a, b []byte) int
//
// R10 has the values of the block of a that have been found. The block is written at each step and
// counts when it is exchanged; it lies behind what has been
// written, so that there is room.
TEXT ·arrayAndNotAVX512(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), DI
	ARRAYS(24)
	XORL R10, R10
	BEGINAHEAD
	PCALIGN $64 // the loop takes a third longer where the linker may put it across lines
ahead:
	COMPARE
	AHEADA
	SETCC R12
	AHEADB
	VMOVD X0, AX
	ORL  AX, R10
	MOVL R10, AX
	XORL $0xFF, AX
	KMOVB AX, K1
	VPCOMPRESSW.Z X1, K1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	XORL R13, R13
	TESTB $1, R12
	CMOVLEQ R13, AX
	CMOVLNE R13, R10
	LEAQ (DI)(AX*2), DI
	AGAIN
end:
	ENDAHEAD
whole:
	WHOLE
	MATCH
	ORL  AX, R10
	MOVL R10, AX
	XORL $0xFF, AX
	KMOVB AX, K1
	VPCOMPRESSW.Z X1, K1, X1
	VMOVDQU X1, (DI)
	POPCNTL AX, AX
	EXCHANGE
	XORL CX, CX
	TESTL R12, R12
	CMOVLEQ CX, AX
	CMOVLNE CX, R10
	LEAQ (DI)(AX*2), DI
	JMP  whole
few:
	PARTS
	VPCMPISTRM $1, X1, X2
	VMOVD X0, CX
	ORL  CX, R10
	KMOVB K1, R11
	ANDNL R11, R10, R11
	KMOVB R11, K2
	VPCOMPRESSW.Z X1, K2, X1
	POPCNTL R11, R11
	MOVL $-1, R13
	BZHIL R11, R13, R12
	KMOVB R12, K2
	VMOVDQU16 X1, K2, (DI)
	ADVANCE
	TESTQ AX, AX
	CMOVLEQ CX, R11
	CMOVLNE CX, R10
	LEAQ (DI)(R11*2), DI
	JMP  few
done:
	// What is left of a: first the values of the first eight that have not been found; then all.
	MOVQ R8, AX
	SUBQ SI, AX
	JBE  return
	MOVL $16, CX
	CMPQ AX, CX
	CMOVQHI CX, AX
	MOVL $-1, R13
	MOVL AX, R12
	SHRL $1, R12
	BZHIL R12, R13, R12
	KMOVB R12, K1
	VMOVDQU16.Z (SI), K1, X1
	ADDQ AX, SI
	ANDNL R12, R10, R12
	KMOVB R12, K2
	VPCOMPRESSW.Z X1, K2, X1
	POPCNTL R12, R12
	BZHIL R12, R13, AX
	KMOVB AX, K2
	VMOVDQU16 X1, K2, (DI)
	LEAQ (DI)(R12*2), DI
	SUBQ SI, R8
	MOVQ R8, CX
	SUBQ $64, CX
	JB   last
copy:
	VMOVDQU64 (SI), Z1
	VMOVDQU64 Z1, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $64, CX
	JAE  copy
last:
	ADDQ $64, CX
	SHRQ $1, CX
	BZHIL CX, R13, AX
	KMOVD AX, K1
	VMOVDQU16.Z (SI), K1, Z1
	VMOVDQU16 Z1, K1, (DI)
	LEAQ (DI)(CX*2), DI
return:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+72(FP)
	RET
