// The model of a block as the reference of a bench in C++: compares it with a round-robin scheduler, with
// random inputs.
//
//   g++ -std=c++17 scheduler_bench.cc $(pkg-config --cflags --libs lockstep) -o scheduler_bench && ./scheduler_bench
#include <lockstep.h>

#include <cstdio>
#include <memory>
#include <random>

namespace {

constexpr unsigned warps = 16;

struct destroy {
    void operator()(lockstep_warp_scheduler *block) const { lockstep_warp_scheduler_destroy(block); }
};

// The design under test: picks the next ready warp after the one picked last.
struct design {
    unsigned last = warps - 1;
    int picked = -1;

    void eval(const lockstep_warp_scheduler_in &in) {
        picked = -1;
        for (unsigned n = warps; n > 0; --n)
            if (in.ready[0] >> (last + n) % warps & 1) picked = static_cast<int>((last + n) % warps);
        if (!in.take) picked = -1;
    }
    void clock() {
        if (picked >= 0) last = static_cast<unsigned>(picked);
    }
};

} // namespace

int main() {
    std::unique_ptr<lockstep_warp_scheduler, destroy> model{lockstep_warp_scheduler_create(warps)};
    if (!model) return std::fprintf(stderr, "%s\n", lockstep_error()), 1;
    std::mt19937 random{1};
    design mine;
    for (unsigned cycle = 0; cycle < 100000; ++cycle) {
        lockstep_warp_scheduler_in in{};
        lockstep_warp_scheduler_out out{};
        in.ready[0] = random() & random() & 0xffff;
        in.take = random() % 4 != 0;
        if (!lockstep_warp_scheduler_eval(model.get(), &in, &out)) return std::fprintf(stderr, "%s\n", lockstep_error()), 1;
        mine.eval(in);
        if (out.valid != (mine.picked >= 0) || (out.valid && out.warp != static_cast<unsigned>(mine.picked)))
            return std::printf("FAIL: cycle %u: warp %d, the model picks %u\n", cycle, mine.picked, out.warp), 1;
        lockstep_warp_scheduler_clock(model.get());
        mine.clock();
    }
    std::printf("PASS: 100000 cycles\n");
}
