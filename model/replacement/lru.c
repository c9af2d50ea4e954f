/* lru: the line used longest ago is replaced. The hardware keeps a rank of each way, which a use changes. */
#include "model/replacement/replacement.h"

static unsigned set_bits(unsigned ways) {
    unsigned rank = 0;
    while (1u << rank < ways) ++rank;
    return ways * rank;
}

const struct replacement replacement_lru = {
    .doc = "the one used longest ago",
    .set_bits = set_bits,
    .on_use = true,
};
