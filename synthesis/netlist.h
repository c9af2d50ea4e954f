/*
 * netlist: a block of Verilog as gates of a library: Yosys reads it at given parameters, ABC maps it by
 * several scripts (one alone is not monotonic, and 15 % off at times), OpenSTA times each result. The
 * smallest and the fastest are kept. On request what ABC made is proved equal to the Verilog, by ABC (SAT;
 * with flip-flops by signal correspondence, from reset on).
 *
 * Delay is that of the longest path between flip-flops and ports, set-up time included; the smallest inverter
 * drives each input, four of them load each output; there are no wires.
 *
 * Results are kept (synthesis_cache.h), and those of Lockstep's own machines are shipped (shipped_results.h).
 * A result is known by a hash of the Verilog's tokens, the parameters, the scripts, the library and the
 * versions of the tools. Of several processes that need the same result, one makes it.
 */
#ifndef SYNTHESIS_NETLIST_H
#define SYNTHESIS_NETLIST_H

#include "synthesis/synthesis_cache.h"
#include "synthesis/technology.h"
#include "tb/ports/verilog_module.h"

#include <stdbool.h>

enum synthesis_effort { SYNTHESIS_FAST, SYNTHESIS_FULL };

/* Parts of the co-processor's cycle, by the registers where their paths end (timing.md). */
enum synthesis_stage {
    STAGE_SELECT,
    STAGE_ARBITRATE,
    STAGE_DECODE,
    STAGE_EXECUTE,
    STAGE_COMMIT,
    STAGE_COUNT
};
extern const char *const synthesis_stage_name[STAGE_COUNT]; /* "S", … */

enum netlist_proof { PROOF_NOT_ASKED, PROOF_EQUAL, PROOF_UNDECIDED, PROOF_DIFFERENT, PROOF_COUNT };
extern const char *const netlist_proof_name[PROOF_COUNT];

struct netlist_request {
    const char *folder;                     /* of the Verilog (verilog_files.h) */
    const char *top;                        /* the module */
    const struct verilog_setting *settings; /* those that the module has are set */
    unsigned count;
    bool stages; /* it is simt_coprocessor, large: tell its stages apart; it is not proved, its blocks are */
    bool large;  /* with SYNTHESIS_FAST, but for stages, one script; the effort of others is one */
    enum synthesis_effort effort;
    bool prove;
};

/* The netlist that one script gave. */
struct netlist {
    char script[16];
    double area_nand2, flip_flop_nand2; /* all cells; of them flip-flops */
    unsigned cells, flip_flops;
    double delay_fo4;
    char from[128], to[128]; /* of the longest path: ports, or what the flip-flops hold */
    enum netlist_proof proof;
};

struct netlist_result {
    struct netlist smallest, fastest;
    double stage_fo4[STAGE_COUNT]; /* of the fastest; 0: not asked for */
    char stage_from[STAGE_COUNT][128];
    char stage_to[STAGE_COUNT][128]; /* of A: "row_pc[3] -> chosen[1] -> descriptors.ready_q[0][0]" */
    char parameters[256];            /* "WARP_SIZE=32 LEVELS=8": those the module has */
    unsigned seconds;                /* of the processor, that synthesis took */
};

/* Whether a result is there, or who makes it. */
enum netlist_state { NETLIST_KNOWN, NETLIST_MISSING, NETLIST_ELSEWHERE };

/* Looks for a result; nothing is synthesised. Writes the parameters and the hash of the key; the rest if it
 * is known. False and *e (EXIT_USER): the Verilog cannot be read. */
bool netlist_find(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                  char hash[SYNTHESIS_HASH], enum netlist_state *state, struct error *e);

/* Makes a result if it is missing, or returns at once if another process makes it (*state). False and *e as
 * with netlist_make(). */
bool netlist_try(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                 enum netlist_state *state, struct error *e);

/* Keeps a result that another computer has made. */
void netlist_keep(const struct netlist_request *r, const struct technology *t, json_t *result);

/* A result as JSON, and back. False: it is not one. */
json_t *netlist_result_json(const struct netlist_result *r);
bool netlist_result_from(struct netlist_result *r, json_t *j);

/* False and *e (EXIT_USER) if a tool is missing or refuses it. on_run (NULL: nothing) is called before tools
 * are started, with the module's name. */
bool netlist_make(const struct netlist_request *r, const struct technology *t,
                  void (*on_run)(const char *top), struct netlist_result *result, struct error *e);

/* The same, and the fastest netlist in Verilog, to be freed. NULL and *e as above. */
char *netlist_gates(const struct netlist_request *r, const struct technology *t,
                    void (*on_run)(const char *top), struct netlist_result *result, struct error *e);

#endif
