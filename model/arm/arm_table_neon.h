/*
 * arm_table_neon: the rows of Advanced SIMD, for arm_table.c.
 *
 * In addition to the letters of arm_table.h: q is set for quadword registers, z is the size of an element (0:
 * 8 bits … 3: 64), y is set for unsigned elements. A row without z has the element size in its column
 * `bytes`. In effects, `Qd` is a double or quadword register by q, `Xd` a quadword, `Wd` the word of Dd that
 * holds the scalar, `T` the table of VTBL, `P` the register that is added to a base.
 */
#ifndef MODEL_ARM_ARM_TABLE_NEON_H
#define MODEL_ARM_ARM_TABLE_NEON_H

/* clang-format off */
/* Three registers of one length. */
#define NEON_THREE(u, size, opcode, b, text, read_d, name, class, bytes, except)                             \
    {"1111 001" u " 0D" size " nnnn dddd " opcode " NqM" b " mmmm", text " %Qd, %Qn, %Qm",                   \
     "Qd:" read_d "QnQm", OP(neon_##name), C(class), F(NEON), bytes, except}
#define NEON_SIZED(u, opcode, b, name, read_d, class)                                                      \
    NEON_THREE(u, "zz", opcode, b, #name ".i%#", read_d, name, class, 0, "z3")
#define NEON_EITHER(opcode, b, name) /* signed and unsigned */                                               \
    NEON_THREE("y", "zz", opcode, b, #name ".%U%#", "", name, NEON_INTEGER, 0, "z3")
#define NEON_LOGIC(u, size, name, read_d)                                                                    \
    NEON_THREE(u, size, "0001", "1", #name, read_d, name, NEON_INTEGER, 4, 0)
#define NEON_SINGLE(u, high, opcode, b, name, read_d, class)                                                  \
    NEON_THREE(u, high "0", opcode, b, #name ".f32", read_d, name##_f32, class, 4, 0)
#define NEON_PAIR(u, size, opcode, b, text, name, class, bytes, except)                                      \
    {"1111 001" u " 0D" size " nnnn dddd " opcode " N0M" b " mmmm", text " %Dd, %Dn, %Dm",                   \
     "Dd:DnDm", OP(neon_##name), C(class), F(NEON), bytes, except}
/* Quadword result of two doublewords. */
#define NEON_LONG(opcode, name, read_d)                                                                      \
    {"1111 001y 1Dzz nnnn dddd " opcode " N0M0 mmmm", #name ".%U%# %Xd, %Dn, %Dm",                           \
     "Xd:" read_d "DnDm", OP(neon_##name), C(NEON_MULTIPLY), F(NEON), 0, "z3"}
/* By a scalar of 16 and 32 bits. */
#define NEON_SCALAR_ROW(u, size, bits, m, opcode, text, effects, name, class, bytes)                         \
    {"1111 001" u " 1D" size " nnnn dddd " opcode " N1" bits "0 " m, text, effects "Wm",                     \
     OP(neon_##name), C(class), F(NEON_SCALAR), bytes, 0}
#define NEON_BY_SCALAR(opcode, name, read_d)                                                                 \
    NEON_SCALAR_ROW("q", "01", "i", "immm", opcode "0", #name ".i16 %Qd, %Qn, %Wm", "Qd:" read_d "Qn", name, \
                    NEON_MULTIPLY, 2),                                                                       \
    NEON_SCALAR_ROW("q", "10", "i", "mmmm", opcode "0", #name ".i32 %Qd, %Qn, %Wm", "Qd:" read_d "Qn", name, \
                    NEON_MULTIPLY, 4)
#define NEON_FLOAT_BY_SCALAR(opcode, name, read_d, class)                                                    \
    NEON_SCALAR_ROW("q", "10", "i", "mmmm", opcode "1", #name ".f32 %Qd, %Qn, %Wm", "Qd:" read_d "Qn",       \
                    name##_f32, class, 4)
#define NEON_LONG_BY_SCALAR(opcode, name, read_d)                                                            \
    NEON_SCALAR_ROW("y", "01", "i", "immm", opcode, #name ".%U16 %Xd, %Dn, %Wm", "Xd:" read_d "Dn", name,    \
                    NEON_MULTIPLY, 2),                                                                       \
    NEON_SCALAR_ROW("y", "10", "i", "mmmm", opcode, #name ".%U32 %Xd, %Dn, %Wm", "Xd:" read_d "Dn", name,    \
                    NEON_MULTIPLY, 4)
/* Two registers. */
#define NEON_TWO(size, group, opcode, text, effects, name, class, bytes, except)                             \
    {"1111 0011 1D11 " size group " dddd " opcode "M0 mmmm", text, effects,                                  \
     OP(neon_##name), C(class), F(NEON), bytes, except}
#define NEON_ZERO(opcode, name, sign)                                                                        \
    NEON_TWO("zz", "01", "00" opcode "q", #name "." sign "%# %Qd, %Qm, #0", "Qd:Qm", name##_zero,            \
             NEON_INTEGER, 0, "z3"),                                                                         \
    NEON_TWO("10", "01", "01" opcode "q", #name ".f32 %Qd, %Qm, #0", "Qd:Qm", name##_zero_f32,               \
             NEON_FLOAT, 4, 0)
/* Shifts by a constant, with one row for each size. */
#define NEON_SHIFT_ROW(u, six, opcode, form, text, effects, name, bytes, except)                             \
    {"1111 001" u " 1D" six " dddd " opcode "M1 mmmm", text, effects,                                        \
     OP(neon_##name), C(NEON_INTEGER), F(form), bytes, except}
#define NEON_SHIFT(u, opcode, form, text, effects, name)                                                     \
    NEON_SHIFT_ROW(u, "00 1iii", opcode " 0q", form, text, effects, name, 1, 0),                             \
    NEON_SHIFT_ROW(u, "01 iiii", opcode " 0q", form, text, effects, name, 2, 0),                             \
    NEON_SHIFT_ROW(u, "1i iiii", opcode " 0q", form, text, effects, name, 4, 0),                             \
    NEON_SHIFT_ROW(u, "ii iiii", opcode " 1q", form, text, effects, name, 8, 0)
#define NEON_NARROW(bytes, six)                                                                              \
    NEON_SHIFT_ROW("0", six, "1000 00", NEON_RIGHT, "vshrn.i%@ %Dd, %Xm, #%J", "Dd:Xm", vshrn, bytes, 0)
#define NEON_LENGTHEN(bytes, six, zero)                                                                      \
    NEON_SHIFT_ROW("y", six, "1010 00", NEON, "vshll.%U%# %Xd, %Dm, #%J", "Xd:Dm", vshll, bytes, "i0"),      \
    NEON_SHIFT_ROW("y", zero, "1010 00", NEON, "vmovl.%U%# %Xd, %Dm", "Xd:Dm", vshll, bytes, 0)
/* Constants: cmode and op. */
#define NEON_CONSTANT_ROW(mode, op, text, read_d, name, bytes)                                               \
    {"1111 001i 1D00 0iii dddd " mode " 0q" op "1 iiii", text, "Qd:" read_d,                                 \
     OP(neon_##name), C(NEON_INTEGER), F(NEON_CONSTANT), bytes, 0}
/* Loads and stores. */
#define NEON_LISTS(type, name, except)                                                                       \
    {"1111 0100 0D10 nnnn dddd " type " zzaa mmmm", "vld" name ".%# %v, %A", "v:nP",                        \
     OP(neon_vld), C(NEON_LOAD), F(NEON_LIST), 0, except},                                                   \
    {"1111 0100 0D00 nnnn dddd " type " zzaa mmmm", "vst" name ".%# %v, %A", ":vnP",                        \
     OP(neon_vst), C(NEON_STORE), F(NEON_LIST), 0, except}
#define NEON_LANE(type, index, bytes)                                                                        \
    {"1111 0100 1D10 nnnn dddd " type " " index " mmmm", "vld1.%# {%Wd}, %A", "Wd:WdnP",                     \
     OP(neon_vld_lane), C(NEON_LOAD), F(NEON_LANE), bytes, 0},                                               \
    {"1111 0100 1D00 nnnn dddd " type " " index " mmmm", "vst1.%# {%Wd}, %A", ":WdnP",                       \
     OP(neon_vst_lane), C(NEON_STORE), F(NEON_LANE), bytes, 0}
#define NEON_TABLE(length, bytes)                                                                            \
    {"1111 0011 1D11 nnnn dddd 10" length " N0M0 mmmm", "vtbl.8 %Dd, %T, %Dm", "Dd:TDm",                     \
     OP(neon_vtbl), C(NEON_INTEGER), F(NEON), bytes, 0},                                                     \
    {"1111 0011 1D11 nnnn dddd 10" length " N1M0 mmmm", "vtbx.8 %Dd, %T, %Dm", "Dd:DdTDm",                   \
     OP(neon_vtbx), C(NEON_INTEGER), F(NEON), bytes, 0}
#define NEON_ELEMENT_ROWS(size, element, bytes, bits)                                                        \
    {"cccc 1110 0" size "i0 dddd mmmm 1011 D" element "1 (0000)", "vmov%c." bits " %Wd, %m", "Wd:Wdm",       \
     OP(neon_insert), C(NEON_INTEGER), F(NEON_ELEMENT), bytes, 0},                                           \
    {"cccc 1110 y" size "i1 mmmm dddd 1011 M" element "1 (0000)", "vmov%c.%U" bits " %d, %Wm", "d:Wm",       \
     OP(neon_extract), C(NEON_INTEGER), F(NEON_ELEMENT), bytes, 0}
#define NEON_DUPLICATE(b, e, text, bytes)                                                                    \
    {"cccc 1110 1" b "q0 dddd mmmm 1011 D0" e "1 (0000)", "vdup%c." text " %Qd, %m", "Qd:m",                 \
     OP(neon_vmov), C(NEON_INTEGER), F(NEON_SCALAR), bytes, 0}

#define NEON_ROWS                                                                                            \
    /* Advanced SIMD: integers */                                                                            \
    NEON_THREE("0", "zz", "1000", "0", "vadd.i%#", "", vadd, NEON_INTEGER, 0, 0),                            \
    NEON_THREE("1", "zz", "1000", "0", "vsub.i%#", "", vsub, NEON_INTEGER, 0, 0),                            \
    NEON_THREE("0", "zz", "1000", "1", "vtst.%#", "", vtst, NEON_INTEGER, 0, "z3"),                          \
    NEON_SIZED("1", "1000", "1", vceq, "", NEON_INTEGER),                                                  \
    NEON_SIZED("0", "1001", "0", vmla, "Qd", NEON_MULTIPLY),                                               \
    NEON_SIZED("1", "1001", "0", vmls, "Qd", NEON_MULTIPLY),                                               \
    NEON_SIZED("0", "1001", "1", vmul, "", NEON_MULTIPLY),                                                 \
    NEON_EITHER("0011", "0", vcgt),                                                                          \
    NEON_EITHER("0011", "1", vcge),                                                                          \
    {"1111 001y 0Dzz nnnn dddd 0100 NqM0 mmmm", "vshl.%U%# %Qd, %Qm, %Qn", "Qd:QnQm", OP(neon_vshl),         \
     C(NEON_INTEGER), F(NEON), 0, 0},                                                                        \
    NEON_EITHER("0110", "0", vmax),                                                                          \
    NEON_EITHER("0110", "1", vmin),                                                                          \
    NEON_EITHER("0111", "0", vabd),                                                                          \
    NEON_PAIR("0", "zz", "1011", "1", "vpadd.i%#", vpadd, NEON_INTEGER, 0, "z3"),                            \
    NEON_PAIR("y", "zz", "1010", "0", "vpmax.%U%#", vpmax, NEON_INTEGER, 0, "z3"),                           \
    NEON_PAIR("y", "zz", "1010", "1", "vpmin.%U%#", vpmin, NEON_INTEGER, 0, "z3"),                           \
    NEON_LOGIC("0", "00", vand, ""),                                                                         \
    NEON_LOGIC("0", "01", vbic, ""),                                                                         \
    NEON_LOGIC("0", "10", vorr, ""),                                                                         \
    NEON_LOGIC("0", "11", vorn, ""),                                                                         \
    NEON_LOGIC("1", "00", veor, ""),                                                                         \
    NEON_LOGIC("1", "01", vbsl, "Qd"),                                                                       \
    NEON_LOGIC("1", "10", vbit, "Qd"),                                                                       \
    NEON_LOGIC("1", "11", vbif, "Qd"),                                                                       \
    NEON_LONG("1000", vmlal, "Xd"),                                                                          \
    NEON_LONG("1100", vmull, ""),                                                                            \
    NEON_BY_SCALAR("000", vmla, "Qd"),                                                                       \
    NEON_BY_SCALAR("010", vmls, "Qd"),                                                                       \
    NEON_BY_SCALAR("100", vmul, ""),                                                                         \
    NEON_LONG_BY_SCALAR("0010", vmlal, "Xd"),                                                                \
    NEON_LONG_BY_SCALAR("1010", vmull, ""),                                                                  \
    NEON_ZERO("000", vcgt, "s"),                                                                             \
    NEON_ZERO("001", vcge, "s"),                                                                             \
    NEON_ZERO("010", vceq, "i"),                                                                             \
    NEON_ZERO("011", vcle, "s"),                                                                             \
    NEON_ZERO("100", vclt, "s"),                                                                             \
    NEON_TWO("zz", "01", "0011 0q", "vabs.s%# %Qd, %Qm", "Qd:Qm", vabs, NEON_INTEGER, 0, "z3"),              \
    NEON_TWO("zz", "01", "0011 1q", "vneg.s%# %Qd, %Qm", "Qd:Qm", vneg, NEON_INTEGER, 0, "z3"),              \
    NEON_TWO("10", "01", "0111 0q", "vabs.f32 %Qd, %Qm", "Qd:Qm", vabs_f32, NEON_INTEGER, 4, 0),             \
    NEON_TWO("10", "01", "0111 1q", "vneg.f32 %Qd, %Qm", "Qd:Qm", vneg_f32, NEON_INTEGER, 4, 0),             \
    NEON_TWO("00", "00", "0101 1q", "vmvn %Qd, %Qm", "Qd:Qm", vmvn, NEON_INTEGER, 4, 0),                     \
    NEON_SHIFT("y", "0000", NEON_RIGHT, "vshr.%U%# %Qd, %Qm, #%J", "Qd:Qm", vshr),                           \
    NEON_SHIFT("y", "0001", NEON_RIGHT, "vsra.%U%# %Qd, %Qm, #%J", "Qd:QdQm", vsra),                         \
    NEON_SHIFT("0", "0101", NEON, "vshl.s%# %Qd, %Qm, #%J", "Qd:Qm", vshl_constant),                         \
    NEON_NARROW(1, "00 1iii"),                                                                               \
    NEON_NARROW(2, "01 iiii"),                                                                               \
    NEON_NARROW(4, "1i iiii"),                                                                               \
    NEON_LENGTHEN(1, "00 1iii", "00 1000"),                                                                  \
    NEON_LENGTHEN(2, "01 iiii", "01 0000"),                                                                  \
    NEON_LENGTHEN(4, "1i iiii", "10 0000"),                                                                  \
    NEON_TWO("zz", "10", "0011 00", "vshll.i%# %Xd, %Dm, #%#", "Xd:Dm", vshll_whole, NEON_INTEGER, 0, "z3"), \
    NEON_TWO("zz", "10", "0010 00", "vmovn.i%@ %Dd, %Xm", "Dd:Xm", vmovn, NEON_INTEGER, 0, "z3"),            \
    NEON_TWO("zz", "10", "0010 01", "vqmovun.s%@ %Dd, %Xm", "Dd:Xm", vqmovun, NEON_INTEGER, 0, "z3"),        \
    NEON_TWO("zz", "10", "0010 1y", "vqmovn.%U%@ %Dd, %Xm", "Dd:Xm", vqmovn, NEON_INTEGER, 0, "z3"),         \
    /* constants */                                                                                          \
    NEON_CONSTANT_ROW("0oo0", "0", "vmov.i32 %Qd, #%J", "", vmov_constant, 4),                               \
    NEON_CONSTANT_ROW("0oo1", "0", "vorr.i32 %Qd, #%J", "Qd", vorr_constant, 4),                             \
    NEON_CONSTANT_ROW("0oo0", "1", "vmvn.i32 %Qd, #%J", "", vmvn_constant, 4),                               \
    NEON_CONSTANT_ROW("0oo1", "1", "vbic.i32 %Qd, #%J", "Qd", vbic_constant, 4),                             \
    NEON_CONSTANT_ROW("10o0", "0", "vmov.i16 %Qd, #%J", "", vmov_constant, 2),                               \
    NEON_CONSTANT_ROW("10o1", "0", "vorr.i16 %Qd, #%J", "Qd", vorr_constant, 2),                             \
    NEON_CONSTANT_ROW("10o0", "1", "vmvn.i16 %Qd, #%J", "", vmvn_constant, 2),                               \
    NEON_CONSTANT_ROW("10o1", "1", "vbic.i16 %Qd, #%J", "Qd", vbic_constant, 2),                             \
    NEON_CONSTANT_ROW("110o", "0", "vmov.i32 %Qd, #%J", "", vmov_constant, 4),                               \
    NEON_CONSTANT_ROW("110o", "1", "vmvn.i32 %Qd, #%J", "", vmvn_constant, 4),                               \
    NEON_CONSTANT_ROW("1110", "0", "vmov.i8 %Qd, #%J", "", vmov_constant, 1),                                \
    NEON_CONSTANT_ROW("1110", "1", "vmov.i64 %Qd, #%J", "", vmov_constant, 8),                               \
    NEON_CONSTANT_ROW("1111", "0", "vmov.f32 %Qd, #%J", "", vmov_constant, 4),                               \
    /* elements moved */                                                                                     \
    {"1111 0011 1D11 iii1 dddd 1100 0qM0 mmmm", "vdup.8 %Qd, %Wm", "Qd:Wm", OP(neon_vmov),                   \
     C(NEON_INTEGER), F(NEON_SCALAR), 1, 0},                                                                 \
    {"1111 0011 1D11 ii10 dddd 1100 0qM0 mmmm", "vdup.16 %Qd, %Wm", "Qd:Wm", OP(neon_vmov),                  \
     C(NEON_INTEGER), F(NEON_SCALAR), 2, 0},                                                                 \
    {"1111 0011 1D11 i100 dddd 1100 0qM0 mmmm", "vdup.32 %Qd, %Wm", "Qd:Wm", OP(neon_vmov),                  \
     C(NEON_INTEGER), F(NEON_SCALAR), 4, 0},                                                                 \
    NEON_DUPLICATE("0", "0", "32", 4),                                                                       \
    NEON_DUPLICATE("0", "1", "16", 2),                                                                       \
    NEON_DUPLICATE("1", "0", "8", 1),                                                                        \
    NEON_ELEMENT_ROWS("1", "ii", 1, "8"),                                                                    \
    NEON_ELEMENT_ROWS("0", "i1", 2, "16"),                                                                   \
    {"1111 0010 1D11 nnnn dddd 0iii N0M0 mmmm", "vext.8 %Dd, %Dn, %Dm, #%J", "Dd:DnDm", OP(neon_vext),       \
     C(NEON_INTEGER), F(NEON), 1, 0},                                                                        \
    {"1111 0010 1D11 nnnn dddd iiii N1M0 mmmm", "vext.8 %Xd, %Xn, %Xm, #%J", "Xd:XnXm", OP(neon_vext),       \
     C(NEON_INTEGER), F(NEON), 1, 0},                                                                        \
    NEON_TWO("zz", "00", "0000 0q", "vrev64.%# %Qd, %Qm", "Qd:Qm", vrev64, NEON_INTEGER, 0, "z3"),           \
    NEON_TWO("0z", "00", "0000 1q", "vrev32.%# %Qd, %Qm", "Qd:Qm", vrev32, NEON_INTEGER, 0, 0),              \
    NEON_TWO("00", "00", "0001 0q", "vrev16.%# %Qd, %Qm", "Qd:Qm", vrev16, NEON_INTEGER, 1, 0),              \
    NEON_TWO("00", "10", "0000 0q", "vswp %Qd, %Qm", "QdQm:QdQm", vswp, NEON_INTEGER, 4, 0),                 \
    NEON_TWO("zz", "10", "0000 1q", "vtrn.%# %Qd, %Qm", "QdQm:QdQm", vtrn, NEON_INTEGER, 0, "z3"),           \
    NEON_TWO("zz", "10", "0001 0q", "vuzp.%# %Qd, %Qm", "QdQm:QdQm", vuzp, NEON_INTEGER, 0, "z3"),           \
    NEON_TWO("zz", "10", "0001 1q", "vzip.%# %Qd, %Qm", "QdQm:QdQm", vzip, NEON_INTEGER, 0, "z3"),           \
    NEON_TABLE("00", 1),                                                                                     \
    NEON_TABLE("01", 2),                                                                                     \
    NEON_TABLE("10", 3),                                                                                     \
    NEON_TABLE("11", 4),                                                                                     \
    /* singles */                                                                                            \
    NEON_SINGLE("0", "0", "1101", "0", vadd, "", NEON_FLOAT),                                                \
    NEON_SINGLE("0", "1", "1101", "0", vsub, "", NEON_FLOAT),                                                \
    NEON_SINGLE("1", "1", "1101", "0", vabd, "", NEON_FLOAT),                                                \
    NEON_SINGLE("1", "0", "1101", "1", vmul, "", NEON_FLOAT),                                                \
    NEON_SINGLE("0", "0", "1101", "1", vmla, "Qd", NEON_CHAINED),                                            \
    NEON_SINGLE("0", "1", "1101", "1", vmls, "Qd", NEON_CHAINED),                                            \
    NEON_SINGLE("0", "0", "1110", "0", vceq, "", NEON_FLOAT),                                                \
    NEON_SINGLE("1", "0", "1110", "0", vcge, "", NEON_FLOAT),                                                \
    NEON_SINGLE("1", "1", "1110", "0", vcgt, "", NEON_FLOAT),                                                \
    NEON_SINGLE("0", "0", "1111", "0", vmax, "", NEON_FLOAT),                                                \
    NEON_SINGLE("0", "1", "1111", "0", vmin, "", NEON_FLOAT),                                                \
    NEON_SINGLE("0", "0", "1111", "1", vrecps, "", NEON_CHAINED),                                            \
    NEON_SINGLE("0", "1", "1111", "1", vrsqrts, "", NEON_CHAINED),                                           \
    NEON_PAIR("1", "00", "1101", "0", "vpadd.f32", vpadd_f32, NEON_FLOAT, 4, 0),                             \
    NEON_PAIR("1", "00", "1111", "0", "vpmax.f32", vpmax_f32, NEON_FLOAT, 4, 0),                             \
    NEON_PAIR("1", "10", "1111", "0", "vpmin.f32", vpmin_f32, NEON_FLOAT, 4, 0),                             \
    NEON_FLOAT_BY_SCALAR("000", vmla, "Qd", NEON_CHAINED),                                                   \
    NEON_FLOAT_BY_SCALAR("010", vmls, "Qd", NEON_CHAINED),                                                   \
    NEON_FLOAT_BY_SCALAR("100", vmul, "", NEON_FLOAT),                                                       \
    NEON_TWO("10", "11", "0100 0q", "vrecpe.u32 %Qd, %Qm", "Qd:Qm", vrecpe, NEON_FLOAT, 4, 0),               \
    NEON_TWO("10", "11", "0101 0q", "vrecpe.f32 %Qd, %Qm", "Qd:Qm", vrecpe_f32, NEON_FLOAT, 4, 0),           \
    NEON_TWO("10", "11", "0100 1q", "vrsqrte.u32 %Qd, %Qm", "Qd:Qm", vrsqrte, NEON_FLOAT, 4, 0),             \
    NEON_TWO("10", "11", "0101 1q", "vrsqrte.f32 %Qd, %Qm", "Qd:Qm", vrsqrte_f32, NEON_FLOAT, 4, 0),         \
    NEON_TWO("10", "11", "0110 yq", "vcvt.f32.%U32 %Qd, %Qm", "Qd:Qm", vcvt_to_f32, NEON_FLOAT, 4, 0),       \
    NEON_TWO("10", "11", "0111 yq", "vcvt.%U32.f32 %Qd, %Qm", "Qd:Qm", vcvt_from_f32, NEON_FLOAT, 4, 0),     \
    {"1111 001y 1D1i iiii dddd 1110 0qM1 mmmm", "vcvt.f32.%U32 %Qd, %Qm, #%J", "Qd:Qm",                      \
     OP(neon_vcvt_to_f32), C(NEON_FLOAT), F(NEON_RIGHT), 4, 0},                                              \
    {"1111 001y 1D1i iiii dddd 1111 0qM1 mmmm", "vcvt.%U32.f32 %Qd, %Qm, #%J", "Qd:Qm",                      \
     OP(neon_vcvt_from_f32), C(NEON_FLOAT), F(NEON_RIGHT), 4, 0},                                            \
    /* loads and stores */                                                                                   \
    NEON_LISTS("0111", "1", 0),                                                                              \
    NEON_LISTS("1010", "1", 0),                                                                              \
    NEON_LISTS("0110", "1", 0),                                                                              \
    NEON_LISTS("0010", "1", 0),                                                                              \
    NEON_LISTS("1000", "2", "z3"),                                                                           \
    NEON_LISTS("1001", "2", "z3"),                                                                           \
    NEON_LISTS("0011", "2", "z3"),                                                                           \
    NEON_LISTS("0100", "3", "z3"),                                                                           \
    NEON_LISTS("0101", "3", "z3"),                                                                           \
    NEON_LISTS("0000", "4", "z3"),                                                                           \
    NEON_LISTS("0001", "4", "z3"),                                                                           \
    NEON_LANE("0000", "iii0", 1),                                                                            \
    NEON_LANE("0100", "ii0a", 2),                                                                            \
    NEON_LANE("1000", "i0aa", 4),                                                                            \
    {"1111 0100 1D10 nnnn dddd 1100 zzxa mmmm", "vld1.%# %v, %A", "v:nP", OP(neon_vld_all),                  \
     C(NEON_LOAD), F(NEON_ALL), 0, "z3"}
/* clang-format on */

#endif
