// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "select_amd64.h"

// func selectCardAVX512(cards []byte, i uint32) (at int, left uint32)
TEXT ·selectCardAVX512(SB), NOSPLIT, $0-44
	MOVQ cards_base+0(FP), SI
	MOVQ cards_len+8(FP), CX
	SHRQ $1, CX
	BEGIN
some:
	SOME
	VPMOVZXWD.Z (SI)(DX*2), K1, Z1
	VPSUBD.Z Z31, Z1, K1, Z1
	FIND
	TESTL AX, AX
	JNE  found
	PASS
	ADDQ $16, DX
	SUBQ $16, CX
	JHI  some
	ADDQ CX, DX
	VMOVD X0, AX
	MOVQ DX, BX
	JMP  done
found:
	FOUND
done:
	MOVQ BX, at+32(FP)
	MOVL AX, left+40(FP)
	VZEROUPPER
	RET
