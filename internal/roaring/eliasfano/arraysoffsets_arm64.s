// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The arrays of a directory are widened one after the other, eight values at a time. A shorter
// array writes eight as well, and the next one overwrites the excess. The last load takes the last
// sixteen bytes of the body, which may be all arrays of a small directory; a shuffle drops the
// bytes before the values. Where there is no room for eight, values go one by one.

// The numbers 0 to 15, and then bytes that a shuffle makes zeros.
DATA moved<>+0(SB)/8, $0x0706050403020100
DATA moved<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA moved<>+16(SB)/8, $0x8080808080808080
DATA moved<>+24(SB)/8, $0x8080808080808080
GLOBL moved<>(SB), RODATA|NOPTR, $32

// DIRECTORY reads where the fields stand, of values of 2^SCALE bytes in dst, and jumps to loop if
// container i is the first one.
#define DIRECTORY(SCALE) \
	MOVD dst_base+0(FP), R0        \
	MOVD dst_len+8(FP), R11        \
	ADD  R11<<SCALE, R0, R11       \
	MOVD a+24(FP), R17             \
	MOVD i+32(FP), R10             \
	MOVD end+40(FP), R12           \
	MOVD Arrays_Body(R17), R20     \
	MOVD (Arrays_Body+8)(R17), R6  \
	ADD  R6, R20, R7               \
	SUB  $16, R7                   \
	MOVD Arrays_KeyBytes(R17), R13 \
	MOVD Arrays_Keys(R17), R1      \
	MADD R13, R1, R10, R1          \
	ADD  R20, R1                   \
	MOVD Arrays_EndBytes(R17), R14 \
	MOVD Arrays_Ends(R17), R2      \
	MADD R14, R2, R10, R2          \
	ADD  R20, R2                   \
	SUB  $8, R2                    \
	MOVD $64, R4                   \
	SUB  R13<<3, R4, R3            \
	SUB  R14<<3, R4, R4            \
	MOVD $-1, R16                  \
	LSR  R3, R16, R3               \
	MOVD Arrays_Payloads(R17), R5  \
	SUB  R5, R6                    \
	ADD  R20, R5                   \
	MOVD $moved<>(SB), R21         \
	MOVD R2, R16                   \
	ADD  R14, R2                   \
	MOVD ZR, R8                    \
	CBZ  R10, loop                 \
	MOVD (R16), R8                 \
	LSR  R4, R8                    \
	LSR  $2, R8

// ARRAY leaves in R17 where the values of an array begin, and in R16 the end of these in dst, where
// they take 2^SCALE bytes each. It jumps to done if it is no array or there is no room, and to next
// if its end is not valid.
#define ARRAY(SCALE) \
	MOVD (R2), R9                  \
	LSR  R4, R9                    \
	TST  $3, R9                    \
	BNE  done                      \
	LSL  $16, R15                  \
	LSR  $2, R9                    \
	CMP  R8, R9                    \
	BLS  next                      \
	CMP  R6, R9                    \
	BHI  next                      \
	SUB  R8, R9, R16               \
	LSR  $1, R16                   \
	ADD  R16<<SCALE, R0, R16       \
	CMP  R11, R16                  \
	BHI  done                      \
	ADD  R8, R5, R17

// LAST leaves in V0 what is left of the body from R17 on, less than sixteen bytes, and zeros behind
// it. It jumps to one if the body has not sixteen bytes.
#define LAST \
	CMP  R20, R7                   \
	BLO  one                       \
	FMOVQ (R7), F0                 \
	SUB  R7, R17                   \
	ADD  R21, R17                  \
	FMOVQ (R17), F1                \
	VTBL V1.B16, [V0.B16], V0.B16

// NEXT goes on to the next container.
#define NEXT \
	MOVD R9, R8                    \
	ADD  R13, R1                   \
	ADD  R14, R2                   \
	ADD  $1, R10                   \
	B    loop

// PASSED returns how many values of 2^SCALE bytes have been written, and the container to go on
// from.
#define PASSED(SCALE) \
	MOVD dst_base+0(FP), R16       \
	SUB  R16, R0                   \
	LSR  $SCALE, R0                \
	MOVD R0, n+48(FP)              \
	MOVD R10, next+56(FP)          \
	RET

// func arraysOffsetsNEON(dst []uint32, a *Arrays, i, end int) (n, next int)
//
// R0 is the place in dst, R11 its end. R1 is the key of container R10, of up to R12, R2 eight bytes
// that its end closes, R3 the mask of a key, R4 how many bits precede an end in eight bytes, R13
// and R14 the bytes of both. R20 is the body, R5 the payloads, R6 their size, R7 the last place
// from which sixteen bytes can be read, R8
// where the payload begins, R9 where it ends, R15 the key as it stands in the values.
TEXT ·arraysOffsetsNEON(SB), NOSPLIT, $0-64
	DIRECTORY(2)
loop:
	CMP  R12, R10
	BHS  done
	MOVD (R1), R15
	AND  R3, R15
	LSR  $16, R15, R16
	CBNZ R16, done
	ARRAY(2)
	VDUP R15, V3.S4
eight:
	ADD  $32, R0, R19
	CMP  R11, R19
	BHI  one
	CMP  R7, R17
	BHI  last
	FMOVQ.P 16(R17), F0
	VUADDW V0.H4, V3.S4, V1.S4
	VUADDW2 V0.H8, V3.S4, V2.S4
	FSTPQ (F1, F2), (R0)
	MOVD R19, R0
	CMP  R16, R0
	BLO  eight
	MOVD R16, R0
next:
	NEXT
last:
	LAST
	VUADDW V0.H4, V3.S4, V1.S4
	VUADDW2 V0.H8, V3.S4, V2.S4
	FSTPQ (F1, F2), (R0)
	MOVD R16, R0
	B    next
one:
	CMP  R16, R0
	BHS  next
	MOVHU.P 2(R17), R19
	ADDW R15, R19
	MOVW.P R19, 4(R0)
	B    one
done:
	PASSED(2)

// WIDE adds eight values of V0 to V31, the key, as 64 bits each.
#define WIDE \
	VUXTL V0.H4, V1.S4             \
	VUXTL2 V0.H8, V2.S4            \
	VUADDW V1.S2, V31.D2, V4.D2    \
	VUADDW2 V1.S4, V31.D2, V5.D2   \
	VUADDW V2.S2, V31.D2, V6.D2    \
	VUADDW2 V2.S4, V31.D2, V7.D2   \
	FSTPQ (F4, F5), (R0)           \
	FSTPQ (F6, F7), 32(R0)

// func arraysValuesNEON(dst []uint64, a *Arrays, i, end int) (n, next int)
//
// As arraysOffsetsNEON.
TEXT ·arraysValuesNEON(SB), NOSPLIT, $0-64
	DIRECTORY(3)
loop:
	CMP  R12, R10
	BHS  done
	MOVD (R1), R15
	AND  R3, R15
	ARRAY(3)
	VDUP R15, V31.D2
eight:
	ADD  $64, R0, R19
	CMP  R11, R19
	BHI  one
	CMP  R7, R17
	BHI  last
	FMOVQ.P 16(R17), F0
	WIDE
	MOVD R19, R0
	CMP  R16, R0
	BLO  eight
	MOVD R16, R0
next:
	NEXT
last:
	LAST
	WIDE
	MOVD R16, R0
	B    next
one:
	CMP  R16, R0
	BHS  next
	MOVHU.P 2(R17), R19
	ADD  R15, R19
	MOVD.P R19, 8(R0)
	B    one
done:
	PASSED(3)
