/*
 * divergence_engine: what the configuration knows of a divergence engine (simt.divergence), which decides
 * which threads run together. An engine is a file with this row, `const struct divergence_engine
 * divergence_engine_NAME`, and a row of its functions: NAME.c of model/slots/divergence/ (struct
 * divergence_slot), or divergence_NAME.c of model/sm/ (struct sm_divergence). NAME is the value of the field.
 */
#ifndef MODEL_CONFIG_DIVERGENCE_ENGINE_H
#define MODEL_CONFIG_DIVERGENCE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct machine_config;

struct divergence_engine {
    const char *doc;       /* description of the engine */
    bool regroups;         /* its warps have threads of several warps of the register file */
    bool picks;            /* picks warps by simt.scheduler; else by a rule of its own */
    bool as_wide_as_lanes; /* a flight has as many positions as there are lanes; else simt.warp_size */
    /* Checks conditions between fields. Returns false with *e if they conflict. NULL: none. */
    bool (*check)(const struct machine_config *c, struct error *e);
};

/* By kind (divergence_kind.h): rows, names (NULL after the last), descriptions. */
extern const struct divergence_engine *const divergence_engines[];
extern const char *const divergence_names[];
const char *divergence_doc(uint32_t kind);

#endif
