// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Lists of four values and more: the last vector begins so far before the end that it is whole, and
// has values that have been seen. Where that counts, a mask takes them away.

// The bytes of two values of four to seven bytes, each in a lane of eight with zeros behind it:
// those at the begin of sixteen bytes, and those at the end.
DATA couples<>+0(SB)/8, $0x8080808003020100
DATA couples<>+8(SB)/8, $0x8080808007060504
DATA couples<>+16(SB)/8, $0x808080800B0A0908
DATA couples<>+24(SB)/8, $0x808080800F0E0D0C
DATA couples<>+32(SB)/8, $0x8080800403020100
DATA couples<>+40(SB)/8, $0x8080800908070605
DATA couples<>+48(SB)/8, $0x8080800A09080706
DATA couples<>+56(SB)/8, $0x8080800F0E0D0C0B
DATA couples<>+64(SB)/8, $0x8080050403020100
DATA couples<>+72(SB)/8, $0x80800B0A09080706
DATA couples<>+80(SB)/8, $0x8080090807060504
DATA couples<>+88(SB)/8, $0x80800F0E0D0C0B0A
DATA couples<>+96(SB)/8, $0x8006050403020100
DATA couples<>+104(SB)/8, $0x800D0C0B0A090807
DATA couples<>+112(SB)/8, $0x8008070605040302
DATA couples<>+120(SB)/8, $0x800F0E0D0C0B0A09
GLOBL couples<>(SB), RODATA|NOPTR, $128

// Zeros, and then ones: what is read n bytes from the begin ends with as many bytes of ones.
DATA behind<>+0(SB)/8, $0
DATA behind<>+8(SB)/8, $0
DATA behind<>+16(SB)/8, $0
DATA behind<>+24(SB)/8, $0
DATA behind<>+32(SB)/8, $-1
DATA behind<>+40(SB)/8, $-1
DATA behind<>+48(SB)/8, $-1
DATA behind<>+56(SB)/8, $-1
GLOBL behind<>(SB), RODATA|NOPTR, $64

// The numbers 0 to 3.
DATA lanes<>+0(SB)/8, $0x0000000100000000
DATA lanes<>+8(SB)/8, $0x0000000300000002
GLOBL lanes<>(SB), RODATA|NOPTR, $16

// func fixedAndLenNEON(a, b []byte) int
//
// Four values are merged with four as offsets are (offsets_arm64.s), as long as both lists have
// eight. Of what is left, up to seven values of the one, each is compared with all of the other,
// eight at a time.
//
// R1 and R2 are the places in a and b, R11 and R12 their ends, R8 and R9 the last places at which
// two blocks stand, R5 and R6 the last values of both blocks. The lanes of V25 count.
TEXT ·fixedAndLenNEON(SB), NOSPLIT, $0-56
	MOVD a_base+0(FP), R1
	MOVD a_len+8(FP), R11
	MOVD b_base+24(FP), R2
	MOVD b_len+32(FP), R12
	VEOR V25.B16, V25.B16, V25.B16
	MOVD R1, R13
	MOVD R2, R14
	AND  $~3, R11
	AND  $~3, R12
	ADD  R1, R11
	ADD  R2, R12
	SUB  $32, R11, R8
	SUB  $32, R12, R9
	CMP  R8, R1
	BGT  rest
	CMP  R9, R2
	BGT  rest
	MOVWU 12(R1), R5
	MOVWU 12(R2), R6
whole:
	FMOVQ (R1), F0
	FMOVQ (R2), F1
	VEXT $4, V1.B16, V1.B16, V2.B16
	VEXT $8, V1.B16, V1.B16, V3.B16
	VEXT $12, V1.B16, V1.B16, V4.B16
	VCMEQ V0.S4, V1.S4, V16.S4
	VCMEQ V0.S4, V2.S4, V17.S4
	VCMEQ V0.S4, V3.S4, V18.S4
	VCMEQ V0.S4, V4.S4, V19.S4
	VORR V17.B16, V16.B16, V16.B16
	VORR V19.B16, V18.B16, V18.B16
	VORR V18.B16, V16.B16, V16.B16
	VSUB V16.S4, V25.S4, V25.S4
	MOVWU 28(R1), R3
	MOVWU 28(R2), R4
	ADD  $16, R1, R7
	ADD  $16, R2, R10
	CMP  R6, R5
	CSEL LS, R7, R1, R1
	CSEL LS, R3, R5, R5
	CSEL HS, R10, R2, R2
	CSEL HS, R4, R6, R6
	CMP  R8, R1
	BGT  rest
	CMP  R9, R2
	BLE  whole
rest:
	// R1, R11 become the shorter one, R2 the longer one, of R4 bytes, which begins at R13.
	SUB  R1, R11, R3
	SUB  R2, R12, R4
	CMP  R4, R3
	CSEL HI, R2, R1, R7
	CSEL HI, R1, R2, R2
	MOVD R7, R1
	CSEL HI, R13, R14, R13
	CSEL HI, R4, R3, R7
	CSEL HI, R3, R4, R4
	ADDS R1, R7, R11
	CMP  R11, R1
	BEQ  done
	VEOR V6.B16, V6.B16, V6.B16
	VCMEQ V6.B16, V6.B16, V6.B16
	VMOV V6.B16, V7.B16
	SUBS $32, R4
	BLO  last
eight:
	FLDPQ.P 32(R2), (F0, F1)
compare:
	MOVD R1, R7
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
each:
	VLD1R.P 4(R7), [V4.S4]
	VCMEQ V4.S4, V0.S4, V5.S4
	VCMEQ V4.S4, V1.S4, V4.S4
	VORR V5.B16, V2.B16, V2.B16
	VORR V4.B16, V3.B16, V3.B16
	CMP  R11, R7
	BLO  each
	VAND V6.B16, V2.B16, V2.B16
	VAND V7.B16, V3.B16, V3.B16
	VSUB V2.S4, V25.S4, V25.S4
	VSUB V3.S4, V25.S4, V25.S4
	SUBS $32, R4
	BHS  eight
last:
	// Up to seven values: the last eight of the list, less the ones already compared. In a list of
	// fewer, the last four are the second vector, less the ones of the first vector.
	ADDS $32, R4
	BLE  done
	ADD  R4, R2, R7
	SUB  $32, R7, R10
	CMP  R13, R10
	BLO  short
	FLDPQ (R10), (F0, F1)
	MOVD $behind<>(SB), R7
	ADD  R4, R7
	FLDPQ (R7), (F6, F7)
	MOVD ZR, R4
	B    compare
short:
	MOVD $lanes<>(SB), R7
	FMOVQ (R7), F16
	LSR  $2, R4, R7
	VDUP R7, V17.S4
	CMHIS(16, 17, 6)
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V1.B16, V1.B16, V1.B16
	CMP  $16, R4
	BLO  few
	ADD  R4, R2, R7
	FMOVQ (R2), F0
	FMOVQ -16(R7), F1
	MOVD $behind<>+16(SB), R7
	SUB  $16, R4
	ADD  R4, R7
	FMOVQ (R7), F7
	MOVD ZR, R4
	B    compare
few:
	VEOR V0.B16, V0.B16, V0.B16
	CMP  $8, R4
	BLO  alone
	FMOVD (R2), F0
	BEQ  ready
	ADD  $8, R2
	VLD1 (R2), V0.S[2]
	B    ready
alone:
	FMOVS (R2), F0
ready:
	MOVD ZR, R4
	B    compare
done:
	VADDV V25.S4, V25
	VMOV V25.S[0], R3
	MOVD R3, ret+48(FP)
	RET

// ANY returns whether a bit of V4 or V17 is one.
#define ANY(RESULT) \
	VORR V17.B16, V4.B16, V4.B16   \
	UMAXPS(4, 4, 4)                \
	FMOVD F4, R6                   \
	CMP  $0, R6                    \
	CSET NE, R6                    \
	MOVB R6, RESULT

// func fixedHasNEON(list []byte, x uint32) bool
TEXT ·fixedHasNEON(SB), NOSPLIT, $0-33
	MOVD list_base+0(FP), R1
	MOVD list_len+8(FP), R2
	MOVWU x+24(FP), R3
	VDUP R3, V0.S4
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V17.B16, V17.B16, V17.B16
	ADD  R2, R1, R5
	SUBS $32, R2
	BLO  short
	SUB  $32, R5
	B    check
loop:
	FLDPQ.P 32(R1), (F1, F2)
	VCMEQ V0.S4, V1.S4, V1.S4
	VCMEQ V0.S4, V2.S4, V2.S4
	VORR V1.B16, V4.B16, V4.B16
	VORR V2.B16, V17.B16, V17.B16
check:
	CMP  R5, R1
	BLO  loop
	FLDPQ (R5), (F1, F2)
	B    both
short:
	ADDS $16, R2
	BMI  done
	FMOVQ (R1), F1
	FMOVQ -16(R5), F2
both:
	VCMEQ V0.S4, V1.S4, V1.S4
	VCMEQ V0.S4, V2.S4, V2.S4
	VORR V1.B16, V4.B16, V4.B16
	VORR V2.B16, V17.B16, V17.B16
done:
	ANY(ret+32(FP))
	RET

// COUPLES reads a list, LIST, of values of WIDTH bytes: it leaves in V1 and V2 which bytes two
// values are, in R7 the bytes of four and in R8 where the last sixteen of them begin. R1 is the
// place in the list, R5 the last one of
// four values. It jumps to none if there are no four.
#define COUPLES(LIST, LEN, WIDTH) \
	MOVD LIST, R1                  \
	MOVD LEN, R2                   \
	MOVD WIDTH, R3                 \
	MOVD $couples<>(SB), R6        \
	SUB  $128, R6                  \
	ADD  R3<<5, R6                 \
	FLDPQ (R6), (F1, F2)           \
	LSL  $2, R3, R7                \
	SUB  $16, R7, R8               \
	SUBS R7, R2, R5                \
	BLO  none                      \
	ADD  R1, R5                    \
	ADD  R1, R8

// FOUR reads four values to V5 and V6, and moves on.
#define FOUR \
	FMOVQ (R1), F5                 \
	FMOVQ (R8), F6                 \
	ADD  R7, R1                    \
	ADD  R7, R8                    \
	VTBL V1.B16, [V5.B16], V5.B16  \
	VTBL V2.B16, [V6.B16], V6.B16

// LASTFOUR reads the last four.
#define LASTFOUR \
	SUB  $16, R7, R8               \
	MOVD R5, R1                    \
	ADD  R5, R8                    \
	FOUR

// func fixedHasWideNEON(list []byte, width int, x uint64) bool
TEXT ·fixedHasWideNEON(SB), NOSPLIT, $0-41
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V17.B16, V17.B16, V17.B16
	COUPLES(list_base+0(FP), list_len+8(FP), width+24(FP))
	MOVD x+32(FP), R4
	VDUP R4, V0.D2
	B    check
loop:
	FOUR
	VCMEQ V0.D2, V5.D2, V5.D2
	VCMEQ V0.D2, V6.D2, V6.D2
	VORR V5.B16, V4.B16, V4.B16
	VORR V6.B16, V17.B16, V17.B16
check:
	CMP  R5, R1
	BLO  loop
	LASTFOUR
	VCMEQ V0.D2, V5.D2, V5.D2
	VCMEQ V0.D2, V6.D2, V6.D2
	VORR V5.B16, V4.B16, V4.B16
	VORR V6.B16, V17.B16, V17.B16
none:
	ANY(ret+40(FP))
	RET

// func fixedRankNEON(list []byte, x uint32) int
TEXT ·fixedRankNEON(SB), NOSPLIT, $0-40
	MOVD list_base+0(FP), R1
	MOVD list_len+8(FP), R2
	MOVWU x+24(FP), R3
	VDUP R3, V0.S4
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V17.B16, V17.B16, V17.B16
	CMP  $16, R2
	BLO  done
	SUBS $32, R2
	BLO  few
loop:
	FLDPQ.P 32(R1), (F1, F2)
	CMHSS(1, 0, 1)
	CMHSS(2, 0, 2)
	VSUB V1.S4, V4.S4, V4.S4
	VSUB V2.S4, V17.S4, V17.S4
	SUBS $32, R2
	BHS  loop
few:
	TBZ  $4, R2, last
	FMOVQ.P 16(R1), F1
	CMHSS(1, 0, 1)
	VSUB V1.S4, V4.S4, V4.S4
last:
	AND  $15, R2
	ADD  R2, R1
	FMOVQ -16(R1), F1
	MOVD $behind<>+16(SB), R6
	ADD  R2, R6
	FMOVQ (R6), F2
	CMHSS(1, 0, 1)
	VAND V2.B16, V1.B16, V1.B16
	VSUB V1.S4, V4.S4, V4.S4
done:
	VADD V17.S4, V4.S4, V4.S4
	VADDV V4.S4, V4
	VMOV V4.S[0], R3
	MOVD R3, ret+32(FP)
	RET

// func fixedRankWideNEON(list []byte, n, width int, x uint64) int
TEXT ·fixedRankWideNEON(SB), NOSPLIT, $0-56
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V17.B16, V17.B16, V17.B16
	COUPLES(list_base+0(FP), list_len+8(FP), width+32(FP))
	MOVD x+40(FP), R4
	VDUP R4, V0.D2
	B    check
loop:
	FOUR
	CMHSD(5, 0, 5)
	CMHSD(6, 0, 6)
	VSUB V5.D2, V4.D2, V4.D2
	VSUB V6.D2, V17.D2, V17.D2
check:
	CMP  R5, R1
	BLS  loop
	LASTFOUR
	MOVD n+24(FP), R3
	AND  $3, R3
	MOVD $behind<>(SB), R6
	ADD  R3<<3, R6
	FLDPQ (R6), (F18, F19)
	CMHSD(5, 0, 5)
	CMHSD(6, 0, 6)
	VAND V18.B16, V5.B16, V5.B16
	VAND V19.B16, V6.B16, V6.B16
	VSUB V5.D2, V4.D2, V4.D2
	VSUB V6.D2, V17.D2, V17.D2
none:
	VADD V17.D2, V4.D2, V4.D2
	VMOV V4.D[0], R3
	VMOV V4.D[1], R4
	ADD  R4, R3
	MOVD R3, ret+48(FP)
	RET

// func fixedValuesNEON(dst []uint64, list []byte, width int)
TEXT ·fixedValuesNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R4
	COUPLES(list_base+24(FP), list_len+32(FP), width+48(FP))
	ADD  R4<<3, R0, R4
	B    check
loop:
	FOUR
	FSTPQ.P (F5, F6), 32(R0)
check:
	CMP  R5, R1
	BLO  loop
	LASTFOUR
	FSTPQ (F5, F6), -32(R4)
none:
	RET
