/*
 * netlist: a block of Verilog as gates of a library. Yosys reads it at given parameters, ABC maps it by
 * several scripts, and OpenSTA times each result. One script alone is not monotonic and at times 15 %
 * worse. The smallest and the fastest netlist are kept. On request ABC proves them equal to the Verilog
 * (SAT; with flip-flops by signal correspondence, from reset on).
 *
 * Delay is that of the longest path between flip-flops and ports, set-up time included. The smallest
 * inverter drives each input, four of them load each output; there are no wires.
 *
 * Results are kept (synthesis_cache.h), and those of Lockstep's own machines are shipped
 * (shipped_results.h). The key of a result is a hash of the Verilog's tokens, the parameters, the scripts,
 * the library and the versions of the tools. If several processes need the same result, one of them makes
 * it.
 */
#ifndef SYNTHESIS_NETLIST_H
#define SYNTHESIS_NETLIST_H

#include "synthesis/synthesis_cache.h"
#include "synthesis/technology.h"
#include "tb/ports/verilog_module.h"

#include <stdbool.h>

enum synthesis_effort { SYNTHESIS_FAST, SYNTHESIS_FULL };

/* Parts of the co-processor's cycle, named by the registers at which their paths end (timing.md). */
enum synthesis_stage {
    STAGE_SELECT,
    STAGE_ARBITRATE,
    STAGE_DECODE,
    STAGE_EXECUTE,
    STAGE_COMMIT,
    STAGE_COUNT
};
extern const char *const synthesis_stage_name[STAGE_COUNT]; /* names: "S", … */

enum netlist_proof { PROOF_NOT_ASKED, PROOF_EQUAL, PROOF_UNDECIDED, PROOF_DIFFERENT, PROOF_COUNT };
extern const char *const netlist_proof_name[PROOF_COUNT];

struct netlist_request {
    const char *folder;                     /* folder of the Verilog (verilog_files.h) */
    const char *top;                        /* name of the module */
    const struct verilog_setting *settings; /* values of parameters; the module may lack some of them */
    unsigned count;
    bool stages; /* the module is simt_coprocessor: measure each stage; its blocks are proved, not the whole
                  */
    bool large;  /* large block: one script with SYNTHESIS_FAST; other blocks ignore the effort */
    enum synthesis_effort effort;
    bool prove;
};

/* A netlist made by one script. */
struct netlist {
    char script[16];
    double area_nand2, flip_flop_nand2; /* area of all cells, and of the flip-flops */
    unsigned cells, flip_flops;
    double delay_fo4;
    char from[128], to[128]; /* ends of the longest path: ports, or the nets that flip-flops hold */
    enum netlist_proof proof;
};

struct netlist_result {
    struct netlist smallest, fastest;
    double stage_fo4[STAGE_COUNT]; /* delay of each stage of the fastest netlist; 0: not measured */
    char stage_from[STAGE_COUNT][128];
    char stage_to[STAGE_COUNT][128]; /* ends of each stage's path; of A with the arbiter: "row_pc[3] ->
                                        chosen[1] -> descriptors.ready_q[0][0]" */
    char parameters[256];            /* parameters that the module has: "WARP_SIZE=32 LEVELS=8" */
    unsigned seconds;                /* CPU seconds that synthesis took */
};

/* State of a result: known, missing, or being made by another process. */
enum netlist_state { NETLIST_KNOWN, NETLIST_MISSING, NETLIST_ELSEWHERE };

/* Looks a result up without synthesis. Writes its parameters and the hash of its key, and the result if it
 * is known. Returns false with *e (EXIT_USER) if the Verilog cannot be read. */
bool netlist_find(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                  char hash[SYNTHESIS_HASH], enum netlist_state *state, struct error *e);

/* Makes a missing result, or returns at once if another process makes it (*state). Returns false with *e as
 * netlist_make() does. */
bool netlist_try(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                 enum netlist_state *state, struct error *e);

/* Keeps a result that another computer has made. */
void netlist_keep(const struct netlist_request *r, const struct technology *t, json_t *result);

/* Converts a result to JSON and back. netlist_result_from() returns false if the JSON is no result. */
json_t *netlist_result_json(const struct netlist_result *r);
bool netlist_result_from(struct netlist_result *r, json_t *j);

/* Makes a result, or finds it. Calls on_run (may be NULL) with the module's name before tools are started.
 * Returns false with *e (EXIT_USER) if a tool is missing or refuses the Verilog. */
bool netlist_make(const struct netlist_request *r, const struct technology *t,
                  void (*on_run)(const char *top), struct netlist_result *result, struct error *e);

/* Does the same, and returns the fastest netlist in Verilog, to be freed. Returns NULL with *e as above. */
char *netlist_gates(const struct netlist_request *r, const struct technology *t,
                    void (*on_run)(const char *top), struct netlist_result *result, struct error *e);

#endif
