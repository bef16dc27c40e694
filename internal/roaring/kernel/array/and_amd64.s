// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Two arrays are merged eight values by eight: VPCMPISTRM compares each of eight words with each of
// eight others (Schlegel, Willhalm, Lehner, Fast Sorted-Set
// Intersection Using SIMD Instructions, 2011), and the block with the smaller last value is
// exchanged for the next. It takes a word of zero for the end of a
// string, so that a block of less than eight needs no length; the operands must not have the value
// 0.
//
// Which block is exchanged is calculated, as it cannot be guessed. SI and DX are the places in a
// and b, R8 and R9 their ends.

#define ARRAYS(AT) \
	MOVQ a_base+(AT)(FP), SI       \
	MOVQ a_len+(AT+8)(FP), R8      \
	MOVQ b_base+(AT+24)(FP), DX    \
	MOVQ b_len+(AT+32)(FP), R9     \
	ANDQ $-2, R8                   \
	ANDQ $-2, R9                   \
	ADDQ SI, R8                    \
	ADDQ DX, R9

// WHOLE jumps to few if one of both arrays has less than eight values left.
#define WHOLE \
	LEAQ 16(SI), AX                \
	LEAQ 16(DX), BX                \
	CMPQ AX, R8                    \
	JHI  few                       \
	CMPQ BX, R9                    \
	JHI  few

// MATCH leaves in AX which of the eight values of a are among those of b. The values of a are in
// X1.
#define MATCH \
	VMOVDQU (SI), X1               \
	VMOVDQU (DX), X2               \
	VPCMPISTRM $1, X1, X2          \
	VMOVD X0, AX

// EXCHANGE moves on in a, or b, or both. It leaves 16 in R12 if it did so in a, else 0, and twice
// that in R13 of b.
#define EXCHANGE \
	MOVWLZX 14(SI), BX             \
	MOVWLZX 14(DX), CX             \
	XORL R12, R12                  \
	XORL R13, R13                  \
	CMPL BX, CX                    \
	SETLS R12                      \
	SETCC R13                      \
	SHLL $4, R12                   \
	SHLL $4, R13                   \
	ADDQ R12, SI                   \
	ADDQ R13, DX

// BEGINAHEAD leaves the last values of both blocks in BX and CX, and jumps to end if one of both
// arrays has less than sixteen values left; R8 and R9 are 32 bytes before the ends from here to
// ENDAHEAD, also where there is
// nothing, so that addresses are compared as numbers with a sign.
#define BEGINAHEAD \
	SUBQ $32, R8                   \
	SUBQ $32, R9                   \
	CMPQ SI, R8                    \
	JGT  end                       \
	CMPQ DX, R9                    \
	JGT  end                       \
	MOVWLZX 14(SI), BX             \
	MOVWLZX 14(DX), CX

#define ENDAHEAD \
	ADDQ $32, R8                   \
	ADDQ $32, R9

// COMPARE leaves in X0 which of the eight values of a, which are in X1, are among those of b.
#define COMPARE \
	VMOVDQU (SI), X1               \
	VMOVDQU (DX), X2               \
	VPCMPISTRM $1, X1, X2

// AHEADA and AHEADB do what EXCHANGE does, for a and then for b, but what may be the last values of
// the next blocks is read before it is known which blocks these are: a step waits for reading
// memory two steps before, and not one.
// The carry is clear after AHEADA if a has moved on.
#define AHEADA \
	MOVWLZX 30(SI), R12            \
	MOVWLZX 30(DX), R13            \
	LEAQ 16(SI), AX                \
	LEAQ 16(DX), R15               \
	CMPL CX, BX                    \
	CMOVQCC AX, SI                 \
	MOVL BX, AX                    \
	CMOVLCC R12, BX

#define AHEADB \
	CMPL AX, CX                    \
	CMOVQCC R15, DX                \
	CMOVLCC R13, CX

// AGAIN jumps to ahead if both arrays have sixteen values left.
#define AGAIN \
	CMPQ SI, R8                    \
	JGT  end                       \
	CMPQ DX, R9                    \
	JLE  ahead

// PARTS loads at most eight values of each array to X1 and X2, zeros behind them, leaves their
// sizes in AX and BX, and jumps to done when one array has no
// values left.
#define PARTS \
	MOVQ R8, AX                    \
	MOVQ R9, BX                    \
	SUBQ SI, AX                    \
	JBE  done                      \
	SUBQ DX, BX                    \
	JBE  done                      \
	MOVL $16, CX                   \
	CMPQ AX, CX                    \
	CMOVQHI CX, AX                 \
	CMPQ BX, CX                    \
	CMOVQHI CX, BX                 \
	MOVL $-1, R13                  \
	MOVL AX, R12                   \
	SHRL $1, R12                   \
	BZHIL R12, R13, R12            \
	KMOVB R12, K1                  \
	MOVL BX, R12                   \
	SHRL $1, R12                   \
	BZHIL R12, R13, R12            \
	KMOVB R12, K2                  \
	VMOVDQU16.Z (SI), K1, X1       \
	VMOVDQU16.Z (DX), K2, X2

// ADVANCE moves on by the sizes that PARTS left.
#define ADVANCE \
	MOVWLZX -2(SI)(AX*1), R12      \
	MOVWLZX -2(DX)(BX*1), R13      \
	XORL CX, CX                    \
	CMPL R12, R13                  \
	CMOVQHI CX, AX                 \
	CMOVQCS CX, BX                 \
	ADDQ AX, SI                    \
	ADDQ BX, DX

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
