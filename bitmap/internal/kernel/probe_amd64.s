// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The values of an array are looked up in a bitset 32 at a time: two gathers load the 32 bits in which the bits of sixteen values stand each, rotations by
// the values move these to the lowest place.

// PROBE leaves in K4 which bits of the 32 values in Z0 are ones. It needs the bitset in DX and ones in Z31.
#define PROBE \
	VEXTRACTI64X4 $1, Z0, Y2       \
	VPMOVZXWD Y0, Z1               \
	VPMOVZXWD Y2, Z2               \
	VPSRLD $5, Z1, Z3              \
	VPSRLD $5, Z2, Z4              \
	KXNORW K2, K2, K2              \
	KXNORW K3, K3, K3              \
	VPXORD Z5, Z5, Z5              \
	VPXORD Z6, Z6, Z6              \
	VPGATHERDD (DX)(Z3*4), K2, Z5  \
	VPGATHERDD (DX)(Z4*4), K3, Z6  \
	VPRORVD Z1, Z5, Z5             \
	VPRORVD Z2, Z6, Z6             \
	VPTESTMD Z31, Z5, K2           \
	VPTESTMD Z31, Z6, K3           \
	KUNPCKWD K2, K3, K4

#define ONES31 \
	MOVL $1, AX                    \
	VPBROADCASTD AX, Z31

// func arrayBitsetAndLenAVX512(lows []byte, a *Words) int
TEXT ·arrayBitsetAndLenAVX512(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	MOVQ a+24(FP), DX
	XORL R10, R10
	ONES31
	SUBQ $64, CX
	JB   last
loop:
	VMOVDQU64 (SI), Z0
	PROBE
	KMOVD K4, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, SI
	SUBQ $64, CX
	JAE  loop
last:
	ADDQ $64, CX
	SHRQ $1, CX
	JE   done
few:
	// Sixteen at a time, so that memory is read of no more words than there are values: it may be far away.
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVD AX, K1
	VMOVDQU16.Z (SI), K1, Y0
	VPMOVZXWD Y0, Z1
	VPSRLD $5, Z1, Z3
	VPXORD Z5, Z5, Z5
	VPGATHERDD (DX)(Z3*4), K1, Z5
	VPRORVD Z1, Z5, Z5
	VPTESTMD Z31, Z5, K2
	KMOVW K2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $32, SI
	SUBQ $16, CX
	JHI  few
done:
	VZEROUPPER
	MOVQ R10, ret+32(FP)
	RET

// func filterBitsAVX512(dst, lows []byte, a *Words, flip int) int
//
// dst may be lows: what is written lies where values have been read.
TEXT ·filterBitsAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ a+48(FP), DX
	MOVQ flip+56(FP), AX
	NEGQ AX
	KMOVD AX, K7
	ONES31
	SUBQ $64, CX
	JB   last
loop:
	VMOVDQU64 (SI), Z0
	PROBE
	KXORD K7, K4, K4
	KMOVD K4, AX
	VPCOMPRESSW.Z Z0, K4, Z0
	POPCNTL AX, AX
	VMOVDQU64 Z0, (DI)
	LEAQ (DI)(AX*2), DI
	ADDQ $64, SI
	SUBQ $64, CX
	JAE  loop
last:
	ADDQ $64, CX
	SHRQ $1, CX
	JE   done
	MOVL $-1, BX
	BZHIL CX, BX, AX
	KMOVD AX, K1
	VMOVDQU16.Z (SI), K1, Z0
	PROBE
	KXORD K7, K4, K4
	KANDD K1, K4, K4
	KMOVD K4, AX
	VPCOMPRESSW.Z Z0, K4, Z0
	POPCNTL AX, AX
	BZHIL AX, BX, BX
	KMOVD BX, K1
	VMOVDQU16 Z0, K1, (DI)
	LEAQ (DI)(AX*2), DI
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+64(FP)
	RET
