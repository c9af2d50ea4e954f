# Lockstep. `make run` and `make test` install what is missing first; `make` alone builds everything into build/.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

B       := build
CC      := gcc
ARCH    ?= native
CFLAGS  := -std=gnu11 -O3 -march=$(ARCH) -g -ffp-contract=off -fno-math-errno -fPIC
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wno-sign-conversion
CPPFLAGS = -I. -I$(B) -D_GNU_SOURCE -MMD -MP
LLVM    := /usr/lib/llvm-14

ifdef SAN # address and undefined-behaviour sanitizers, in a build of their own
B       := build-san
CFLAGS  := -std=gnu11 -O1 -march=$(ARCH) -g -ffp-contract=off -fno-math-errno -fPIC \
           -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif

objects = $(patsubst %.c,$(B)/obj/%.o,$(filter-out tb/ports/main.c,$(wildcard $(addsuffix /*.c,$(1)))))

# --- the floors, each a library that knows only those below it ---------------------------------------------
FST     := /usr/share/verilator/include/gtkwave
FST_OBJ := $(addprefix $(B)/obj/fst/,fstapi.o fastlz.o lz4.o)
$(B)/obj/fst/%.o: $(FST)/%.c
	@mkdir -p $(@D)
	$(CC) -O2 -g -fPIC -w -I$(FST) -DFST_CONFIG_INCLUDE='"fst_config.h"' -DHAVE_LIBPTHREAD -c $< -o $@
$(B)/obj/sim/%.o $(B)/obj/tests/test_trace.o $(B)/obj/tests/test_trace_%.o: CPPFLAGS += -I$(FST)

# --- the ports of the Verilog, as C structs: what model/ and tb/ are made of ---------------------------------
RTL       := $(patsubst rtl/%.sv,%,$(wildcard rtl/*.sv))
GENERATED := $(RTL:%=$(B)/generated/%_ports.h)
LARGEST   := WARPS=64 WARP_SIZE=64 LANES=16 LEVELS=16 CYCLIC=1 COLLECTORS=16 READ_PORTS=16 READ_LATENCY=100 \
             VTPO_LINES=8 GROUPS=64 SCALAR=1 ACTIVE=64 REGISTERS=64 PHYSICAL=4096 ENTRIES=256 TAG_BITS=30 OPCODE_BITS=16 \
             SCHEDULER=2 PC_POLICY=2 QUEUE_ENTRIES=16
$(B)/verilog_ports: $(wildcard tb/ports/*.[ch]) sim/error.c sim/error.h
	@mkdir -p $(@D)
	$(CC) -I. -D_GNU_SOURCE $(CFLAGS) $(LDFLAGS) $(WARN) $(filter %.c,$^) -o $@
$(B)/generated/%_ports.h: rtl/%.sv $(B)/verilog_ports
	@mkdir -p $(@D)
	$(B)/verilog_ports $< $(LARGEST) >$@

$(B)/obj/%.o: %.c | $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@

$(B)/libsim.a: $(call objects,sim) $(FST_OBJ)
$(B)/libmodel.a: $(call objects,model)
$(B)/libtb.a: $(call objects,tb tb/ports)
$(B)/libruntime.a: $(call objects,runtime)
$(B)/%.a:
	rm -f $@ && ar rcs $@ $^

FLOORS    := $(B)/libruntime.a $(B)/libtb.a $(B)/libmodel.a $(B)/libsim.a
FLOOR_LIB := -lyaml -ljansson -ldw -lelf -lz -lpthread -lm

$(B)/lockstep: $(call objects,lockstep) $(FLOORS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(FLOOR_LIB) -o $@

# --- the OpenCL driver that programs load: only what it needs, no simulator inside -------------------------
$(B)/obj/runtime/opencl/%.o $(B)/obj/runtime/protocol.o: CFLAGS += -fvisibility=hidden
$(B)/liblockstep_opencl.so: $(call objects,runtime/opencl) $(B)/obj/runtime/protocol.o
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) $^ -lpthread -o $@

# --- the kernel compiler: what needs LLVM is a library of its own, loaded when something is not in the cache ---
CC_FRONT := main compile build build_options cache clang_command edits includes llvm_library process program_directory \
            sanitizer text trouble vector_types
CC_FRONT := $(CC_FRONT:%=$(B)/obj/compiler/%.o)
$(B)/obj/compiler/%.o: CPPFLAGS += -I$(LLVM)/include
$(B)/lockstep-cc: $(CC_FRONT) $(B)/liblockstep_cc.so
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $(CC_FRONT) -lxxhash -o $@
$(B)/liblockstep_cc.so: $(filter-out $(CC_FRONT),$(call objects,compiler))
	$(CC) $(CFLAGS) $(LDFLAGS) -shared $^ -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang-14 -lLLVM-14 -ljansson -o $@

# --- what runs on the simulated machine: device library, math library, start-up code -----------------------
include runtime/device/device.mk

# --- benchmarks: ordinary OpenCL programs; those that read files write their own input, the same bytes everywhere --
BENCHMARKS := $(patsubst benchmarks/%/,%,$(sort $(dir $(wildcard benchmarks/*/*.c))))
BENCHMARK_PROGRAMS := $(foreach b,$(BENCHMARKS),$(B)/benchmarks/$(b))
BENCHMARK_DATA := $(B)/benchmarks/data/reduction.bin $(B)/benchmarks/data/hotspot_temperature.txt \
                  $(B)/benchmarks/data/hotspot_power.txt
$(B)/libhost.a: $(B)/obj/benchmarks/host.o
define benchmark_program
$(B)/benchmarks/$(1): $(call objects,benchmarks/$(1)) $(B)/libhost.a
	@mkdir -p $$(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $$^ -lOpenCL -lm -o $$@
endef
$(foreach b,$(BENCHMARKS),$(eval $(call benchmark_program,$(b))))
$(B)/benchmarks/data/reduction.bin: $(B)/benchmarks/reduction
	@mkdir -p $(@D)
	$< --generate $@
$(B)/benchmarks/data/hotspot_temperature.txt $(B)/benchmarks/data/hotspot_power.txt &: $(B)/benchmarks/hotspot
	@mkdir -p $(@D)
	$< --generate $(B)/benchmarks/data/hotspot_temperature.txt $(B)/benchmarks/data/hotspot_power.txt

# --- the models as a library ------------------------------------------------------------------------------------
include library/library.mk

# --- tests: one program per tests/test_*.c; test_opencl_*.c are OpenCL host programs' helpers, see tests/ ---
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/test_*.c))
$(B)/tests/%: $(B)/obj/tests/%.o $(FLOORS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lcmocka $(TEST_LIB) $(FLOOR_LIB) -o $@
$(B)/tests/test_arm_against_unicorn $(B)/tests/test_coalesce: TEST_LIB = -lunicorn
$(B)/tests/test_coalesce: $(B)/obj/tests/twin_run.o
$(addprefix $(B)/tests/,test_priority test_statements): $(B)/obj/tests/statement_cases.o
$(B)/tests/test_postdominators: $(addprefix $(B)/obj/compiler/,postdominators.o trouble.o)
$(B)/tests/test_arm_against_unicorn: $(addprefix $(B)/obj/tests/,arm_corner.o arm_coverage.o arm_sequence.o)
$(addprefix $(B)/tests/,test_command test_cc_command test_compare test_explain test_configurations test_readme test_end_to_end test_trace_run test_trace_exact test_bad_input test_injection test_diagnosis test_livelock test_policies test_uniform_run test_benchmarks test_coherence_document test_formal test_kernel_scenarios test_contract test_mutants test_rtl test_rtl_coprocessor test_rtl_own test_rtl_replace test_rtl_cache test_rtl_sizes test_rtl_lockstep test_scripts test_session test_sim_alone test_trace_document test_verilated_key): $(B)/obj/tests/spawn.o
$(addprefix $(B)/tests/,test_command test_cc_command test_compare test_explain test_configurations test_readme test_end_to_end test_trace_run test_trace_exact test_bad_input test_injection test_diagnosis test_livelock test_policies test_uniform_run test_rtl test_rtl_coprocessor test_rtl_own test_rtl_replace test_rtl_cache test_rtl_sizes): $(B)/obj/tests/fixture.o
REPORT := $(B)/obj/lockstep/report.o $(B)/obj/lockstep/run_record.o
$(B)/tests/test_pixel: $(B)/obj/runtime/opencl/pixel.o
$(B)/tests/test_registry: $(B)/obj/runtime/opencl/registry.o
$(B)/tests/test_report: TEST_LIB = $(REPORT) $(FLOORS)
$(B)/tests/test_report: | $(REPORT)
FIGURE := $(B)/obj/lockstep/figure.o $(B)/obj/lockstep/table.o
$(B)/tests/test_figures: TEST_LIB = $(FIGURE) $(FLOORS)
$(B)/tests/test_figures: $(B)/obj/tests/spawn.o | $(FIGURE)
$(addprefix $(B)/tests/,test_build test_host_limits): $(B)/obj/tests/spawn.o
$(B)/tests/test_host_limits: $(B)/obj/tests/fixture.o
include tests/oracle/oracle.mk
include tests/programs/programs.mk
# OpenCL host programs that tests run, which are brought up to date with them.
HOSTS := $(patsubst tests/hosts/%.c,$(B)/tests/hosts/%,$(wildcard tests/hosts/*.c))
$(B)/tests/hosts/%: $(B)/obj/tests/hosts/%.o $(B)/libhost.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -Wl,--as-needed -lOpenCL -lm -o $@
$(patsubst tests/%.c,$(B)/tests/%,$(shell grep -lE 'fixture_host|%s/tests/hosts' tests/test_*.c)): | $(HOSTS)
$(B)/bench/bench_arm_oracles: FLOOR_LIB += -lunicorn
BENCH := $(patsubst bench/%.c,$(B)/bench/%,$(wildcard bench/*.c))
$(B)/bench/%: $(B)/obj/bench/%.o $(FLOORS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(FLOOR_LIB) -o $@

# --- the coherence protocols as a document ---------------------------------------------------------------------
docs/coherence.md: $(wildcard model/moesi.[ch] model/directory*.[ch] model/coherence_document.c) | $(B)/tests/test_coherence_document
	COHERENCE_DOCUMENT=$@ $(B)/tests/test_coherence_document

# The same workloads in SystemC, for `make bench-kernel` only.
$(B)/bench/systemc/%: bench/systemc/%.cpp bench/systemc/bench.h
	@mkdir -p $(@D)
	g++ -O2 -std=c++17 -Wall -Wno-deprecated-declarations $< -lsystemc -o $@
SYSTEMC := $(patsubst bench/systemc/%.cpp,$(B)/bench/systemc/%,$(wildcard bench/systemc/*.cpp))

.PHONY: all generated setup run test tests test-long bench bench-kernel lint formal mutants coverage clean
all: $(B)/lockstep $(B)/lockstep-cc $(B)/liblockstep_opencl.so $(LIBRARY) $(DEVICE) $(BENCHMARK_PROGRAMS) $(BENCHMARK_DATA)

generated: $(GENERATED)
setup:
	@scripts/setup
run: setup
	@$(MAKE) --no-print-directory all
	@scripts/run
test: setup
	@$(MAKE) --no-print-directory all tests
	@B=$(B) scripts/test
tests: $(TESTS) $(HOSTS)
test-long: setup
	@$(MAKE) --no-print-directory all tests
	@B=$(B) LOCKSTEP_LONG=1 TEST_LIMIT_SECONDS=3600 scripts/test
bench: setup
	@$(MAKE) --no-print-directory all $(BENCH)
	@scripts/bench
bench-kernel:
	@scripts/setup --with systemc
	@$(MAKE) --no-print-directory $(B)/bench/bench_kernel $(SYSTEMC)
	@B=$(B) scripts/bench-kernel
lint: setup
	@scripts/lint
# BLOCK=warp_scheduler: of one block only.
formal: setup
	@B=$(B) scripts/formal $(BLOCK)
mutants: setup
	@B=$(B) scripts/mutants $(BLOCK)
coverage: setup
	@B=$(B) scripts/coverage $(BLOCK)
clean:
	rm -rf build build-san

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
