// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Whole vectors of eight counts; the rest is left to the caller. As AVX2 has no comparison of
// numbers without a sign, the greater one of a count and the least that may be is compared with the
// count.

// func firstCountAVX2(counts []uint32, least uint32) int
TEXT ·firstCountAVX2(SB), NOSPLIT, $0-40
	MOVQ counts_base+0(FP), SI
	MOVQ counts_len+8(FP), CX
	MOVL least+24(FP), AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4
	XORL AX, AX
	SUBQ $32, CX
	JL   rest
loop:
	VPMAXUD (SI)(AX*4), Y4, Y0
	VPMAXUD 32(SI)(AX*4), Y4, Y1
	VPMAXUD 64(SI)(AX*4), Y4, Y2
	VPMAXUD 96(SI)(AX*4), Y4, Y3
	VPCMPEQD (SI)(AX*4), Y0, Y0
	VPCMPEQD 32(SI)(AX*4), Y1, Y1
	VPCMPEQD 64(SI)(AX*4), Y2, Y2
	VPCMPEQD 96(SI)(AX*4), Y3, Y3
	VPOR Y0, Y1, Y0
	VPOR Y2, Y3, Y2
	VPOR Y0, Y2, Y0
	VPTEST Y0, Y0
	JNE  rest
	ADDQ $32, AX
	CMPQ AX, CX
	JLE  loop
rest:
	ADDQ $24, CX
eight:
	CMPQ AX, CX
	JGT  done
	VPMAXUD (SI)(AX*4), Y4, Y0
	VPCMPEQD (SI)(AX*4), Y0, Y0
	VMOVMSKPS Y0, BX
	TESTL BX, BX
	JNE  found
	ADDQ $8, AX
	JMP  eight
found:
	TZCNTL BX, BX
	ADDQ BX, AX
done:
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// A number n below 2^32 as the lower half of a floating-point number whose upper half is this is
// 2^52 + n.
DATA twoTo52<>+0(SB)/8, $0x4330000000000000
GLOBL twoTo52<>(SB), RODATA|NOPTR, $8

// SHARES leaves in MASK which of the four counts at COUNT are no less than the part, Y6, of the
// sizes at SIZE.
#define SHARES(COUNT, SIZE, MASK) \
	VPMOVZXDQ COUNT, Y0            \
	VPMOVZXDQ SIZE, Y1             \
	VPOR Y5, Y0, Y0                \
	VPOR Y5, Y1, Y1                \
	VSUBPD Y5, Y0, Y0              \
	VSUBPD Y5, Y1, Y1              \
	VMULPD Y6, Y1, Y1              \
	VCMPPD $13, Y1, Y0, Y0         \
	VMOVMSKPD Y0, MASK

// func lastShareAVX2(counts, sizes []uint32, least uint32, part float64) int
TEXT ·lastShareAVX2(SB), NOSPLIT, $0-72
	MOVQ counts_base+0(FP), SI
	MOVQ sizes_base+24(FP), DI
	MOVL least+48(FP), AX
	VMOVD AX, X4
	VPBROADCASTD X4, Y4
	VPBROADCASTQ twoTo52<>(SB), Y5
	VBROADCASTSD part+56(FP), Y6
	MOVQ counts_len+8(FP), AX
loop:
	SUBQ $8, AX
	JL   none
	VPMAXUD (SI)(AX*4), Y4, Y0
	VPCMPEQD (SI)(AX*4), Y0, Y0
	VMOVMSKPS Y0, BX
	TESTL BX, BX
	JE   loop
	SHARES((SI)(AX*4), (DI)(AX*4), CX)
	SHARES(16(SI)(AX*4), 16(DI)(AX*4), DX)
	SHLL $4, DX
	ORL  DX, CX
	ANDL CX, BX
	JE   loop
	BSRL BX, BX
	ADDQ BX, AX
	VZEROUPPER
	MOVQ AX, ret+64(FP)
	RET
none:
	VZEROUPPER
	MOVQ $-1, ret+64(FP)
	RET
