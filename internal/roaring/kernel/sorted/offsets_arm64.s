// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Two lists are merged four values by four, as lists of 64 bits are (valuesand_arm64.s), but what
// may be the last values of the next blocks is read before it is known which blocks these are: a
// step waits for reading memory two steps
// before.
//
// R1 and R2 are the places in a and b, R8 and R9 the last ones at which two blocks stand, R5 and R6
// the last values of both blocks.

// LISTS jumps to few if one of both lists has less than eight values. Addresses are compared as
// numbers with a sign, as a place before the memory may be meant.
#define LISTS(AT) \
	MOVD a_base+(AT)(FP), R1       \
	MOVD a_len+(AT+8)(FP), R8      \
	MOVD b_base+(AT+24)(FP), R2    \
	MOVD b_len+(AT+32)(FP), R9     \
	ADD  R8<<2, R1, R8             \
	ADD  R9<<2, R2, R9             \
	SUB  $32, R8                   \
	SUB  $32, R9                   \
	CMP  R8, R1                    \
	BGT  few                       \
	CMP  R9, R2                    \
	BGT  few                       \
	MOVWU 12(R1), R5               \
	MOVWU 12(R2), R6

// MATCH leaves in V16 which of the four values of a, in V0, are among those of b.
#define MATCH \
	FMOVQ (R1), F0                 \
	FMOVQ (R2), F1                 \
	VEXT $4, V1.B16, V1.B16, V2.B16 \
	VEXT $8, V1.B16, V1.B16, V3.B16 \
	VEXT $12, V1.B16, V1.B16, V4.B16 \
	VCMEQ V0.S4, V1.S4, V16.S4     \
	VCMEQ V0.S4, V2.S4, V17.S4     \
	VCMEQ V0.S4, V3.S4, V18.S4     \
	VCMEQ V0.S4, V4.S4, V19.S4     \
	VORR V17.B16, V16.B16, V16.B16 \
	VORR V19.B16, V18.B16, V18.B16 \
	VORR V18.B16, V16.B16, V16.B16

// AHEAD moves on in a, or b, or both.
#define AHEAD \
	MOVWU 28(R1), R3               \
	MOVWU 28(R2), R4               \
	ADD  $16, R1, R7               \
	ADD  $16, R2, R10              \
	CMP  R6, R5                    \
	CSEL LS, R7, R1, R1            \
	CSEL LS, R3, R5, R5            \
	CSEL HS, R10, R2, R2           \
	CSEL HS, R4, R6, R6

// AGAIN jumps to whole if both lists have two blocks left.
#define AGAIN \
	CMP  R8, R1                    \
	BGT  few                       \
	CMP  R9, R2                    \
	BLE  whole

// PASSED returns how many values of each list are passed.
#define PASSED(AT) \
	MOVD a_base+(AT)(FP), R3       \
	SUB  R3, R1                    \
	LSR  $2, R1                    \
	MOVD R1, i+(AT+56)(FP)         \
	MOVD b_base+(AT+24)(FP), R3    \
	SUB  R3, R2                    \
	LSR  $2, R2                    \
	MOVD R2, j+(AT+64)(FP)         \
	RET

// func offsetsAndLenNEON(a, b []uint32) (n, i, j int)
//
// The lanes of V25 count what has been found.
TEXT ·offsetsAndLenNEON(SB), NOSPLIT, $0-72
	VEOR V25.B16, V25.B16, V25.B16
	LISTS(0)
whole:
	MATCH
	VSUB V16.S4, V25.S4, V25.S4
	AHEAD
	AGAIN
few:
	VADDV V25.S4, V25
	VMOV V25.S[0], R3
	MOVD R3, n+48(FP)
	PASSED(0)

// func offsetsAndNEON(dst, a, b []uint32) (n, i, j int)
//
// The masks of four values become 16 bits each of R11, which say how far the next value of the four
// is written behind the one before: each is written, whether it counts or not. R0 is the place in
// dst, R16 the last one with room for
// four.
TEXT ·offsetsAndNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R16
	ADD  R16<<2, R0, R16
	SUB  $16, R16
	LISTS(24)
whole:
	CMP  R16, R0
	BGT  few
	MATCH
	XTNH(16, 16)
	LDPW (R1), (R12, R13)
	LDPW 8(R1), (R14, R15)
	AHEAD
	FMOVD F16, R11
	MOVW R12, (R0)
	AND  $4, R11, R10
	ADD  R10, R0
	MOVW R13, (R0)
	AND  $(4<<16), R11, R10
	ADD  R10>>16, R0
	MOVW R14, (R0)
	AND  $(4<<32), R11, R10
	ADD  R10>>32, R0
	MOVW R15, (R0)
	AND  $(4<<48), R11, R10
	ADD  R10>>48, R0
	AGAIN
few:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $2, R0
	MOVD R0, n+72(FP)
	PASSED(24)

// func arrayOffsetsNEON(dst []uint32, lows []byte, base uint32) (n int)
//
// Eight at a time, as long as eight are left.
TEXT ·arrayOffsetsNEON(SB), NOSPLIT, $0-64
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R3
	MOVD lows_base+24(FP), R1
	MOVD lows_len+32(FP), R4
	LSR  $1, R4
	CMP  R4, R3
	CSEL LO, R3, R4, R3
	AND  $~7, R3
	MOVD R3, n+56(FP)
	MOVWU base+48(FP), R5
	VDUP R5, V3.S4
	CBZ  R3, done
loop:
	FMOVQ.P 16(R1), F0
	VUADDW V0.H4, V3.S4, V1.S4
	VUADDW2 V0.H8, V3.S4, V2.S4
	FSTPQ.P (F1, F2), 32(R0)
	SUBS $8, R3
	BNE  loop
done:
	RET

// BITS leaves in R14, R15, R8 and R9 the words shifted right by the offsets whose bits they have:
// two of R4 and two of R5. R2 is the bits.
#define BITS \
	UBFX $6, R4, $26, R14          \
	LSR  $38, R4, R15              \
	UBFX $6, R5, $26, R8           \
	LSR  $38, R5, R9               \
	MOVD (R2)(R14<<3), R14         \
	MOVD (R2)(R15<<3), R15         \
	MOVD (R2)(R8<<3), R8           \
	MOVD (R2)(R9<<3), R9           \
	LSR  R4, R14, R14              \
	LSR  R5, R8, R8                \
	LSR  $32, R4                   \
	LSR  $32, R5                   \
	LSR  R4, R15, R15              \
	LSR  R5, R9, R9                \
	AND  $1, R14                   \
	AND  $1, R8                    \
	BFI  $1, R15, $1, R14          \
	BFI  $1, R9, $1, R8            \
	ORR  R8<<2, R14

// KEEP writes those of the four offsets in V that SET chooses, which is the register of that
// number, moved together. F is V.
#define KEEP(NUMBER, SET, V, F) \
	LOADENTRY(NUMBER, 16, 16)      \
	MOVBU (R17)(SET), R9           \
	VTBL V16.B16, [V.B16], V.B16   \
	FMOVQ F, (R0)                  \
	ADD  R9, R0

// func keepOffsetsNEON(offsets []uint32, bits []byte, base uint32) (n int)
//
// Eight at a time: where they are beyond the bits, the last bit is looked up in their place, and
// the mask of V4, whose lanes are weights, leaves it out. What is written lies where offsets have
// been read. R16 and R17 are the shuffles and how many bytes
// each keeps, R12 and R11 the sets that are kept of each four.
TEXT ·keepOffsetsNEON(SB), NOSPLIT, $0-64
	MOVD offsets_base+0(FP), R1
	MOVD offsets_len+8(FP), R3
	MOVD bits_base+24(FP), R2
	MOVD bits_len+32(FP), R10
	MOVWU base+48(FP), R6
	MOVD R1, R0
	CBZ  R10, done
	LSL  $3, R10
	SUB  $1, R10 // the last place
	VDUP R6, V30.S4
	VDUP R10, V31.S4
	MOVD $0x0008000400020001, R4
	VMOV R4, V29.D[0]
	LSL  $4, R4
	VMOV R4, V29.D[1]
	MOVD $·fourTogether(SB), R16
	ADD  $256, R16, R17
	SUBS $8, R3
	BLT  few
loop:
	FLDPQ.P 32(R1), (F0, F1)
	VSUB V30.S4, V0.S4, V2.S4
	VSUB V30.S4, V1.S4, V3.S4
	CMHSS(2, 31, 4)
	CMHSS(3, 31, 5)
	UMINS(31, 2, 2)
	UMINS(31, 3, 3)
	VUZP1 V5.H8, V4.H8, V4.H8
	VAND V29.B16, V4.B16, V4.B16
	VADDV V4.H8, V4
	FMOVS F4, R13
	FMOVD F2, R4
	VMOV V2.D[1], R5
	BITS
	AND  R13, R14, R12
	FMOVD F3, R4
	VMOV V3.D[1], R5
	BITS
	AND  R13>>4, R14, R11
	KEEP(12, R12, V0, F0)
	KEEP(11, R11, V1, F1)
	SUBS $8, R3
	BGE  loop
few:
	ADDS $8, R3
	BEQ  done
one:
	MOVWU.P 4(R1), R4
	SUBW R6, R4, R5
	CMP  R10, R5
	CSEL LS, R5, R10, R5
	CSET LS, R7
	LSR  $6, R5, R8
	MOVD (R2)(R8<<3), R8
	LSR  R5, R8, R8
	AND  R7, R8
	MOVW R4, (R0)
	ADD  R8<<2, R0
	SUBS $1, R3
	BNE  one
done:
	MOVD offsets_base+0(FP), R3
	SUB  R3, R0
	LSR  $2, R0
	MOVD R0, n+56(FP)
	RET
