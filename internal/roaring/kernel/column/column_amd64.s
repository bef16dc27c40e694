// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "funcdata.h"
#include "textflag.h"

// Of each width, from 2 to 4 bytes: where the bytes of 16 rows come from, which stand in lanes of
// four; those above the width are zeros.
DATA rowBytes<>+0(SB)/8, $0x0000030200000100
DATA rowBytes<>+8(SB)/8, $0x0000070600000504
DATA rowBytes<>+16(SB)/8, $0x00000B0A00000908
DATA rowBytes<>+24(SB)/8, $0x00000F0E00000D0C
DATA rowBytes<>+32(SB)/8, $0x0000131200001110
DATA rowBytes<>+40(SB)/8, $0x0000171600001514
DATA rowBytes<>+48(SB)/8, $0x00001B1A00001918
DATA rowBytes<>+56(SB)/8, $0x00001F1E00001D1C
DATA rowBytes<>+64(SB)/8, $0x0005040300020100
DATA rowBytes<>+72(SB)/8, $0x000B0A0900080706
DATA rowBytes<>+80(SB)/8, $0x0011100F000E0D0C
DATA rowBytes<>+88(SB)/8, $0x0017161500141312
DATA rowBytes<>+96(SB)/8, $0x001D1C1B001A1918
DATA rowBytes<>+104(SB)/8, $0x0023222100201F1E
DATA rowBytes<>+112(SB)/8, $0x0029282700262524
DATA rowBytes<>+120(SB)/8, $0x002F2E2D002C2B2A
DATA rowBytes<>+128(SB)/8, $0x0706050403020100
DATA rowBytes<>+136(SB)/8, $0x0F0E0D0C0B0A0908
DATA rowBytes<>+144(SB)/8, $0x1716151413121110
DATA rowBytes<>+152(SB)/8, $0x1F1E1D1C1B1A1918
DATA rowBytes<>+160(SB)/8, $0x2726252423222120
DATA rowBytes<>+168(SB)/8, $0x2F2E2D2C2B2A2928
DATA rowBytes<>+176(SB)/8, $0x3736353433323130
DATA rowBytes<>+184(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL rowBytes<>(SB), RODATA|NOPTR, $192

DATA rowMasks<>+0(SB)/8, $0x3333333333333333
DATA rowMasks<>+8(SB)/8, $0x7777777777777777
DATA rowMasks<>+16(SB)/8, $0xFFFFFFFFFFFFFFFF
GLOBL rowMasks<>(SB), RODATA|NOPTR, $24

// What bytes are multiplied by for rows in the upper half of the product.
DATA rowParts<>+0(SB)/8, $0x8000000000000000
DATA rowParts<>+8(SB)/8, $0x5555555555555556
DATA rowParts<>+16(SB)/8, $0x4000000000000000
GLOBL rowParts<>(SB), RODATA|NOPTR, $24

// The numbers from 0 to 7, as words.
DATA eight<>+0(SB)/8, $0
DATA eight<>+8(SB)/8, $1
DATA eight<>+16(SB)/8, $2
DATA eight<>+24(SB)/8, $3
DATA eight<>+32(SB)/8, $4
DATA eight<>+40(SB)/8, $5
DATA eight<>+48(SB)/8, $6
DATA eight<>+56(SB)/8, $7
GLOBL eight<>(SB), RODATA|NOPTR, $64

// A step is up to 16 rows of a span. AHEAD steps before its turn its memory is asked for. STEPS are
// listed at a time, and up to 7 more; BATCH of them make rows, which are then counted.
#define AHEAD 24
#define STEPS 160
#define BATCH 16

// The frame: rows that wait, of a batch, 7 of the one before, and a vector behind them; addresses
// of steps, and of AHEAD behind the last; how many rows each step has, a byte each; the step that
// ends a round;
// the end of the spans.
#define ADDRESSES 1152
#define TAKES 2688
#define UNTIL 2880
#define END 2888

// LIST lists eight steps: from BX on, where R9 rows are left.
#define LIST \
	VPBROADCASTQ BX, Z5; \
	VPADDQ Z2, Z5, Z5; \
	VPBROADCASTQ R9, Z6; \
	VPSUBQ Z1, Z6, Z6; \
	VPMAXSQ Z4, Z6, Z6; \
	VPMINSQ Z3, Z6, Z6; \
	VMOVDQU64 Z5, ADDRESSES(R8)(R12*8); \
	VPMOVQB Z6, TAKES(R8)(R12*1)

// COUNT counts the row that stands at bytes behind row AX.
#define COUNT(at) \
	MOVL at(R8)(AX*4), R13; \
	INCL (DI)(R13*4)

// func countRowsAVX512(counts []uint32, spans [][]byte, width int) (beyond int)
//
// Nobody can guess where spans end. So they are first listed as steps, eight at a time, without a
// branch for the end of one; steps make rows one behind the other, whatever spans they are of; and
// all rows of a batch are compared
// with the number of counters before they are counted. The first AHEAD steps are empty: they ask
// for the memory of those behind them.
TEXT ·countRowsAVX512(SB), 0, $2896-64
	NO_LOCAL_POINTERS
	MOVQ counts_base+0(FP), DI
	MOVQ spans_base+24(FP), SI
	MOVQ width+48(FP), R10
	LEAQ rows-2896(SP), R8
	MOVQ spans_len+32(FP), AX
	LEAQ (AX)(AX*2), AX
	LEAQ (SI)(AX*8), AX
	MOVQ AX, END(R8)
	MOVQ $0, beyond+56(FP)

	// What does not change: 0, 16, 32 ... rows, and their bytes; the most rows of a step; 0; where
	// the bytes of rows come from; the number of counters.
	VMOVDQU64 eight<>(SB), Z0
	VPSLLQ $4, Z0, Z1
	VPBROADCASTQ R10, Z2
	VPMULUDQ Z1, Z2, Z2
	MOVL $16, AX
	VPBROADCASTQ AX, Z3
	VPXORQ Z4, Z4, Z4
	LEAQ rowBytes<>(SB), AX
	MOVQ R10, BX
	SHLQ $6, BX
	VMOVDQU64 -128(AX)(BX*1), Z31
	LEAQ rowMasks<>(SB), AX
	KMOVQ -16(AX)(R10*8), K2
	MOVL $0xFFFFFFFF, AX
	MOVQ counts_len+8(FP), BX
	CMPQ BX, AX
	CMOVQHI AX, BX
	VPBROADCASTD BX, Z30

	// AHEAD empty steps
	VPBROADCASTQ R8, Z29
	VMOVDQU64 Z29, ADDRESSES(R8)
	VMOVDQU64 Z29, ADDRESSES+64(R8)
	VMOVDQU64 Z29, ADDRESSES+128(R8)
	VMOVDQU Y4, TAKES(R8)
	MOVQ $AHEAD, R12 // steps that are listed
	XORL R15, R15    // the next one
	XORL R14, R14    // rows that wait
	XORL R9, R9      // rows left of a span

list:
	LEAQ rowParts<>(SB), AX
	MOVQ -16(AX)(R10*8), R11
	TESTQ R9, R9
	JNE  more
span:
	CMPQ SI, END(R8)
	JAE  all
	MOVQ (SI), BX
	MOVQ 8(SI), AX
	ADDQ $24, SI
	MULQ R11
	MOVQ DX, R9
more:
	LIST
	CMPQ R9, $128
	JA   long
	ADDQ $15, R9
	SHRQ $4, R9
	ADDQ R9, R12
	XORL R9, R9
	CMPQ R12, $STEPS
	JB   span
	JMP  full
long:
	ADDQ $8, R12
	SUBQ $128, R9
	MOVQ R10, AX
	SHLQ $7, AX
	ADDQ AX, BX
	CMPQ R12, $STEPS
	JB   more
full:
	// The last steps are left to the next round, which knows what is behind them.
	LEAQ -AHEAD(R12), AX
	MOVQ AX, UNTIL(R8)
	JMP  listed
all:
	VMOVDQU64 Z29, ADDRESSES(R8)(R12*8)
	VMOVDQU64 Z29, ADDRESSES+64(R8)(R12*8)
	VMOVDQU64 Z29, ADDRESSES+128(R8)(R12*8)
	MOVQ R12, UNTIL(R8)
listed:
	MOVQ $-1, R11

batch:
	MOVQ UNTIL(R8), DX
	CMPQ R15, DX
	JAE  round
	LEAQ BATCH(R15), AX
	CMPQ AX, DX
	CMOVQCS AX, DX
	VPXORQ Z7, Z7, Z7
step:
	MOVQ ADDRESSES+8*AHEAD(R8)(R15*8), AX
	PREFETCHT0 (AX)
	MOVQ ADDRESSES(R8)(R15*8), R13
	MOVBLZX TAKES(R8)(R15*1), AX
	MOVQ AX, CX
	IMULQ R10, CX
	BZHIQ CX, R11, CX
	KMOVQ CX, K1
	VMOVDQU8.Z (R13), K1, Z5
	VPERMB.Z Z5, Z31, K2, Z5
	VPMAXUD Z5, Z7, Z7
	VMOVDQU64 Z5, (R8)(R14*4)
	ADDQ AX, R14
	INCQ R15
	CMPQ R15, DX
	JB   step
	VPCMPUD $5, Z30, Z7, K1
	KORTESTW K1, K1
	JNE  beyond
	XORL AX, AX
	SUBQ $8, R14
	JB   counted
count:
	COUNT(0)
	COUNT(4)
	COUNT(8)
	COUNT(12)
	COUNT(16)
	COUNT(20)
	COUNT(24)
	COUNT(28)
	ADDQ $8, AX
	CMPQ AX, R14
	JLE  count
counted:
	// Up to seven wait for the next batch.
	VMOVDQU (R8)(AX*4), Y5
	VMOVDQU Y5, (R8)
	ADDQ $8, R14
	SUBQ AX, R14
	JMP  batch

beyond:
	// One by one: some have no counter.
	XORL AX, AX
one:
	CMPQ AX, R14
	JAE  ones
	MOVL (R8)(AX*4), R13
	INCQ AX
	CMPQ R13, counts_len+8(FP)
	JAE  none
	INCL (DI)(R13*4)
	JMP  one
none:
	INCQ beyond+56(FP)
	JMP  one
ones:
	XORL R14, R14
	JMP  batch

round:
	CMPQ R15, R12
	JAE  last
	VMOVDQU64 ADDRESSES-192(R8)(R12*8), Z5
	VMOVDQU64 ADDRESSES-128(R8)(R12*8), Z6
	VMOVDQU64 ADDRESSES-64(R8)(R12*8), Z7
	VMOVDQU64 Z5, ADDRESSES(R8)
	VMOVDQU64 Z6, ADDRESSES+64(R8)
	VMOVDQU64 Z7, ADDRESSES+128(R8)
	VMOVDQU TAKES-24(R8)(R12*1), Y5
	VMOVDQU Y5, TAKES(R8)
	MOVQ $AHEAD, R12
	XORL R15, R15
	JMP  list
last:
	XORL AX, AX
rest:
	CMPQ AX, R14
	JAE  done
	COUNT(0)
	INCQ AX
	JMP  rest
done:
	VZEROUPPER
	RET
