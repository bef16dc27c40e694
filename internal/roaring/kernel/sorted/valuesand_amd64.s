// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Each value of a block of a is compared with all values of a block of b, which are read one after
// the other into all lanes: comparing takes the one execution port that
// shuffles would take, and reading takes another one. Which block is exchanged is calculated, as it
// cannot be guessed.
//
// SI and DX are the places in a and b, R8 and R9 their ends. What is left in the end is less than a
// block of one of them.

#define LISTS(AT) \
	MOVQ a_base+(AT)(FP), SI       \
	MOVQ a_len+(AT+8)(FP), R8      \
	MOVQ b_base+(AT+24)(FP), DX    \
	MOVQ b_len+(AT+32)(FP), R9     \
	LEAQ (SI)(R8*8), R8            \
	LEAQ (DX)(R9*8), R9

// BLOCKS jumps to done if one of both lists has no whole block of that many bytes left.
#define BLOCKS(SIZE) \
	LEAQ SIZE(SI), AX              \
	LEAQ SIZE(DX), BX              \
	CMPQ AX, R8                    \
	JHI  done                      \
	CMPQ BX, R9                    \
	JHI  done

// EIGHT leaves in K1 which of the eight values of a, which are in Z1 then, are among those of b.
#define EIGHT \
	VMOVDQU64 (SI), Z1             \
	VPCMPEQQ.BCST (DX), Z1, K1     \
	VPCMPEQQ.BCST 8(DX), Z1, K2    \
	VPCMPEQQ.BCST 16(DX), Z1, K3   \
	VPCMPEQQ.BCST 24(DX), Z1, K4   \
	KORB K1, K2, K1                \
	KORB K3, K4, K3                \
	VPCMPEQQ.BCST 32(DX), Z1, K5   \
	VPCMPEQQ.BCST 40(DX), Z1, K6   \
	VPCMPEQQ.BCST 48(DX), Z1, K7   \
	VPCMPEQQ.BCST 56(DX), Z1, K2   \
	KORB K5, K6, K5                \
	KORB K7, K2, K7                \
	KORB K1, K3, K1                \
	KORB K5, K7, K5                \
	KORB K1, K5, K1

// FOUR leaves in Y2 which of the four values of a, which are in Y1 then, are among those of b.
#define FOUR \
	VMOVDQU (SI), Y1               \
	VPBROADCASTQ (DX), Y2          \
	VPBROADCASTQ 8(DX), Y3         \
	VPBROADCASTQ 16(DX), Y4        \
	VPBROADCASTQ 24(DX), Y5        \
	VPCMPEQQ Y1, Y2, Y2            \
	VPCMPEQQ Y1, Y3, Y3            \
	VPCMPEQQ Y1, Y4, Y4            \
	VPCMPEQQ Y1, Y5, Y5            \
	VPOR Y2, Y3, Y2                \
	VPOR Y4, Y5, Y4                \
	VPOR Y2, Y4, Y2

// ADVANCE moves on in a, or b, or both, by blocks of 1<<SHIFT bytes.
#define ADVANCE(SHIFT) \
	MOVQ ((1<<SHIFT)-8)(SI), BX    \
	MOVQ ((1<<SHIFT)-8)(DX), CX    \
	XORL R12, R12                  \
	XORL R13, R13                  \
	CMPQ BX, CX                    \
	SETLS R12                      \
	SETCC R13                      \
	SHLQ $SHIFT, R12               \
	SHLQ $SHIFT, R13               \
	ADDQ R12, SI                   \
	ADDQ R13, DX

// BEGINAHEAD leaves the last values of both blocks of SIZE bytes in BX and CX, and jumps to end if
// one of both lists has less than two blocks left; R8 and R9 are two blocks before the ends from
// here to ENDAHEAD,
// also where there is nothing, so that addresses are compared as numbers with a sign.
#define BEGINAHEAD(SIZE) \
	SUBQ $(2*SIZE), R8             \
	SUBQ $(2*SIZE), R9             \
	CMPQ SI, R8                    \
	JGT  end                       \
	CMPQ DX, R9                    \
	JGT  end                       \
	MOVQ (SIZE-8)(SI), BX          \
	MOVQ (SIZE-8)(DX), CX

#define ENDAHEAD(SIZE) \
	ADDQ $(2*SIZE), R8             \
	ADDQ $(2*SIZE), R9

// AHEAD does what ADVANCE does, but what may be the last values of the next blocks is read before
// it is known which blocks these are: a step waits for reading memory two steps before, and not
// one.
#define AHEAD(SIZE) \
	MOVQ (2*SIZE-8)(SI), R12       \
	MOVQ (2*SIZE-8)(DX), R13       \
	LEAQ SIZE(SI), AX              \
	LEAQ SIZE(DX), R15             \
	CMPQ CX, BX                    \
	CMOVQCC AX, SI                 \
	MOVQ BX, AX                    \
	CMOVQCC R12, BX                \
	CMPQ AX, CX                    \
	CMOVQCC R15, DX                \
	CMOVQCC R13, CX

// AGAIN jumps to ahead if both lists have two blocks left.
#define AGAIN \
	CMPQ SI, R8                    \
	JGT  end                       \
	CMPQ DX, R9                    \
	JLE  ahead

// RETURN returns N values in common, and how many of each list are passed.
#define RETURN(AT, N) \
	VZEROUPPER                     \
	SUBQ a_base+(AT)(FP), SI       \
	SUBQ b_base+(AT+24)(FP), DX    \
	SHRQ $3, SI                    \
	SHRQ $3, DX                    \
	MOVQ N, n+(AT+48)(FP)          \
	MOVQ SI, i+(AT+56)(FP)         \
	MOVQ DX, j+(AT+64)(FP)         \
	RET

// func valuesAndLenAVX512(a, b []uint64) (n, i, j int)
TEXT ·valuesAndLenAVX512(SB), NOSPLIT, $0-72
	LISTS(0)
	XORL R10, R10
	BEGINAHEAD(64)
ahead:
	EIGHT
	AHEAD(64)
	KMOVB K1, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	AGAIN
end:
	ENDAHEAD(64)
next:
	BLOCKS(64)
	EIGHT
	KMOVB K1, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADVANCE(6)
	JMP  next
done:
	RETURN(0, R10)

// func valuesAndLenAVX2(a, b []uint64) (n, i, j int)
TEXT ·valuesAndLenAVX2(SB), NOSPLIT, $0-72
	LISTS(0)
	XORL R10, R10
	BEGINAHEAD(32)
ahead:
	FOUR
	AHEAD(32)
	VMOVMSKPD Y2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	AGAIN
end:
	ENDAHEAD(32)
next:
	BLOCKS(32)
	FOUR
	VMOVMSKPD Y2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADVANCE(5)
	JMP  next
done:
	RETURN(0, R10)

// func valuesAndAVX512(dst, a, b []uint64) (n, i, j int)
//
// It also ends when dst has no room for eight values.
TEXT ·valuesAndAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*8), R11
	LISTS(24)
	SUBQ $64, R11
	BEGINAHEAD(64)
ahead:
	CMPQ DI, R11
	JGT  end
	EIGHT
	AHEAD(64)
	KMOVB K1, AX
	VPCOMPRESSQ.Z Z1, K1, Z1
	VMOVDQU64 Z1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*8), DI
	AGAIN
end:
	ENDAHEAD(64)
	ADDQ $64, R11
next:
	BLOCKS(64)
	LEAQ 64(DI), CX
	CMPQ CX, R11
	JHI  done
	EIGHT
	KMOVB K1, AX
	VPCOMPRESSQ.Z Z1, K1, Z1
	VMOVDQU64 Z1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*8), DI
	ADVANCE(6)
	JMP  next
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	RETURN(24, DI)

// func valuesAndAVX2(dst, a, b []uint64) (n, i, j int)
//
// It also ends when dst has no room for four values. These are written one by one: most blocks have
// none in common.
TEXT ·valuesAndAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*8), R11
	LISTS(24)
	SUBQ $32, R11
	BEGINAHEAD(32)
ahead:
	CMPQ DI, R11
	JGT  end
	FOUR
	MOVQ SI, R10
	AHEAD(32)
	VMOVMSKPD Y2, AX
	TESTL AX, AX
	JZ   passed
found:
	TZCNTL AX, R12
	MOVQ (R10)(R12*8), R13
	MOVQ R13, (DI)
	ADDQ $8, DI
	BLSRL AX, AX
	JNZ  found
passed:
	AGAIN
end:
	ENDAHEAD(32)
	ADDQ $32, R11
next:
	BLOCKS(32)
	LEAQ 32(DI), CX
	CMPQ CX, R11
	JHI  done
	FOUR
	VMOVMSKPD Y2, AX
	TESTL AX, AX
	JZ   none
one:
	TZCNTL AX, CX
	MOVQ (SI)(CX*8), BX
	MOVQ BX, (DI)
	ADDQ $8, DI
	BLSRL AX, AX
	JNZ  one
none:
	ADVANCE(5)
	JMP  next
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	RETURN(24, DI)
