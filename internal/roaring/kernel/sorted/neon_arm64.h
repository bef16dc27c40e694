// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Instructions that Go's assembler has no name for, by their encodings (Arm Architecture Reference
// Manual, C7.2). Operands are the numbers of registers, the destination last as
// elsewhere in Go. The text beside each is what LLVM's
// disassembler makes of it: see bench arm64.

// ldr qD, [xN, xM, lsl #4]: entry M of a table of 16 bytes each at N.
#define LOADENTRY(m, n, d) WORD $(0x3CE07800 | (m)<<16 | (n)<<5 | (d))
// umaxp vD.4s, vN.4s, vM.4s: the larger one of neighbours, of N and then of M.
#define UMAXPS(m, n, d) WORD $(0x6EA0A400 | (m)<<16 | (n)<<5 | (d))
// cmhs vD.4s, vN.4s, vM.4s: which lanes of N are no less, unsigned.
#define CMHSS(m, n, d) WORD $(0x6EA03C00 | (m)<<16 | (n)<<5 | (d))
// xtn vD.4h, vN.4s: the lower half of each lane.
#define XTNH(n, d) WORD $(0x0E612800 | (n)<<5 | (d))
// cmhi vD.4s, vN.4s, vM.4s: which lanes of N are larger, unsigned.
#define CMHIS(m, n, d) WORD $(0x6EA03400 | (m)<<16 | (n)<<5 | (d))
// cmhs vD.2d, vN.2d, vM.2d: which lanes of N are no less, unsigned.
#define CMHSD(m, n, d) WORD $(0x6EE03C00 | (m)<<16 | (n)<<5 | (d))
// cmhi vD.2d, vN.2d, vM.2d: as that of eight lanes.
#define CMHID(m, n, d) WORD $(0x6EE03400 | (m)<<16 | (n)<<5 | (d))
// umin vD.4s, vN.4s, vM.4s: the smaller one of each lane.
#define UMINS(m, n, d) WORD $(0x6EA06C00 | (m)<<16 | (n)<<5 | (d))
