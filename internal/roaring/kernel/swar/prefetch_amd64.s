// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func prefetchAVX2(b []byte)
TEXT ·prefetchAVX2(SB), NOSPLIT, $0-24
	MOVQ b_base+0(FP), DI
	MOVQ b_len+8(FP), CX
	ADDQ DI, CX // the end
	ANDQ $-64, DI
	JMP  test
line:
	PREFETCHT0 (DI)
	ADDQ $64, DI
test:
	CMPQ DI, CX
	JLO  line
	RET
