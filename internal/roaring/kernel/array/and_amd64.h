// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

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
