// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "lanesavx2_amd64.h"

// What offsets_amd64.s does, without VPCOMPRESSB and VPERMB. Upper parts come from the table of the
// zeros before each one of a byte. Lower parts are fetched as those of lows are
// (packedavx2_amd64.s); the four of a load take up to 107 bits.

// UPPERS writes the upper parts of the lowest byte of AX, and drops it: eight of them, though only
// as many as it has ones count, CX. Y1 has the zeros before it in each lane.
#define UPPERS \
	MOVBLZX AX, BX                 \
	POPCNTL BX, CX                 \
	VPBROADCASTD (R15)(BX*4), Y2   \
	SHLL $4, BX                    \
	VPMOVZXWD (R13)(BX*1), Y4      \
	VPADDD Y1, Y4, Y4              \
	VPSLLD X6, Y4, Y4              \
	VPADDD Y2, Y1, Y1              \
	VMOVDQU Y4, (DI)               \
	SHRQ $8, AX                    \
	LEAQ (DI)(CX*4), DI

// func upperOffsetsAVX2(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int,
// left uint64)
//
// AX is what is left of the word, R10 the number of zeros before it. DI is the place in dst, R11
// its end, R12 the last place at which there is room for a whole word: behind it, bytes are asked
// one by one whether there is room for
// eight values, and then ones. R8 is how many bits of the word are done there.
TEXT ·upperOffsetsAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*4), R11
	LEAQ -256(R11), R12
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), DX
	ANDQ $-8, DX
	ADDQ SI, DX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ low+64(FP), R9
	VMOVQ R9, X6
	LEAQ ·zerosBefore(SB), R13
	LEAQ ·zerosOfByte(SB), R15
word:
	VMOVD R10, X1
	VPBROADCASTD X1, Y1
	CMPQ DI, R12
	JG   near
	ADDQ $64, R10
	POPCNTQ AX, BX
	SUBQ BX, R10
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
	UPPERS
more:
	CMPQ SI, DX
	JAE  done
	CMPQ DI, R11
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
near:
	XORL R8, R8
	TESTQ AX, AX
	JE   last
byte:
	LEAQ 32(DI), BX
	CMPQ BX, R11
	JHI  one
	UPPERS
	ADDQ $8, R8
	ADDQ $8, R10
	SUBQ CX, R10
	TESTQ AX, AX
	JNE  byte
last:
	ADDQ $64, R10
	SUBQ R8, R10
	JMP  more
one:
	TZCNTQ AX, BX
	ADDQ R10, BX
	CMPQ DI, R11
	JAE  full
	SHLXL R9, BX, BX
	MOVL BX, (DI)
	ADDQ $4, DI
	DECQ R10
	BLSRQ AX, AX
	JNE  one
	JMP  last
full:
	SHLXQ R8, AX, AX
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+72(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+80(FP)
	MOVQ AX, left+88(FP)
	RET

DATA lanes32<>+0(SB)/8, $0x0000000100000000
DATA lanes32<>+8(SB)/8, $0x0000000300000002
DATA lanes32<>+16(SB)/8, $0x0000000500000004
DATA lanes32<>+24(SB)/8, $0x0000000700000006
GLOBL lanes32<>(SB), RODATA|NOPTR, $32

// func addLowersAVX2(offsets []uint32, block []byte, off int, low uint)
//
// Less than 29 bytes behind SI, where the end of the block, R8, is less far than two loads reach,
// the last 32 of the block go through the stack.
TEXT ·addLowersAVX2(SB), NOSPLIT, $64-64
	MOVQ offsets_base+0(FP), DI
	MOVQ offsets_len+8(FP), CX
	MOVQ block_base+24(FP), SI
	MOVQ block_len+32(FP), R8
	ADDQ SI, R8
	MOVQ off+48(FP), AX
	MOVQ low+56(FP), R9
	TESTQ CX, CX
	JE   done
	MOVQ AX, BX
	SHRQ $3, BX
	ADDQ BX, SI
	ANDL $7, AX
	EIGHTLANES
loop:
	LEAQ 16(SI)(R10*1), BX
	CMPQ BX, R8
	JHI  near
both:
	VMOVDQU (SI), X0
	VINSERTI128 $1, (SI)(R10*1), Y0, Y0
	VPSHUFB Y10, Y0, Y0
	VPSRLVD Y11, Y0, Y0
	VPAND Y14, Y0, Y0
	CMPQ CX, $8
	JB   last
	VPOR (DI), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ R9, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNE  loop
done:
	VZEROUPPER
	RET
near:
	VPXOR X1, X1, X1
	VMOVDQU -32(R8), Y0
	VMOVDQU Y0, end-64(SP)
	VMOVDQU Y1, end-32(SP)
	SUBQ R8, SI
	LEAQ end-32(SP), R8
	ADDQ R8, SI
	MOVQ $-1, R8
	JMP  both
last:
	VMOVD CX, X2
	VPBROADCASTD X2, Y2
	VPCMPGTD lanes32<>(SB), Y2, Y2
	VPMASKMOVD (DI), Y2, Y1
	VPOR Y1, Y0, Y0
	VPMASKMOVD Y0, Y2, (DI)
	VZEROUPPER
	RET
