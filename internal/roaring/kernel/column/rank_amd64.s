// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func firstCountAVX512(counts []uint32, least uint32) int
TEXT ·firstCountAVX512(SB), NOSPLIT, $0-40
	MOVQ counts_base+0(FP), SI
	MOVQ counts_len+8(FP), CX
	MOVL least+24(FP), AX
	VPBROADCASTD AX, Z31
	XORL AX, AX
	SUBQ $32, CX
	JL   rest
loop:
	VPCMPUD $2, (SI)(AX*4), Z31, K1 // least is no more
	VPCMPUD $2, 64(SI)(AX*4), Z31, K2
	KORTESTW K1, K2
	JNE  found
	ADDQ $32, AX
	CMPQ AX, CX
	JLE  loop
rest:
	ADDQ $32, CX
	SUBQ AX, CX // up to 31
	MOVL $-1, BX
	BZHIL CX, BX, BX
	KMOVD BX, K3
	KSHIFTRD $16, K3, K4
	VMOVDQU32.Z (SI)(AX*4), K3, Z0
	VMOVDQU32.Z 64(SI)(AX*4), K4, Z1
	VPCMPUD $2, Z0, Z31, K3, K1
	VPCMPUD $2, Z1, Z31, K4, K2
found:
	KUNPCKWD K1, K2, K1
	KMOVD K1, BX
	MOVQ counts_len+8(FP), CX
	TZCNTQ BX, BX // 64 without a one
	ADDQ BX, AX
	CMPQ AX, CX
	CMOVQHI CX, AX
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// func lastShareAVX512(counts, sizes []uint32, least uint32, part float64) int
//
// Sixteen counts at a time; what is left of them at the beginning goes by a mask.
TEXT ·lastShareAVX512(SB), NOSPLIT, $0-72
	MOVQ counts_base+0(FP), SI
	MOVQ sizes_base+24(FP), DI
	MOVL least+48(FP), AX
	VPBROADCASTD AX, Z31
	MOVQ counts_len+8(FP), AX
	VBROADCASTSD part+56(FP), Z30
	MOVL $-1, BX
	KMOVD BX, K3
loop:
	SUBQ $16, AX
	JL   rest
	VMOVDQU32 (SI)(AX*4), Z0
	VPCMPUD $2, Z0, Z31, K1
	KORTESTW K1, K1
	JE   loop
	VMOVDQU32 (DI)(AX*4), Z1
share:
	VEXTRACTI64X4 $1, Z0, Y2
	VEXTRACTI64X4 $1, Z1, Y3
	VCVTUDQ2PD Y0, Z0
	VCVTUDQ2PD Y1, Z1
	VCVTUDQ2PD Y2, Z2
	VCVTUDQ2PD Y3, Z3
	VMULPD Z30, Z1, Z1
	VMULPD Z30, Z3, Z3
	VCMPPD $13, Z1, Z0, K4 // greater or equal
	VCMPPD $13, Z3, Z2, K5
	KUNPCKBW K4, K5, K4
	KANDW K4, K1, K1
	KMOVW K1, BX
	TESTL BX, BX
	JNE  found
	TESTQ AX, AX
	JG   loop
	JMP  none
rest:
	ADDQ $16, AX // the first of them, up to 15
	JE   none
	MOVL $-1, BX
	BZHIL AX, BX, BX
	KMOVD BX, K3
	XORL AX, AX
	VMOVDQU32.Z (SI), K3, Z0
	VMOVDQU32.Z (DI), K3, Z1
	VPCMPUD $2, Z0, Z31, K3, K1
	JMP  share
found:
	BSRL BX, BX
	ADDQ BX, AX
	VZEROUPPER
	MOVQ AX, ret+64(FP)
	RET
none:
	VZEROUPPER
	MOVQ $-1, ret+64(FP)
	RET
