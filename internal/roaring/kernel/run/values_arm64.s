// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

DATA firstTwo<>+0(SB)/8, $0
DATA firstTwo<>+8(SB)/8, $1
GLOBL firstTwo<>(SB), RODATA|NOPTR, $16

// FIRSTEIGHT writes eight values from R4 on. NEXTEIGHT writes the eight behind the last ones
// written.
#define FIRSTEIGHT \
	VDUP R4, V0.D2                 \
	VADD V19.D2, V0.D2, V3.D2      \
	VADD V18.D2, V0.D2, V2.D2      \
	VADD V17.D2, V0.D2, V1.D2      \
	VADD V16.D2, V0.D2, V0.D2      \
	WRITEEIGHT

#define NEXTEIGHT \
	VADD V20.D2, V0.D2, V0.D2      \
	VADD V20.D2, V1.D2, V1.D2      \
	VADD V20.D2, V2.D2, V2.D2      \
	VADD V20.D2, V3.D2, V3.D2      \
	WRITEEIGHT

#define WRITEEIGHT \
	FSTPQ (F0, F1), (R0)           \
	FSTPQ (F2, F3), 32(R0)         \
	ADD  $64, R0

// func runValuesNEON(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)
//
// Eight values at a time are written, and those of the next run over what is too many: the length
// of a short run decides on nothing. Of a run that there is no room for in whole vectors, the last
// ones are written one by one.
//
// R0 is the place in dst, R11 its end; R1 the next run, R12 the last place at which one stands; R3
// the end of the run before, R4 and R5 the run. V16 to V19 have the numbers 0 to 7 plus the base.
TEXT ·runValuesNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	MOVD runs_base+24(FP), R1
	MOVD runs_len+32(FP), R12
	MOVD at+48(FP), R2
	MOVD next+56(FP), R3
	MOVD base+64(FP), R7
	ADD  R11<<3, R0, R11
	ADD  R1, R12
	SUB  $4, R12
	ADD  R2<<2, R1
	MOVD $65536, R13
	MOVD $firstTwo<>(SB), R2
	FMOVQ (R2), F16
	VDUP R7, V17.D2
	VADD V17.D2, V16.D2, V16.D2
	MOVD $2, R2
	VDUP R2, V20.D2
	VADD V20.D2, V16.D2, V17.D2
	VADD V20.D2, V17.D2, V18.D2
	VADD V20.D2, V18.D2, V19.D2
	MOVD $8, R2
	VDUP R2, V20.D2
run:
	CMP  R12, R1
	BGT  done
	MOVWU (R1), R5
	AND  $0xFFFF, R5, R4
	LSR  $16, R5
	ADD  R4, R5
	ADD  $1, R5
	CMP  R13, R5
	CSEL LO, R5, R13, R5     // the end of the run
	CMP  R3, R4
	CSEL LO, R3, R4, R4      // its begin
	SUBS R4, R5, R6
	BLE  skip
	ADD  R6<<3, R0, R8       // behind its values
	SUB  R0, R11, R10
	LSR  $3, R10             // room for as many values
	ADD  $7, R6, R9
	AND  $~7, R9
	CMP  R10, R9
	BHI  part
	FIRSTEIGHT
	CMP  R8, R0
	BHS  whole
more:
	NEXTEIGHT
	CMP  R8, R0
	BLO  more
whole:
	MOVD R8, R0
	MOVD R5, R3
skip:
	ADD  $4, R1
	B    run
part:
	CMP  R10, R6
	CSEL HI, R10, R6, R6
	LSR  $3, R6              // whole vectors
	CBZ  R6, one
	FIRSTEIGHT
	ADD  R6<<3, R4
	B    test
again:
	NEXTEIGHT
test:
	SUBS $1, R6
	BNE  again
one:
	CMP  R5, R4
	BHS  end
	CMP  R11, R0
	BHS  full
	ADD  R7, R4, R6
	MOVD.P R6, 8(R0)
	ADD  $1, R4
	B    one
end:
	MOVD R5, R3
	B    skip
full:
	MOVD R4, R3
done:
	MOVD dst_base+0(FP), R2
	SUB  R2, R0
	LSR  $3, R0
	MOVD R0, n+72(FP)
	MOVD runs_base+24(FP), R2
	SUB  R2, R1
	LSR  $2, R1
	MOVD R1, run+80(FP)
	MOVD R3, value+88(FP)
	RET
