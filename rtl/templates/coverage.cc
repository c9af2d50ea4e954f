// Linked into Verilog that is built with Verilator's coverage (lockstep rtl-test --coverage): writes the counts of the
// twin that was evaluated last.
#define thread_local // as in all of a twin
#include "../verilated_cov.cpp"

extern "C" __attribute__((visibility("default"))) void twin_coverage(const char *path) {
    Verilated::threadContextp()->coveragep()->write(path);
}
