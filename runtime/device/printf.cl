/*
 * printf: room for the output of a printf call, which the compiler turns into a call of this function and stores of the
 * arguments (compiler/ir/printf_calls.h). No branch depends on whether there is room.
 */
#include "atomic_loop.h"
#include "abi/printf_buffer.h"

size_t OVERLOAD get_global_id(uint dimension);

global uint *OVERLOAD lockstep_printf_record(uint bytes) {
    /* The bit for lost records makes the sum too large for good. */
    ATOMIC_LOOP(PRINTF_ADDRESS, old, old + bytes <= PRINTF_BUFFER_BYTES ? old + bytes : old | PRINTF_LOST)
    const uint place =
        old + bytes <= PRINTF_BUFFER_BYTES ? PRINTF_ADDRESS + PRINTF_RECORDS + old : PRINTF_LOST_ADDRESS;
    global uint *record = (global uint *)place;
    record[PRINTF_GLOBAL_ID] = get_global_id(0);
    record[PRINTF_GLOBAL_ID + 1] = get_global_id(1);
    record[PRINTF_GLOBAL_ID + 2] = get_global_id(2);
    return record;
}
