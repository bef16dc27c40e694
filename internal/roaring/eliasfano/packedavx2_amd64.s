// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "lanesavx2_amd64.h"

// Without VPCOMPRESSB a table has the zeros before each one of a byte, eight lanes of 16 bits a
// byte. The place of a one is what the table has, the number of the one and the place of the byte.

// func upperLowsAVX2(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left
// uint64)
//
// AX is the word, R10 the number of zeros before it, R8 the end. DI is the place in dst, R11 its
// end, R12 the last place at which there is room for a word.
TEXT ·upperLowsAVX2(SB), NOSPLIT, $0-104
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ANDQ $-2, R11
	ADDQ DI, R11
	LEAQ -128(R11), R12
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), DX
	ANDQ $-8, DX
	ADDQ SI, DX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ end+64(FP), R8
	MOVQ low+72(FP), R9
	VMOVQ R9, X6
	LEAQ ·zerosBefore(SB), R13
	LEAQ ·zerosOfByte(SB), R15
word:
	POPCNTQ AX, BX
	LEAQ 64(R10), CX
	SUBQ BX, CX
	CMPQ CX, R8
	JGE  each                // the end lies in this word
	CMPQ DI, R12
	JG   each
	VMOVD R10, X1
	VPBROADCASTW X1, X1
	MOVQ CX, R10

// UPPERS writes the upper parts of the lowest byte of AX, and drops it. X1 has the zeros before it
// in each lane.
#define UPPERS \
	MOVBLZX AX, BX                 \
	POPCNTL BX, CX                 \
	VPBROADCASTW (R15)(BX*4), X2   \
	SHLL $4, BX                    \
	VPADDW (R13)(BX*1), X1, X4     \
	VPSLLW X6, X4, X4              \
	VPADDW X2, X1, X1              \
	SHRQ $8, AX                    \
	VMOVDQU X4, (DI)               \
	LEAQ (DI)(CX*2), DI

	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
more:
	XORL AX, AX
	CMPQ R10, R8
	JGE  done
	CMPQ SI, DX
	JAE  done
	CMPQ DI, R11
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
each:
	TESTQ AX, AX
	JE   last
one:
	TZCNTQ AX, BX
	ADDQ R10, BX
	CMPQ DI, R11
	JAE  done
	CMPQ BX, R8
	JGE  done
	SHLXL R9, BX, BX
	MOVW BX, (DI)
	ADDQ $2, DI
	DECQ R10
	BLSRQ AX, AX
	JNE  one
last:
	ADDQ $64, R10
	JMP  more
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, n+80(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+88(FP)
	MOVQ AX, left+96(FP)
	RET

// func orLowersAVX2(lows, block []byte, off int, low uint) (n int)
//
// It returns the number of values whose lower parts it has added: it ends where less than eight
// values are left, or less than 24 bytes of the block from their first on. Four lower parts each
// are fetched
// from two places into lanes of 32 bits.
TEXT ·orLowersAVX2(SB), NOSPLIT, $0-72
	MOVQ lows_base+0(FP), DI
	MOVQ lows_len+8(FP), CX
	MOVQ block_base+24(FP), SI
	MOVQ block_len+32(FP), R8
	LEAQ -24(SI)(R8*1), R8
	MOVQ off+48(FP), AX
	MOVQ low+56(FP), R9
	MOVQ AX, BX
	SHRQ $3, BX
	ADDQ BX, SI
	ANDL $7, AX
	EIGHTLANES
	SUBQ $16, CX
	JB   done
loop:
	CMPQ SI, R8
	JG   done
	VMOVDQU (SI), X0
	VINSERTI128 $1, (SI)(R10*1), Y0, Y0
	VPSHUFB Y10, Y0, Y0
	VPSRLVD Y11, Y0, Y0
	VPAND Y14, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKUSDW X1, X0, X0
	VPOR (DI), X0, X0
	VMOVDQU X0, (DI)
	ADDQ R9, SI
	ADDQ $16, DI
	SUBQ $16, CX
	JAE  loop
done:
	VZEROUPPER
	SUBQ lows_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, n+64(FP)
	RET

// func packedValuesAVX2(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int,
// low uint, base uint64) (n, read int, left uint64)
//
// One value at a time, without a branch but that of the loop: AX is the word, R10 the number of
// zeros before it less what is done, R8 the bit at which the next lower part begins, R12 the last
// bit from which a
// part has eight bytes.
TEXT ·packedValuesAVX2(SB), NOSPLIT, $0-136
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*8), R11
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	ADDQ SI, CX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ block_base+64(FP), DX
	MOVQ block_len+72(FP), R12
	SHLQ $3, R12
	SUBQ $57, R12            // 8·len − 64 and the seven bits of a byte
	MOVQ off+88(FP), R8
	MOVQ low+96(FP), R9
word:
	TESTQ AX, AX
	JE   next
one:
	CMPQ DI, R11
	JAE  done
	CMPQ R8, R12
	JG   done
	MOVQ R8, BX
	SHRQ $3, BX
	MOVQ R8, R15
	ANDL $7, R15
	SHRXQ R15, (DX)(BX*1), BX
	BZHIQ R9, BX, BX
	TZCNTQ AX, R13
	ADDQ R10, R13
	SHLXQ R9, R13, R13
	ORQ  R13, BX
	ADDQ base+104(FP), BX
	MOVQ BX, (DI)
	ADDQ R9, R8
	ADDQ $8, DI
	DECQ R10
	BLSRQ AX, AX
	JNE  one
next:
	ADDQ $64, R10
	CMPQ SI, CX
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+112(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+120(FP)
	MOVQ AX, left+128(FP)
	RET
