/*
 * work_item: the work-item functions. C instead of OpenCL C, under their mangled names, so that the reads of
 * p7 are ordinary pure operations: clang takes every inline assembly of OpenCL C for convergent and would
 * neither share nor hoist them. With a constant dimension each is one MRC; conditional expressions choose
 * otherwise, because a dimension is the same for all threads and needs no priority operations.
 */

#define MRC(crn, crm, opc2)                                                                                  \
    ({                                                                                                       \
        unsigned value_;                                                                                     \
        __asm__("mrc p7, 0, %0, " #crn ", " #crm ", " #opc2 : "=r"(value_));                                 \
        value_;                                                                                              \
    })

#define WORK_ITEM_FUNCTION(mangled, x, y, z, beyond)                                                         \
    unsigned mangled(unsigned dimension) __attribute__((const, always_inline));                              \
    unsigned mangled(unsigned dimension) {                                                                   \
        return dimension == 0 ? MRC x : dimension == 1 ? MRC y : dimension == 2 ? MRC z : beyond;            \
    }

WORK_ITEM_FUNCTION(_Z12get_local_idj, (c1, c0, 0), (c1, c0, 1), (c1, c0, 2), 0)
WORK_ITEM_FUNCTION(_Z13get_global_idj, (c1, c0, 4), (c1, c0, 5), (c1, c0, 6), 0)
WORK_ITEM_FUNCTION(_Z12get_group_idj, (c2, c0, 0), (c2, c1, 0), (c2, c2, 0), 0)
WORK_ITEM_FUNCTION(_Z14get_num_groupsj, (c2, c0, 1), (c2, c1, 1), (c2, c2, 1), 1)
WORK_ITEM_FUNCTION(_Z14get_local_sizej, (c2, c0, 2), (c2, c1, 2), (c2, c2, 2), 1)
WORK_ITEM_FUNCTION(_Z15get_global_sizej, (c2, c0, 3), (c2, c1, 3), (c2, c2, 3), 1)
WORK_ITEM_FUNCTION(_Z17get_global_offsetj, (c2, c0, 4), (c2, c1, 4), (c2, c2, 4), 0)

unsigned _Z12get_work_dimv(void) __attribute__((const, always_inline));
unsigned _Z12get_work_dimv(void) {
    return MRC(c2, c3, 0);
}
