#include "model/arm/arm_table.h"

#include "model/arm/arm_table_neon.h"

#define OP(name) ARM_OP_##name
#define C(name)  ARM_CLASS_##name
#define F(name)  ARM_FORM_##name

/* clang-format off */
#define DATA_PROCESSING(opcode, name)                                                                        \
    {"cccc 001" opcode "S nnnn dddd iiii iiii iiii", #name "%f%c %d, %n, %I", "d:n",                         \
     OP(name##_immediate), C(ALU), F(MODIFIED), 0, 0},                                                       \
    {"cccc 000" opcode "S nnnn dddd aaaa att0 mmmm", #name "%f%c %d, %n, %o", "d:nm",                        \
     OP(name##_register), C(ALU), F(SHIFTED), 0, 0},                                                         \
    {"cccc 000" opcode "S nnnn dddd ssss 0tt1 mmmm", #name "%f%c %d, %n, %o", "d:nms",                       \
     OP(name##_register), C(SHIFT), F(SHIFTED_REGISTER), 0, 0}
#define DATA_MOVE(opcode, name, by_register)                                                                         \
    {"cccc 001" opcode "S (0000) dddd iiii iiii iiii", #name "%f%c %d, %I", "d:",                              \
     OP(name##_immediate), C(ALU), F(MODIFIED), 0, 0},                                                       \
    {"cccc 000" opcode "S (0000) dddd aaaa att0 mmmm", #name "%f%c %d, %o", "d:m",                             \
     OP(name##_register), C(ALU), F(SHIFTED), 0, 0},                                                         \
    {"cccc 000" opcode "S (0000) dddd ssss 0tt1 mmmm", #name "%f%c %d, %o", "d:ms",                            \
     OP(name##_register), C(by_register), F(SHIFTED_REGISTER), 0, 0}
#define DATA_TEST(opcode, name)                                                                              \
    {"cccc 001" opcode "1 nnnn (0000) iiii iiii iiii", #name "%c %n, %I", ":n",                                \
     OP(name##_immediate), C(ALU), F(MODIFIED), 0, 0},                                                       \
    {"cccc 000" opcode "1 nnnn (0000) aaaa att0 mmmm", #name "%c %n, %o", ":nm",                               \
     OP(name##_register), C(ALU), F(SHIFTED), 0, 0},                                                         \
    {"cccc 000" opcode "1 nnnn (0000) ssss 0tt1 mmmm", #name "%c %n, %o", ":nms",                              \
     OP(name##_register), C(SHIFT), F(SHIFTED_REGISTER), 0, 0}

#define HINT(number, text) PLAIN("cccc 0011 0010 0000 (1111 0000) " number, text, ":", hint, HINT)
#define PRELOAD(kind, opcode, name)                                                                          \
    {"1111 010" kind " " opcode " nnnn (1111) iiii iiii iiii", #name " %a", ":n",                             \
     OP(hint), C(HINT), F(OFFSET), 0, 0},                                                                    \
    {"1111 011" kind " " opcode " nnnn (1111) aaaa att0 mmmm", #name " %a", ":nm",           \
     OP(hint), C(HINT), F(OFFSET_REGISTER), 0, 0}
#define PLAIN(pattern, text, effects, name, class) {pattern, text, effects, OP(name), C(class), F(PLAIN), 0, 0}
#define HALVES(pattern, text, effects, name) {pattern, text, effects, OP(name), C(MULTIPLY), F(HALVES), 0, 0}
#define EXTEND(opcode, name, adding)                                                                         \
    {"cccc 0110 1" opcode " 1111 dddd aa(00) 0111 mmmm", #name "%c %d, %m%e", "d:m",                           \
     OP(name), C(ALU), F(EXTEND), 0, 0},                                                                   \
    {"cccc 0110 1" opcode " nnnn dddd aa(00) 0111 mmmm", #adding "%c %d, %n, %m%e", "d:nm",                    \
     OP(adding), C(SHIFT), F(EXTEND), 0, "n15"}
#define PARALLEL(opcode, prefix)                                                                             \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 0001 mmmm", #prefix "add16%c %d, %n, %m", "d:nm", prefix##add16, ALU), \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 0011 mmmm", #prefix "asx%c %d, %n, %m", "d:nm", prefix##asx, ALU),     \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 0101 mmmm", #prefix "sax%c %d, %n, %m", "d:nm", prefix##sax, ALU),     \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 0111 mmmm", #prefix "sub16%c %d, %n, %m", "d:nm", prefix##sub16, ALU), \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 1001 mmmm", #prefix "add8%c %d, %n, %m", "d:nm", prefix##add8, ALU),   \
    PLAIN("cccc 0110 0" opcode " nnnn dddd (1111) 1111 mmmm", #prefix "sub8%c %d, %n, %m", "d:nm", prefix##sub8, ALU)

/* Single loads and stores of words and bytes, of halves (both with their unprivileged forms, which are equal
 * in User mode) and doubles: constant and register offset. */
#define WORD_OR_BYTE(b, l, name, effects, class, bytes)                                                      \
    {"cccc 010p u" b "w" l " nnnn dddd iiii iiii iiii", #name "%c %d, %a", effects,                          \
     OP(name), C(class), F(OFFSET), bytes, "p0w1"},                                                          \
    {"cccc 011p u" b "w" l " nnnn dddd aaaa att0 mmmm", #name "%c %d, %a", effects "m",                      \
     OP(name), C(class), F(OFFSET_REGISTER), bytes, "p0w1"},                                                 \
    {"cccc 0100 u" b "1" l " nnnn dddd iiii iiii iiii", #name "t%c %d, %a", effects,                         \
     OP(name), C(class), F(OFFSET), bytes, 0},                                                               \
    {"cccc 0110 u" b "1" l " nnnn dddd aaaa att0 mmmm", #name "t%c %d, %a", effects "m",                     \
     OP(name), C(class), F(OFFSET_REGISTER), bytes, 0}
#define HALF(l, opcode, name, effects, class, bytes)                                                         \
    {"cccc 000p u1w" l " nnnn dddd iiii " opcode " iiii", #name "%c %d, %a", effects,                        \
     OP(name), C(class), F(OFFSET), bytes, "p0w1"},                                                          \
    {"cccc 000p u0w" l " nnnn dddd (0000) " opcode " mmmm", #name "%c %d, %a", effects "m",                  \
     OP(name), C(class), F(OFFSET_REGISTER), bytes, "p0w1"},                                                 \
    {"cccc 0000 u11" l " nnnn dddd iiii " opcode " iiii", #name "t%c %d, %a", effects,                       \
     OP(name), C(class), F(OFFSET), bytes, 0},                                                               \
    {"cccc 0000 u01" l " nnnn dddd (0000) " opcode " mmmm", #name "t%c %d, %a", effects "m",                 \
     OP(name), C(class), F(OFFSET_REGISTER), bytes, 0}
#define DOUBLE(opcode, name, effects, class)                                                                 \
    {"cccc 000p u1w0 nnnn dddd iiii " opcode " iiii", #name "%c %d, %a", effects,                            \
     OP(name), C(class), F(OFFSET), 8, 0},                                                                   \
    {"cccc 000p u0w0 nnnn dddd (0000) " opcode " mmmm", #name "%c %d, %a", effects "m",                      \
     OP(name), C(class), F(OFFSET_REGISTER), 8, 0}
#define EXCLUSIVE(opcode, suffix, load_operands, load_effects, store_operands, store_effects, bytes)         \
    {"cccc 0001 1" opcode "1 nnnn dddd (1111) 1001 (1111)", "ldrex" #suffix "%c " load_operands ", [%n]",        \
     load_effects, OP(ldrex##suffix), C(LOAD), F(PLAIN), bytes, 0},                                          \
    {"cccc 0001 1" opcode "0 nnnn dddd (1111) 1001 mmmm", "strex" #suffix "%c %d, " store_operands ", [%n]",   \
     store_effects, OP(strex##suffix), C(STORE), F(PLAIN), bytes, 0}

/* VFP arithmetic with three registers, and with two, in single and double precision. */
#define VFP_THREE(opcode, op3, name, d_read, class)                                                          \
    {"cccc 1110 " opcode " nnnn dddd 1010 N" op3 "M0 mmmm", #name "%c.f32 %Sd, %Sn, %Sm",                    \
     "Sd:" d_read "SnSm", OP(name##_f32), C(class), F(PLAIN), 0, 0}
#define VFP_THREE_DOUBLE(opcode, op3, name, d_read, class)                                                   \
    {"cccc 1110 " opcode " nnnn dddd 1011 N" op3 "M0 mmmm", #name "%c.f64 %Dd, %Dn, %Dm",                    \
     "Dd:" d_read "DnDm", OP(name##_f64), C(class), F(PLAIN), 0, 0}
#define VFP_ARITHMETIC(high, low, op3, name, single, double)                                                 \
    VFP_THREE(high "D" low, op3, name, "", single), VFP_THREE_DOUBLE(high "D" low, op3, name, "", double)
#define VFP_ACCUMULATE(high, low, op3, name)                                                                 \
    VFP_THREE(high "D" low, op3, name, "Sd", VFP_CHAINED_SINGLE),                                           \
    VFP_THREE_DOUBLE(high "D" low, op3, name, "Dd", VFP_CHAINED_DOUBLE)
#define VFP_TWO(opcode, op3, name, text, single, double)                                                     \
    {"cccc 1110 1D11 " opcode " dddd 1010 " op3 "M0 mmmm", text "%c.f32 %Sd, %Sm", "Sd:Sm",                  \
     OP(name##_f32), C(single), F(PLAIN), 0, 0},                                                             \
    {"cccc 1110 1D11 " opcode " dddd 1011 " op3 "M0 mmmm", text "%c.f64 %Dd, %Dm", "Dd:Dm",                  \
     OP(name##_f64), C(double), F(PLAIN), 0, 0}
#define VFP_COMPARE(e, name)                                                                                 \
    {"cccc 1110 1D11 0100 dddd 1010 " e "1M0 mmmm", #name "%c.f32 %Sd, %Sm", ":SdSm",                         \
     OP(name##_f32), C(VFP_ADD_SINGLE), F(PLAIN), 0, 0},                                                       \
    {"cccc 1110 1D11 0100 dddd 1011 " e "1M0 mmmm", #name "%c.f64 %Dd, %Dm", ":DdDm",                         \
     OP(name##_f64), C(VFP_ADD_DOUBLE), F(PLAIN), 0, 0},                                                       \
    {"cccc 1110 1D11 0101 dddd 1010 " e "1(0)0 (0000)", #name "%c.f32 %Sd, #0.0", ":Sd",                          \
     OP(name##_zero_f32), C(VFP_ADD_SINGLE), F(PLAIN), 0, 0},                                                  \
    {"cccc 1110 1D11 0101 dddd 1011 " e "1(0)0 (0000)", #name "%c.f64 %Dd, #0.0", ":Dd",                          \
     OP(name##_zero_f64), C(VFP_ADD_DOUBLE), F(PLAIN), 0, 0}
#define VFP_TO_INTEGER(opcode, op, name, text, type)                                                         \
    {"cccc 1110 1D11 " opcode " dddd 1010 " op "1M0 mmmm", text "%c." type ".f32 %Sd, %Sm", "Sd:Sm",         \
     OP(name##_f32), C(VFP_ADD_SINGLE), F(PLAIN), 0, 0},                                                     \
    {"cccc 1110 1D11 " opcode " dddd 1011 " op "1M0 mmmm", text "%c." type ".f64 %Sd, %Dm", "Sd:Dm",         \
     OP(name##_f64), C(VFP_ADD_DOUBLE), F(PLAIN), 0, 0}
#define VFP_FROM_INTEGER(op, name, type)                                                                     \
    {"cccc 1110 1D11 1000 dddd 1010 " op "1M0 mmmm", "vcvt%c.f32." type " %Sd, %Sm", "Sd:Sm",                \
     OP(name##_f32), C(VFP_ADD_SINGLE), F(PLAIN), 0, 0},                                                     \
    {"cccc 1110 1D11 1000 dddd 1011 " op "1M0 mmmm", "vcvt%c.f64." type " %Dd, %Sm", "Dd:Sm",                \
     OP(name##_f64), C(VFP_ADD_DOUBLE), F(PLAIN), 0, 0}
#define VFP_BLOCK(l, name, old, core, class)                                                                 \
    {"cccc 1100 1Dw" l " nnnn dddd 1010 iiii iiii", "%V" #name "ia%c %n%w, %v", core,                        \
     OP(name), C(class), F(BLOCK_SINGLE), 0, 0},                                                             \
    {"cccc 1101 0D1" l " nnnn dddd 1010 iiii iiii", "%V" #name "db%c %n!, %v", core,                         \
     OP(name), C(class), F(BLOCK_SINGLE), 0, 0},                                                             \
    {"cccc 1100 1Dw" l " nnnn dddd 1011 iiii iii0", "%V" #name "ia%c %n%w, %v", core,                        \
     OP(name), C(class), F(BLOCK_DOUBLE), 0, 0},                                                             \
    {"cccc 1101 0D1" l " nnnn dddd 1011 iiii iii0", "%V" #name "db%c %n!, %v", core,                         \
     OP(name), C(class), F(BLOCK_DOUBLE), 0, 0},                                                             \
    {"cccc 1100 1Dw" l " nnnn dddd 1011 iiii iii1", #old "iax%c %n%w, %v", core,                             \
     OP(name), C(class), F(BLOCK_DOUBLE), 0, 0},                                                             \
    {"cccc 1101 0D1" l " nnnn dddd 1011 iiii iii1", #old "dbx%c %n!, %v", core,                              \
     OP(name), C(class), F(BLOCK_DOUBLE), 0, 0}

const struct arm_row arm_rows[] = {
    /* data processing */
    DATA_PROCESSING("0000", and),
    DATA_PROCESSING("0001", eor),
    DATA_PROCESSING("0010", sub),
    DATA_PROCESSING("0011", rsb),
    DATA_PROCESSING("0100", add),
    DATA_PROCESSING("0101", adc),
    DATA_PROCESSING("0110", sbc),
    DATA_PROCESSING("0111", rsc),
    DATA_TEST("1000", tst),
    DATA_TEST("1001", teq),
    DATA_TEST("1010", cmp),
    DATA_TEST("1011", cmn),
    DATA_PROCESSING("1100", orr),
    DATA_MOVE("1101", mov, ALU),
    DATA_PROCESSING("1110", bic),
    DATA_MOVE("1111", mvn, SHIFT),
    {"cccc 0011 0000 iiii dddd iiii iiii iiii", "movw%c %d, %i", "d:", OP(mov_immediate), C(ALU), F(IMMEDIATE), 0, 0},
    {"cccc 0011 0100 iiii dddd iiii iiii iiii", "movt%c %d, %i", "d:d", OP(movt), C(ALU), F(IMMEDIATE), 0, 0},

    /* multiplication and division */
    PLAIN("cccc 0000 000S dddd (0000) ssss 1001 mmmm", "mul%f%c %d, %m, %s", "d:ms", mul, MULTIPLY),
    PLAIN("cccc 0000 001S dddd nnnn ssss 1001 mmmm", "mla%f%c %d, %m, %s, %n", "d:msn", mla, MULTIPLY),
    PLAIN("cccc 0000 0100 dddd nnnn ssss 1001 mmmm", "umaal%c %n, %d, %m, %s", "dn:dnms", umaal, MULTIPLY),
    PLAIN("cccc 0000 0110 dddd nnnn ssss 1001 mmmm", "mls%c %d, %m, %s, %n", "d:msn", mls, MULTIPLY),
    PLAIN("cccc 0000 100S dddd nnnn ssss 1001 mmmm", "umull%f%c %n, %d, %m, %s", "dn:ms", umull, MULTIPLY),
    PLAIN("cccc 0000 101S dddd nnnn ssss 1001 mmmm", "umlal%f%c %n, %d, %m, %s", "dn:dnms", umlal, MULTIPLY),
    PLAIN("cccc 0000 110S dddd nnnn ssss 1001 mmmm", "smull%f%c %n, %d, %m, %s", "dn:ms", smull, MULTIPLY),
    PLAIN("cccc 0000 111S dddd nnnn ssss 1001 mmmm", "smlal%f%c %n, %d, %m, %s", "dn:dnms", smlal, MULTIPLY),
    HALVES("cccc 0001 0000 dddd nnnn ssss 1yx0 mmmm", "smla%H%c %d, %m, %s, %n", "d:msn", smlaxy),
    HALVES("cccc 0001 0010 dddd nnnn ssss 1y00 mmmm", "smlaw%y%c %d, %m, %s, %n", "d:msn", smlawy),
    HALVES("cccc 0001 0010 dddd (0000) ssss 1y10 mmmm", "smulw%y%c %d, %m, %s", "d:ms", smulwy),
    HALVES("cccc 0001 0100 dddd nnnn ssss 1yx0 mmmm", "smlal%H%c %n, %d, %m, %s", "dn:dnms", smlalxy),
    HALVES("cccc 0001 0110 dddd (0000) ssss 1yx0 mmmm", "smul%H%c %d, %m, %s", "d:ms", smulxy),
    HALVES("cccc 0111 0000 dddd 1111 ssss 00x1 mmmm", "smuad%x%c %d, %m, %s", "d:ms", smuad),
    {"cccc 0111 0000 dddd nnnn ssss 00x1 mmmm", "smlad%x%c %d, %m, %s, %n", "d:msn", OP(smlad), C(MULTIPLY), F(HALVES), 0, "n15"},
    HALVES("cccc 0111 0000 dddd 1111 ssss 01x1 mmmm", "smusd%x%c %d, %m, %s", "d:ms", smusd),
    {"cccc 0111 0000 dddd nnnn ssss 01x1 mmmm", "smlsd%x%c %d, %m, %s, %n", "d:msn", OP(smlsd), C(MULTIPLY), F(HALVES), 0, "n15"},
    HALVES("cccc 0111 0100 dddd nnnn ssss 00x1 mmmm", "smlald%x%c %n, %d, %m, %s", "dn:dnms", smlald),
    HALVES("cccc 0111 0100 dddd nnnn ssss 01x1 mmmm", "smlsld%x%c %n, %d, %m, %s", "dn:dnms", smlsld),
    HALVES("cccc 0111 0101 dddd 1111 ssss 00x1 mmmm", "smmul%r%c %d, %m, %s", "d:ms", smmul),
    {"cccc 0111 0101 dddd nnnn ssss 00x1 mmmm", "smmla%r%c %d, %m, %s, %n", "d:msn", OP(smmla), C(MULTIPLY), F(HALVES), 0, "n15"},
    HALVES("cccc 0111 0101 dddd nnnn ssss 11x1 mmmm", "smmls%r%c %d, %m, %s, %n", "d:msn", smmls),
    PLAIN("cccc 0111 0001 dddd (1111) ssss 0001 mmmm", "sdiv%c %d, %m, %s", "d:ms", sdiv, DIVIDE),
    PLAIN("cccc 0111 0011 dddd (1111) ssss 0001 mmmm", "udiv%c %d, %m, %s", "d:ms", udiv, DIVIDE),

    /* saturation, packing, bit fields */
    PLAIN("cccc 0001 0000 nnnn dddd (0000) 0101 mmmm", "qadd%c %d, %m, %n", "d:mn", qadd, ALU),
    PLAIN("cccc 0001 0010 nnnn dddd (0000) 0101 mmmm", "qsub%c %d, %m, %n", "d:mn", qsub, ALU),
    PLAIN("cccc 0001 0100 nnnn dddd (0000) 0101 mmmm", "qdadd%c %d, %m, %n", "d:mn", qdadd, ALU),
    PLAIN("cccc 0001 0110 nnnn dddd (0000) 0101 mmmm", "qdsub%c %d, %m, %n", "d:mn", qdsub, ALU),
    {"cccc 0110 101i iiii dddd aaaa at01 mmmm", "ssat%c %d, %q, %o", "d:m", OP(ssat), C(ALU), F(SATURATE), 0, 0},
    {"cccc 0110 111i iiii dddd aaaa at01 mmmm", "usat%c %d, %q, %o", "d:m", OP(usat), C(ALU), F(SATURATE), 0, 0},
    {"cccc 0110 1010 iiii dddd (1111) 0011 mmmm", "ssat16%c %d, %q, %m", "d:m", OP(ssat16), C(ALU), F(SATURATE), 0, 0},
    {"cccc 0110 1110 iiii dddd (1111) 0011 mmmm", "usat16%c %d, %q, %m", "d:m", OP(usat16), C(ALU), F(SATURATE), 0, 0},
    EXTEND("000", sxtb16, sxtab16),
    EXTEND("010", sxtb, sxtab),
    EXTEND("011", sxth, sxtah),
    EXTEND("100", uxtb16, uxtab16),
    EXTEND("110", uxtb, uxtab),
    EXTEND("111", uxth, uxtah),
    {"cccc 0110 1000 nnnn dddd aaaa a001 mmmm", "pkhbt%c %d, %n, %o", "d:nm", OP(pkhbt), C(SHIFT), F(SHIFTED), 0, 0},
    {"cccc 0110 1000 nnnn dddd aaaa a101 mmmm", "pkhtb%c %d, %n, %o", "d:nm", OP(pkhtb), C(SHIFT), F(SHIFTED), 0, 0},
    {"cccc 0111 110i iiii dddd aaaa a001 1111", "bfc%c %d, %b", "d:d", OP(bfc), C(ALU), F(BIT_INSERT), 0, 0},
    {"cccc 0111 110i iiii dddd aaaa a001 nnnn", "bfi%c %d, %n, %b", "d:dn", OP(bfi), C(ALU), F(BIT_INSERT), 0, "n15"},
    {"cccc 0111 101i iiii dddd aaaa a101 nnnn", "sbfx%c %d, %n, %b", "d:n", OP(sbfx), C(ALU), F(BIT_FIELD), 0, 0},
    {"cccc 0111 111i iiii dddd aaaa a101 nnnn", "ubfx%c %d, %n, %b", "d:n", OP(ubfx), C(ALU), F(BIT_FIELD), 0, 0},
    PLAIN("cccc 0001 0110 (1111) dddd (1111) 0001 mmmm", "clz%c %d, %m", "d:m", clz, ALU),
    PLAIN("cccc 0110 1111 (1111) dddd (1111) 0011 mmmm", "rbit%c %d, %m", "d:m", rbit, ALU),
    PLAIN("cccc 0110 1011 (1111) dddd (1111) 0011 mmmm", "rev%c %d, %m", "d:m", rev, ALU),
    PLAIN("cccc 0110 1011 (1111) dddd (1111) 1011 mmmm", "rev16%c %d, %m", "d:m", rev16, ALU),
    PLAIN("cccc 0110 1111 (1111) dddd (1111) 1011 mmmm", "revsh%c %d, %m", "d:m", revsh, ALU),
    PARALLEL("001", s),
    PARALLEL("010", q),
    PARALLEL("011", sh),
    PARALLEL("101", u),
    PARALLEL("110", uq),
    PARALLEL("111", uh),
    PLAIN("cccc 0110 1000 nnnn dddd (1111) 1011 mmmm", "sel%c %d, %n, %m", "d:nm", sel, ALU),
    PLAIN("cccc 0111 1000 dddd 1111 ssss 0001 mmmm", "usad8%c %d, %m, %s", "d:ms", usad8, ALU),
    {"cccc 0111 1000 dddd nnnn ssss 0001 mmmm", "usada8%c %d, %m, %s, %n", "d:msn", OP(usada8), C(ALU), F(PLAIN), 0, "n15"},

    /* branches */
    {"cccc 1010 iiii iiii iiii iiii iiii iiii", "b%c %t", ":", OP(b), C(BRANCH), F(BRANCH), 0, 0},
    {"cccc 1011 iiii iiii iiii iiii iiii iiii", "bl%c %t", "14:", OP(bl), C(BRANCH), F(BRANCH), 0, 0},
    PLAIN("cccc 0001 0010 (1111 1111 1111) 0001 mmmm", "bx%c %m", ":m", bx, BRANCH),
    PLAIN("cccc 0001 0010 (1111 1111 1111) 0011 mmmm", "blx%c %m", "14:m", blx, BRANCH),

    {"cccc 1111 iiii iiii iiii iiii iiii iiii", "svc%c %Z", ":", OP(svc), C(HINT), F(IMMEDIATE), 0, 0},

    /* status, hints, barriers, co-processor */
    PLAIN("cccc 0001 0000 (1111) dddd (00)0(0) 0000 (0000)", "mrs%c %d, CPSR", "d:", mrs, ALU),
    PLAIN("cccc 0001 0010 oooo (1111) (00)0(0) 0000 mmmm", "msr%c CPSR_%g, %m", ":m", msr_register, ALU),
    {"cccc 0011 0010 oooo (1111) iiii iiii iiii", "msr%c CPSR_%g, %I", ":", OP(msr_immediate), C(ALU), F(MODIFIED), 0, "o0"},
    HINT("0000 0000", "nop%c {%h}"),
    HINT("0000 0001", "yield%c"),
    HINT("0000 0010", "wfe%c"),
    HINT("0000 0011", "wfi%c"),
    HINT("0000 0100", "sev%c"),
    HINT("1111 oooo", "dbg%c #%h"),
    /* unallocated: as NOP */
    HINT("0000 0101", "nop%c {%h}"),
    HINT("0000 011.", "nop%c {%h}"),
    HINT("0000 1...", "nop%c {%h}"),
    HINT("0001 ....", "nop%c {%h}"),
    HINT("001. ....", "nop%c {%h}"),
    HINT("01.. ....", "nop%c {%h}"),
    HINT("10.. ....", "nop%c {%h}"),
    HINT("110. ....", "nop%c {%h}"),
    HINT("1110 ....", "nop%c {%h}"),
    PLAIN("1111 0101 0111 (1111 1111 0000) 0001 (1111)", "clrex", ":", clrex, HINT),
    PLAIN("1111 0101 0111 (1111 1111 0000) 0100 oooo", "dsb %B", ":", hint, HINT),
    PLAIN("1111 0101 0111 (1111 1111 0000) 0101 oooo", "dmb %B", ":", hint, HINT),
    PLAIN("1111 0101 0111 (1111 1111 0000) 0110 oooo", "isb %B", ":", hint, HINT),
    PRELOAD("1", "u101", pld),
    PRELOAD("1", "u001", pldw),
    PRELOAD("0", "u101", pli),
    PLAIN("1111 0100 .001 .... .... .... .... ....", "%z", ":", hint, HINT), /* unallocated: as NOP */
    PLAIN("1111 0110 .001 .... .... .... ...0 ....", "%z", ":", hint, HINT),
    {"cccc 1110 ooo0 NNNN dddd 0111 eee1 MMMM", "mcr%c %p", ":d", OP(coprocessor), C(COPROCESSOR), F(COPROCESSOR), 0, 0},
    {"cccc 1110 ooo1 NNNN dddd 0111 eee1 MMMM", "mrc%c %p", "d:", OP(coprocessor), C(COPROCESSOR), F(COPROCESSOR), 0, 0},
    {"cccc 1100 0100 nnnn dddd 0111 oooo MMMM", "mcrr%c %p", ":dn", OP(coprocessor), C(COPROCESSOR), F(COPROCESSOR), 0, 0},
    {"cccc 1100 0101 nnnn dddd 0111 oooo MMMM", "mrrc%c %p", "dn:", OP(coprocessor), C(COPROCESSOR), F(COPROCESSOR), 0, 0},

    /* loads and stores */
    WORD_OR_BYTE("0", "1", ldr, "d:n", LOAD, 4),
    WORD_OR_BYTE("0", "0", str, ":dn", STORE, 4),
    WORD_OR_BYTE("1", "1", ldrb, "d:n", LOAD, 1),
    WORD_OR_BYTE("1", "0", strb, ":dn", STORE, 1),
    HALF("1", "1011", ldrh, "d:n", LOAD, 2),
    HALF("0", "1011", strh, ":dn", STORE, 2),
    HALF("1", "1101", ldrsb, "d:n", LOAD, 1),
    HALF("1", "1111", ldrsh, "d:n", LOAD, 2),
    DOUBLE("1101", ldrd, "de:n", LOAD_MULTIPLE),
    DOUBLE("1111", strd, ":den", STORE_MULTIPLE),
    {"cccc 100p u0w1 nnnn llll llll llll llll", "%Vldm%M%c %n%w, %l", "l:n", OP(ldm), C(LOAD_MULTIPLE), F(BLOCK), 0, 0},
    {"cccc 100p u0w0 nnnn llll llll llll llll", "%Vstm%M%c %n%w, %l", ":nl", OP(stm), C(STORE_MULTIPLE), F(BLOCK), 0, 0},
    EXCLUSIVE("00", , "%d", "d:n", "%m", "d:nm", 4),
    EXCLUSIVE("01", d, "%d", "de:n", "%m", "d:nmg", 8),
    EXCLUSIVE("10", b, "%d", "d:n", "%m", "d:nm", 1),
    EXCLUSIVE("11", h, "%d", "d:n", "%m", "d:nm", 2),
    {"cccc 1101 uD01 nnnn dddd 1010 iiii iiii", "vldr%c %Sd, %a", "Sd:n", OP(vldr_f32), C(LOAD), F(OFFSET_WORDS), 4, 0},
    {"cccc 1101 uD01 nnnn dddd 1011 iiii iiii", "vldr%c %Dd, %a", "Dd:n", OP(vldr_f64), C(LOAD), F(OFFSET_WORDS), 8, 0},
    {"cccc 1101 uD00 nnnn dddd 1010 iiii iiii", "vstr%c %Sd, %a", ":Sdn", OP(vstr_f32), C(STORE), F(OFFSET_WORDS), 4, 0},
    {"cccc 1101 uD00 nnnn dddd 1011 iiii iiii", "vstr%c %Dd, %a", ":Ddn", OP(vstr_f64), C(STORE), F(OFFSET_WORDS), 8, 0},
    VFP_BLOCK("1", vldm, fldm, "v:n", LOAD_MULTIPLE),
    VFP_BLOCK("0", vstm, fstm, ":vn", STORE_MULTIPLE),

    /* VFP arithmetic */
    VFP_ACCUMULATE("0", "00", "0", vmla),
    VFP_ACCUMULATE("0", "00", "1", vmls),
    VFP_ACCUMULATE("0", "01", "0", vnmls),
    VFP_ACCUMULATE("0", "01", "1", vnmla),
    VFP_ARITHMETIC("0", "10", "0", vmul, VFP_MULTIPLY_SINGLE, VFP_MULTIPLY_DOUBLE),
    VFP_ARITHMETIC("0", "10", "1", vnmul, VFP_MULTIPLY_SINGLE, VFP_MULTIPLY_DOUBLE),
    VFP_ARITHMETIC("0", "11", "0", vadd, VFP_ADD_SINGLE, VFP_ADD_DOUBLE),
    VFP_ARITHMETIC("0", "11", "1", vsub, VFP_ADD_SINGLE, VFP_ADD_DOUBLE),
    VFP_ARITHMETIC("1", "00", "0", vdiv, VFP_DIVIDE_SINGLE, VFP_DIVIDE_DOUBLE),
    VFP_TWO("0000", "01", vmov, "vmov", VFP_MOVE, VFP_MOVE),
    VFP_TWO("0000", "11", vabs, "vabs", VFP_MOVE, VFP_MOVE),
    VFP_TWO("0001", "01", vneg, "vneg", VFP_MOVE, VFP_MOVE),
    VFP_TWO("0001", "11", vsqrt, "vsqrt", VFP_DIVIDE_SINGLE, VFP_DIVIDE_DOUBLE),
    VFP_COMPARE("0", vcmp),
    VFP_COMPARE("1", vcmpe),
    {"cccc 1110 1D11 iiii dddd 1010 (0)0(0)0 iiii", "vmov%c.f32 %Sd, %k", "Sd:", OP(vmov_immediate_f32), C(VFP_MOVE), F(CONSTANT), 0, 0},
    {"cccc 1110 1D11 iiii dddd 1011 (0)0(0)0 iiii", "vmov%c.f64 %Dd, %k", "Dd:", OP(vmov_immediate_f64), C(VFP_MOVE), F(CONSTANT), 0, 0},

    /* VFP conversions */
    PLAIN("cccc 1110 1D11 0111 dddd 1010 11M0 mmmm", "vcvt%c.f64.f32 %Dd, %Sm", "Dd:Sm", vcvt_f64_f32, VFP_ADD_DOUBLE),
    PLAIN("cccc 1110 1D11 0111 dddd 1011 11M0 mmmm", "vcvt%c.f32.f64 %Sd, %Dm", "Sd:Dm", vcvt_f32_f64, VFP_ADD_DOUBLE),
    VFP_FROM_INTEGER("0", vcvt_from_u32, "u32"),
    VFP_FROM_INTEGER("1", vcvt_from_s32, "s32"),
    VFP_TO_INTEGER("1100", "0", vcvtr_u32, "vcvtr", "u32"),
    VFP_TO_INTEGER("1100", "1", vcvt_u32, "vcvt", "u32"),
    VFP_TO_INTEGER("1101", "0", vcvtr_s32, "vcvtr", "s32"),
    VFP_TO_INTEGER("1101", "1", vcvt_s32, "vcvt", "s32"),
    {"cccc 1110 1D11 101y dddd 1010 x1k0 iiii", "vcvt%c.f32.%F %Sd, %Sd, %K", "Sd:Sd", OP(vcvt_from_fixed_f32), C(VFP_ADD_SINGLE), F(FIXED), 0, 0},
    {"cccc 1110 1D11 101y dddd 1011 x1k0 iiii", "vcvt%c.f64.%F %Dd, %Dd, %K", "Dd:Dd", OP(vcvt_from_fixed_f64), C(VFP_ADD_DOUBLE), F(FIXED), 0, 0},
    {"cccc 1110 1D11 111y dddd 1010 x1k0 iiii", "vcvt%c.%F.f32 %Sd, %Sd, %K", "Sd:Sd", OP(vcvt_to_fixed_f32), C(VFP_ADD_SINGLE), F(FIXED), 0, 0},
    {"cccc 1110 1D11 111y dddd 1011 x1k0 iiii", "vcvt%c.%F.f64 %Dd, %Dd, %K", "Dd:Dd", OP(vcvt_to_fixed_f64), C(VFP_ADD_DOUBLE), F(FIXED), 0, 0},

    /* VFP transfers: d is the destination */
    PLAIN("cccc 1110 0000 dddd mmmm 1010 D(00)1 (0000)", "vmov%c %Sd, %m", "Sd:m", vmov_word, VFP_MOVE),
    PLAIN("cccc 1110 0001 mmmm dddd 1010 M(00)1 (0000)", "vmov%c %d, %Sm", "d:Sm", vmov_word, VFP_MOVE),
    PLAIN("cccc 1100 0100 nnnn mmmm 1010 00D1 dddd", "vmov%c %Sd, %Se, %m, %n", "SdSe:mn", vmov_two_words, VFP_MOVE),
    PLAIN("cccc 1100 0101 nnnn dddd 1010 00M1 mmmm", "vmov%c %d, %n, %Sm, %Sg", "dn:SmSg", vmov_to_core_two, VFP_MOVE),
    PLAIN("cccc 1100 0100 nnnn mmmm 1011 00D1 dddd", "vmov%c %Dd, %m, %n", "Dd:mn", vmov_two_words, VFP_MOVE),
    PLAIN("cccc 1100 0101 nnnn dddd 1011 00M1 mmmm", "vmov%c %d, %n, %Dm", "dn:Dm", vmov_to_core_two, VFP_MOVE),
    {"cccc 1110 00i0 dddd mmmm 1011 D001 (0000)", "vmov%c.32 %Wd, %m", "Wd:m", OP(vmov_word), C(VFP_MOVE), F(LANE), 0, 0},
    {"cccc 1110 00i1 mmmm dddd 1011 M001 (0000)", "vmov%c.32 %d, %Wm", "d:Wm", OP(vmov_word), C(VFP_MOVE), F(LANE), 0, 0},
    {"cccc 1110 1111 0001 dddd 1010 (000)1 (0000)", "vmrs%c %d, fpscr", "d:", OP(vmrs), C(VFP_MOVE), F(PLAIN), 0, "d15"},
    PLAIN("cccc 1110 1111 0001 1111 1010 (000)1 (0000)", "vmrs%c APSR_nzcv, fpscr", ":", vmrs_flags, VFP_MOVE),
    PLAIN("cccc 1110 1110 0001 mmmm 1010 (000)1 (0000)", "vmsr%c fpscr, %m", ":m", vmsr, VFP_MOVE),

    NEON_ROWS
};
const unsigned arm_row_count = sizeof arm_rows / sizeof *arm_rows;

/* In the order of the manual's tables. VFPv4's fused operations and half-precision conversions, and the rest
 * of Advanced SIMD, are not modelled. */
const struct arm_refused arm_refused_rows[] = {
    /* unconditional */
    {"1111 0001 0000 ...0 .... .... ..0. ....", "CPS changes a privileged mode"},
    {"1111 0001 0000 ...1 .... .... 0000 ....", "SETEND: big-endian data are not modelled"},
    {"1111 001. .... .... .... .... .... ....", "an Advanced SIMD instruction (data processing) that is not modelled"},
    {"1111 0100 ...0 .... .... .... .... ....", "an Advanced SIMD instruction (loads and stores) that is not modelled"},
    {"1111 010. ..11 .... .... .... .... ....", "unpredictable: no memory hint, no barrier"},
    {"1111 011. ..11 .... .... .... ...0 ....", "unpredictable: no memory hint"},
    {"1111 100. .1.0 .... .... .... .... ....", "SRS stores privileged state"},
    {"1111 100. .0.1 .... .... .... .... ....", "RFE returns from an exception: there are none"},
    {"1111 101. .... .... .... .... .... ....", "BLX (immediate) enters Thumb state, which is not modelled"},
    {"1111 110. .... .... .... .... .... ....", "LDC2, STC2, MCRR2 and MRRC2: the co-processor has only the conditional forms"},
    {"1111 1110 .... .... .... .... .... ....", "CDP2, MCR2 and MRC2: the co-processor has only the conditional forms"},
    {"1111 .... .... .... .... .... .... ....", "undefined"},
    /* data processing and miscellaneous */
    {".... 0001 0.00 .... .... ..1. 0000 ....", "MRS of a banked register: unpredictable in User mode"},
    {".... 0001 0.10 .... .... ..1. 0000 ....", "MSR of a banked register: unpredictable in User mode"},
    {".... 0001 0100 .... .... ..0. 0000 ....", "MRS of SPSR: unpredictable in User mode"},
    {".... 0001 0110 .... .... ..0. 0000 ....", "MSR of SPSR: unpredictable in User mode"},
    {".... 0011 0110 .... .... .... .... ....", "MSR of SPSR: unpredictable in User mode"},
    {".... 0001 0010 .... .... .... 0010 ....", "BXJ enters Jazelle state, which is not modelled"},
    {".... 0001 0110 .... .... .... 0110 ....", "ERET returns from an exception: there are none"},
    {".... 0001 0010 .... .... .... 0111 ....", "BKPT: there is no debugger"},
    {".... 0001 0100 .... .... .... 0111 ....", "HVC: there is no hypervisor"},
    {".... 0001 0110 .... .... .... 0111 ....", "SMC: there is no secure monitor"},
    {".... 0001 0.00 .... .... .... 1001 ....", "SWP and SWPB are not modelled: LDREX and STREX are"},
    /* media, block transfer */
    {".... 0111 1111 .... .... .... 1111 ....", "UDF: permanently undefined"},
    {".... 100. .1.0 .... .... .... .... ....", "STM of user registers: unpredictable in User mode"},
    {".... 100. .1.1 .... .... .... .... ....", "LDM of user registers or with exception return: unpredictable in User mode"},
    /* VFP and Advanced SIMD */
    {".... 1110 1.10 .... .... 101. .0.0 ....", "VFMA (VFPv4 fused multiplication) is not modelled"},
    {".... 1110 1.10 .... .... 101. .1.0 ....", "VFMS (VFPv4 fused multiplication) is not modelled"},
    {".... 1110 1.01 .... .... 101. .0.0 ....", "VFNMS (VFPv4 fused multiplication) is not modelled"},
    {".... 1110 1.01 .... .... 101. .1.0 ....", "VFNMA (VFPv4 fused multiplication) is not modelled"},
    {".... 1110 1.11 001. .... 101. 01.0 ....", "VCVTB (half-precision conversion) is not modelled"},
    {".... 1110 1.11 001. .... 101. 11.0 ....", "VCVTT (half-precision conversion) is not modelled"},
    {".... 1110 111. 0000 .... 1010 ...1 ....", "FPSID: undefined in User mode"},
    {".... 1110 111. 011. .... 1010 ...1 ....", "MVFR0 and MVFR1: undefined in User mode"},
    {".... 1110 111. 1000 .... 1010 ...1 ....", "FPEXC: undefined in User mode"},
    {".... 1110 .... .... .... 101. .... ....", "undefined"},
    {".... 110. .... .... .... 101. .... ....", "undefined"},
    /* other co-processors */
    {".... 1110 .... .... .... 0111 ...0 ....", "CDP: the co-processor p7 has only MRC, MCR, MRRC and MCRR"},
    {".... 110. .... .... .... 0111 .... ....", "LDC and STC: the co-processor p7 has only MRC, MCR, MRRC and MCRR"},
    {".... 1110 .... .... .... .... .... ....", "of the co-processors only p7 and VFP are modelled"},
    {".... 110. .... .... .... .... .... ....", "of the co-processors only p7 and VFP are modelled"},
    {".... .... .... .... .... .... .... ....", "undefined"},
};
const unsigned arm_refused_count = sizeof arm_refused_rows / sizeof *arm_refused_rows;
/* clang-format on */
