/*
 * startup: what every core runs when a launch begins (coprocessor.md §C). Entry lockstep_startup, with SP set
 * by the launch; ends with WFI. A SIMT launch: the L1D becomes the TPM, contexts are started work-group after
 * work-group (startup_groups.S), the L1D becomes a cache again.
 */
#include "abi/launch_block.h"

#include <stdint.h>

#define MRC(crn, crm, opc2)                                                                                  \
    ({                                                                                                       \
        uint32_t value_;                                                                                     \
        __asm__ volatile("mrc p7, 0, %0, " #crn ", " #crm ", " #opc2 : "=r"(value_)::"memory");              \
        value_;                                                                                              \
    })
#define MCR(crn, crm, opc2) __asm__ volatile("mcr p7, 0, r0, " #crn ", " #crm ", " #opc2 ::: "memory")

/* How startup_groups.S walks: by a fixed step that stays in a row or leads to the next at most; by any step;
 * in runs of consecutive work-items with a step between them. */
enum walk { WALK_ROWS, WALK_STEPS, WALK_RUNS };

/* The order is startup_groups.S's. x, y, z stand for the work-group's dimensions less those of size 1 in
 * front, `unit` is 1 of x in a packed local id. */
struct start_plan {
    uint32_t first_id, first_sp;
    uint32_t first_x, first_y, first_z; /* less their sizes: negative */
    uint32_t kernel_pc, argument_block, contexts;
    uint32_t stack_size;
    uint32_t size_x, wrap_x; /* change of a packed id when x wraps and y rises by 1 */
    uint32_t size_y, wrap_y;
    uint32_t walk;
    uint32_t step, step_x, step_y, step_z; /* distance to the next context: packed, and by dimension */
    uint32_t unit, minus_rounds;
};

struct position {
    uint32_t x, y, z;
};

void lockstep_start_groups(const struct start_plan *plan);
_Noreturn void lockstep_startup(void);

static struct position position_of(uint32_t work_item, const struct position *size) {
    const uint32_t row = work_item / size->x, layer = row / size->y;
    return (struct position){work_item - row * size->x, row - layer * size->y, layer};
}

static uint32_t packed(struct position p, uint32_t unit) {
    return (p.x | p.y << 10 | p.z << 20) * unit;
}

/* Contexts of a lane: all rounds of every full warp, and of the last one those whose work-item exists. */
static uint32_t context_count(const struct launch_block *launch, uint32_t lane, uint32_t lanes,
                              uint32_t warp_size) {
    const uint32_t rounds = warp_size / lanes, full = launch->work_group_size / warp_size;
    const uint32_t rest = launch->work_group_size - full * warp_size;
    if (launch->lane_map == LANE_MAP_CYCLIC) return full * rounds + (rest + lanes - 1 - lane) / lanes;
    const uint32_t before = lane * rounds, left = rest > before ? rest - before : 0;
    return full * rounds + (left < rounds ? left : rounds);
}

static struct start_plan make_plan(const struct launch_block *launch) {
    const uint32_t lane = MRC(c0, c0, 0), cluster = MRC(c0, c0, 1), lanes = MRC(c0, c0, 2),
                   warp_size = MRC(c0, c0, 3);
    const uint32_t rounds = warp_size / lanes;
    struct position size = {launch->local_size[0], launch->local_size[1], launch->local_size[2]};
    uint32_t unit = 1;
    for (int i = 0; i < 2 && size.x == 1; i++) {
        size = (struct position){size.y, size.z, 1};
        unit <<= 10;
    }
    const int runs = launch->lane_map == LANE_MAP_BLOCK && rounds > 1;
    const struct position first = position_of(runs ? lane * rounds : lane, &size);
    const struct position step = position_of(runs ? warp_size - rounds : lanes, &size);
    return (struct start_plan){
        .first_id = packed(first, unit),
        .first_sp = launch->stack_top + (cluster * lanes + lane) * launch->stack_segment,
        .first_x = first.x - size.x,
        .first_y = first.y - size.y,
        .first_z = first.z - size.z,
        .kernel_pc = launch->kernel_pc,
        .argument_block = launch->argument_block,
        .contexts = context_count(launch, lane, lanes, warp_size),
        .stack_size = launch->stack_size,
        .size_x = size.x,
        .wrap_x = ((1u << 10) - size.x) * unit,
        .size_y = size.y,
        .wrap_y = ((1u << 20) - (size.y << 10)) * unit,
        .walk = runs              ? WALK_RUNS
                : lanes <= size.x ? WALK_ROWS
                                  : WALK_STEPS,
        .step = lanes <= size.x && !runs ? lanes * unit : packed(step, unit),
        .step_x = lanes <= size.x && !runs ? lanes : step.x,
        .step_y = step.y,
        .step_z = step.z,
        .unit = unit,
        .minus_rounds = -rounds,
    };
}

_Noreturn void lockstep_startup(void) {
    const struct start_plan plan = make_plan((const struct launch_block *)(uintptr_t)MRC(c7, c0, 1));
    MCR(c6, c1, 0);
    lockstep_start_groups(&plan);
    MCR(c6, c1, 1);
    for (;;) __asm__ volatile("wfi");
}
