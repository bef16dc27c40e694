// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "select_amd64.h"

// func runSelectAVX512(runs []byte, i uint32) (x uint16, ok bool)
TEXT ·runSelectAVX512(SB), NOSPLIT, $0-35
	MOVQ runs_base+0(FP), SI
	MOVQ runs_len+8(FP), CX
	SHRQ $2, CX
	BEGIN
some:
	SOME
	VMOVDQU32.Z (SI)(DX*4), K1, Z1
	VPSRLD $16, Z1, Z1
	VPSUBD.Z Z31, Z1, K1, Z1
	FIND
	TESTL AX, AX
	JNE  found
	PASS
	ADDQ $16, DX
	SUBQ $16, CX
	JHI  some
	MOVW $0, x+32(FP)
	MOVB $0, ok+34(FP)
	VZEROUPPER
	RET
found:
	FOUND
	ADDW (SI)(BX*4), AX
	MOVW AX, x+32(FP)
	MOVB $1, ok+34(FP)
	VZEROUPPER
	RET
