# Lockstep. `make run` and `make test` install what is missing first; `make` alone builds everything into build/.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

B       := build
HASH    := \#
comma   := ,
CC      := gcc
CXX     := g++
ARCH    ?= native
CFLAGS  := -std=gnu11 -O3 -march=$(ARCH) -g -ffp-contract=off -fno-math-errno -fPIC
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wno-sign-conversion
CPPFLAGS = -I. -I$(B) -D_GNU_SOURCE -MMD -MP
LLVM    := /usr/lib/llvm-14

ifeq ($(SAN),thread) # data races between host threads (--threads), in a build of its own
B       := build-tsan
CFLAGS  := -std=gnu11 -O1 -march=$(ARCH) -g -ffp-contract=off -fno-math-errno -fPIC -fsanitize=thread
LDFLAGS += -fsanitize=thread
else ifdef SAN # address and undefined-behaviour sanitizers, in a build of their own
B       := build-san
CFLAGS  := -std=gnu11 -O1 -march=$(ARCH) -g -ffp-contract=off -fno-math-errno -fPIC \
           -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
# The first five compile and link programs of their own, without sanitizers, against what the build has made; three
# preload a library, which sanitizers want to be before; one limits the address space, of which they need all; the last
# copies its process (--trace-last), where a lock of the sanitizers' allocator may stay with a thread that is not copied.
export WITHOUT := test_install test_installed_pages test_extend test_mutants test_twin_faults test_gpu_memory test_python \
                  test_compiler_work test_host_limits test_last
else ifdef DEBUG # `make debug`: for gdb, in a build of its own
B       := build-debug
CFLAGS  := -std=gnu11 -Og -march=$(ARCH) -g3 -ffp-contract=off -fno-math-errno -fPIC
endif

# Recipes start with $(call begin,WORD): the target's folder is made; a line says what is made. V=1 shows the commands.
ifdef V
begin = @mkdir -p $(@D)
else ifdef BRIEF
.SILENT:
begin = mkdir -p $(@D)
else
.SILENT:
begin = $(info $(1)	$@)mkdir -p $(@D)
endif

# $(call keep,FILE,COMMAND): FILE in $(B) is what COMMAND prints, and keeps its time stamp while that is the same.
# Nothing is written where make only asks (make -q) or installs.
ASKS := $(findstring q,$(firstword -$(MAKEFLAGS)))$(filter install uninstall,$(MAKECMDGOALS))
keep = $(if $(ASKS),,$(shell mkdir -p $(dir $(B)/$(1)) && { $(2); } >$(B)/$(1).$$$$ && \
         if cmp -s $(B)/$(1).$$$$ $(B)/$(1); then rm $(B)/$(1).$$$$; else mv $(B)/$(1).$$$$ $(B)/$(1); fi))
# The compiler and its flags, with those that only some get, which every object depends on.
$(call keep,flags,echo '$(CC) $(CPPFLAGS:-I$(B)=) $(CFLAGS) $(WARN)'; \
  grep -hE 'FLAGS|-O[0-9]' Makefile runtime/device/device.mk library/library.mk)

# Lists that make themselves, from names of files. $(call list,NAME,FILES,PATTERN): $(B)/generated/NAME_list.h is
# X(VALUE) for each of FILES but NAME.c, which they share; VALUE is what % stands for in PATTERN.
values = $(sort $(patsubst $(3),%,$(filter-out $(1),$(basename $(notdir $(wildcard $(2)))))))
list = $(call keep,generated/$(1)_list.h,\
  echo '$(HASH)define $(shell echo $(1) | tr a-z A-Z)_LIST(X) $(patsubst %,X(%),$(values))')
$(call list,replacement,model/replacement/*.c,%)
$(call list,scheduler,model/scheduler/*.c,%_scheduler)
$(call list,core,model/core/*_kind.c,%_kind)
DIVERGENCE_SLOTS := $(filter-out %_ports.c,$(wildcard model/slots/divergence/*.c))
$(call list,divergence,model/sm/divergence_*.c $(DIVERGENCE_SLOTS),divergence_%)
$(call list,divergence_sm,model/sm/divergence_*.c,divergence_%)
$(call list,divergence_slot,$(DIVERGENCE_SLOTS),%)
$(call list,command,lockstep/commands/*_command.c,%_command)

# The own parameters of fillings (model/config/own_fields.h), NAME.fields beside NAME.c. $(call own,FIELD,FILES,PATTERN):
# those of the values of FIELD.
own = $(foreach f,$(sort $(wildcard $(2))),$(call own_of,$f,$(1),$(patsubst $(3),%,$(basename $(notdir $f)))))
own_of = printf '%s\n' '$(HASH)define FILLING $(3)' '$(HASH)define FILLING_NAME "$(3)"' \
  '$(HASH)define FILLING_NEEDS "$(2)=$(3)"' OWN_BEGIN '$(HASH)include "$(1)"' OWN_END \
  '$(HASH)undef FILLING' '$(HASH)undef FILLING_NAME' '$(HASH)undef FILLING_NEEDS';
$(call keep,generated/own_fields.h,\
  $(call own,simt.divergence,model/sm/divergence_*.fields model/slots/divergence/*.fields,divergence_%) \
  $(call own,simt.scheduler,model/scheduler/*_scheduler.fields,%_scheduler) \
  $(call own,core.kind,model/core/*_kind.fields,%_kind) :)

# The policies of warp schedulers that have Verilog besides warp_scheduler's round robin, rtl/NAME_scheduler.sv: X(NAME,
# CAPITALS) for each, and the structures of their ports.
SCHEDULER_TWINS := $(filter $(call values,scheduler,model/scheduler/*.c,%_scheduler),$(patsubst rtl/%_scheduler.sv,%,$(wildcard rtl/*_scheduler.sv)))
$(call keep,generated/scheduler_twins.h,\
  printf '$(HASH)include "generated/%s_scheduler_ports.h"\n' $(SCHEDULER_TWINS); \
  echo '$(HASH)define SCHEDULER_TWINS(X) $(foreach s,$(SCHEDULER_TWINS),X($s, $(shell echo $s | tr a-z A-Z)))')
# What library/face_models.h does not say of them.
scheduler_face = echo '$(HASH)ifndef $(2)_FACE_INIT'; \
  echo '$(HASH)define $(2)_FACE_INIT(d) warp_scheduler_init(&(d)->model, &scheduler_policy_$(1), (d)->WARPS, 1)'; \
  echo '$(HASH)define $(2)_FACE_LEAST .WARPS = 1'; echo '$(HASH)endif';
$(call keep,generated/scheduler_faces.h,\
  $(foreach s,$(SCHEDULER_TWINS),$(call scheduler_face,$s,$(shell echo $s | tr a-z A-Z)_SCHEDULER)) :)

# The random inputs of each module of rtl/: NAME_stimulus, in tb/stimulus/NAME.h or in a file of a module like it; in
# tb/stimulus/without_slot/NAME.h for a block that is in no machine.
RTL             := $(patsubst rtl/%.sv,%,$(wildcard rtl/*.sv))
WITHOUT_SLOT    := $(patsubst tb/stimulus/without_slot/%.h,%,$(wildcard tb/stimulus/without_slot/*.h))
$(call keep,generated/stimulus_list.h,\
  printf '$(HASH)include "tb/stimulus/%s.h"\n' $(filter $(RTL),$(patsubst tb/stimulus/%.h,%,$(wildcard tb/stimulus/*.h))) \
    $(WITHOUT_SLOT:%=without_slot/%); \
  echo '$(HASH)define STIMULUS_ROW_LIST(X) $(patsubst %,X(%),$(WITHOUT_SLOT))'; \
  echo '$(HASH)define STIMULUS_LIST(X) $(patsubst %,X(%),$(RTL))')

objects = $(patsubst %.c,$(B)/obj/%.o,$(filter-out tb/ports/main.c,$(wildcard $(addsuffix /*.c,$(1)))))

# --- the floors, each a library that knows only those below it ---
FST     := /usr/share/verilator/include/gtkwave
FST_OBJ := $(addprefix $(B)/obj/fst/,fstapi.o fastlz.o)
$(B)/obj/fst/%.o: $(FST)/%.c $(B)/flags
	$(call begin,CC)
	$(CC) -O2 -g -fPIC -w -I$(FST) -DFST_CONFIG_INCLUDE='"fst_config.h"' -DHAVE_LIBPTHREAD -Dfopen=trace_fst_fopen \
	  -c $< -o $@
$(FST)/%.c: # of a package: so far none of them may be installed
	echo 'packages are missing: scripts/setup installs them' >&2; exit 1
$(B)/obj/sim/%.o $(B)/obj/tests/sim/%.o: CPPFLAGS += -I$(FST)

# --- the ports of the Verilog, as C structs: what model/ and tb/ are made of ---
GENERATED := $(RTL:%=$(B)/generated/%_ports.h)
$(B)/verilog_ports: $(wildcard tb/ports/*.[ch]) sim/error.c sim/error.h sim/streams.c sim/streams.h $(B)/flags
	$(call begin,LINK)
	$(CC) -I. -D_GNU_SOURCE $(CFLAGS) $(LDFLAGS) $(WARN) $(filter %.c,$^) -lexpat -ljansson -o $@
$(B)/generated/%_ports.h: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports $< --largest >$@

# Position-independent, but nobody's function takes the place of one of the model's: calls within a file are inlined.
# Functions begin at lines of the host's cache: else a change in one moves the loops of others, which costs up to 5 %.
$(B)/obj/model/%.o: CFLAGS += -fno-semantic-interposition -falign-functions=64
# Two counters or times that lie side by side are not worth a vector: each is needed at once.
$(B)/obj/model/fast/%.o: CFLAGS += -fno-tree-slp-vectorize
$(B)/obj/%.o: %.c $(B)/flags | $(GENERATED)
	$(call begin,CC)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@

$(B)/libsim.a: $(call objects,sim) $(FST_OBJ)
$(B)/libabi.a: $(call objects,abi)
$(B)/librecording.a: $(call objects,recording)
$(B)/libmodel.a: $(call objects,model/* model/slots/*)
$(B)/libtb.a: $(call objects,tb/*)
$(B)/libruntime.a: $(call objects,runtime)
$(B)/libsynthesis.a: $(call objects,synthesis)
$(B)/%.a:
	$(call begin,AR)
	rm -f $@ && ar rcs $@ $^

FLOORS    := $(B)/libsynthesis.a $(B)/libruntime.a $(B)/libtb.a $(B)/libmodel.a $(B)/librecording.a $(B)/libabi.a $(B)/libsim.a
FLOOR_LIB := -lyaml -ljansson -lexpat -ldw -lelf -llz4 -lz -lxxhash -lpthread -lm
# For tests, each floor as a shared library, and the command: after a change of a floor no test is linked again.
FLOOR_SHARED := $(FLOORS:$(B)/lib%.a=$(B)/tests/lib%.so)
$(FLOOR_SHARED) $(B)/tests/libcommand.so: $(B)/tests/lib%.so: $(B)/lib%.a
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--whole-archive $< -Wl,--no-whole-archive \
	  -Wl,--as-needed $(COMMAND_LIB) $(FLOOR_LIB) -o $@

$(B)/obj/lockstep/commands/report_command.o: lockstep/commands/report_page.html
# Results of explorations name the commit (lockstep/run/origin.h).
$(call keep,commit,git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown)
# What only the command needs.
COMMAND_LIB := -lsqlite3
# Names the simulator in the keys of stored results (lockstep/explore/points.h): a hash of all that is linked but the
# reports of papers and explorations, whose words may change.
$(B)/obj/simulator_version.o: $(filter-out $(B)/obj/lockstep/figures/%.o \
                                $(patsubst %,$(B)/obj/lockstep/%.o,commands/report_command commands/figures_command \
                                  explore/searches explore/genetic), \
                                $(call objects,lockstep/*)) $(FLOORS)
	$(call begin,HASH)
	printf 'const char simulator_version[] = "%.32s";' "$$(cat $^ | sha256sum)" | $(CC) -x c - -c -o $@
$(B)/lockstep: $(call objects,lockstep/*) $(B)/obj/simulator_version.o $(FLOORS)
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(COMMAND_LIB) $(FLOOR_LIB) -o $@

# --- the OpenCL driver that programs load: only what it needs, no simulator inside ---
$(B)/obj/runtime/opencl/%.o $(B)/obj/runtime/protocol.o: CFLAGS += -fvisibility=hidden
$(B)/liblockstep_opencl.so: $(call objects,runtime/opencl) $(B)/obj/runtime/protocol.o
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) $^ -lpthread -o $@

# --- the kernel compiler: all but compiler/driver is a library, loaded when something is not in the cache ---
CC_FRONT := $(call objects,compiler/driver) \
            $(addprefix $(B)/obj/sim/,cache_folder.o error.o part.o stack_limit.o streams.o)
$(B)/obj/compiler/%.o: CPPFLAGS += -I$(LLVM)/include
$(B)/lockstep-cc: $(CC_FRONT) $(B)/liblockstep_cc.so
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $(CC_FRONT) -lxxhash -o $@
# Clang has no C interface beyond its syntax trees: one file of C++, compiled as LLVM was.
$(B)/obj/compiler/stages/clang_run.o: compiler/stages/clang_run.cc $(B)/flags
	$(call begin,CXX)
	$(CXX) -I. -isystem $(LLVM)/include -D_GNU_SOURCE -D__STDC_LIMIT_MACROS -MMD -MP -std=c++17 -O2 -fPIC -fno-rtti \
	  -fno-exceptions -Wall -Wextra -Wshadow -Wconversion -c $< -o $@
$(B)/libarm.a: $(call objects,model/arm)
$(B)/liblockstep_cc.so: $(filter-out $(CC_FRONT),$(call objects,compiler/*)) $(B)/obj/compiler/stages/clang_run.o \
                        $(B)/obj/abi/image_checksum.o $(B)/obj/abi/image_lines.o $(B)/libarm.a $(B)/libsim.a
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared $^ -Wl,--exclude-libs,ALL -L$(LLVM)/lib -l:libclang-cpp.so.14 -lclang-14 -lLLVM-14 \
	  -lstdc++ -ljansson -ldw -lelf -llz4 -lz -lpthread -lm -o $@

# --- what runs on the simulated machine: device library, math library, start-up code ---
include runtime/device/device.mk

# --- benchmarks: ordinary OpenCL programs; those that read files write their own input, the same bytes everywhere --
BENCHMARKS := $(patsubst benchmarks/%/,%,$(sort $(dir $(wildcard benchmarks/*/*.c))))
BENCHMARK_PROGRAMS := $(foreach b,$(BENCHMARKS),$(B)/benchmarks/$(b))
BENCHMARK_DATA := $(B)/benchmarks/data/reduction.bin $(B)/benchmarks/data/hotspot_temperature.txt \
                  $(B)/benchmarks/data/hotspot_power.txt
$(B)/libhost.a: $(addprefix $(B)/obj/benchmarks/,host.o vectors.o)
define benchmark_program
$(B)/benchmarks/$(1): $(call objects,benchmarks/$(1)) $(B)/libhost.a
	$$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $$^ -lOpenCL -lm -o $$@
endef
$(foreach b,$(BENCHMARKS),$(eval $(call benchmark_program,$(b))))
$(B)/benchmarks/data/reduction.bin: $(B)/benchmarks/reduction
	$(call begin,MAKE)
	$< --generate $@
$(B)/benchmarks/data/hotspot_temperature.txt $(B)/benchmarks/data/hotspot_power.txt &: $(B)/benchmarks/hotspot
	$(call begin,MAKE)
	$< --generate $(B)/benchmarks/data/hotspot_temperature.txt $(B)/benchmarks/data/hotspot_power.txt

# --- manual pages and what shells complete: from the help of the commands ---
PAGES := $(B)/man/lockstep.1 $(B)/man/lockstep-cc.1 $(B)/completion/lockstep $(B)/completion/_lockstep
$(B)/man/lockstep.1: MAN_TOPICS := rtl
$(B)/man/%.1: $(B)/% scripts/man-page
	$(call begin,MAN)
	scripts/man-page $< $(MAN_TOPICS) >$@
COMPLETED := $(B)/lockstep $(B)/lockstep-cc $(wildcard configs/*.yaml)
$(B)/completion/lockstep: scripts/completion scripts/completion.common scripts/completion.bash $(COMPLETED)
	$(call begin,MAKE)
	$< bash $(B) >$@
$(B)/completion/_lockstep: scripts/completion scripts/completion.common scripts/completion.zsh $(COMPLETED)
	$(call begin,MAKE)
	$< zsh $(B) >$@

# --- the models as a library ---
include library/library.mk

# --- tests: one program per test_*.c in tests/ROOM/; scripts/test-rules says what each links and needs ---
# They compile sooner and take as long.
$(B)/obj/tests/%.o: CFLAGS += -O1
TEST_SOURCES := $(wildcard tests/test_*.c tests/*/test_*.c)
TESTS        := $(addprefix $(B)/tests/,$(basename $(notdir $(TEST_SOURCES))))
# What stands above the floors: the command, a shared library as well, and what needs no model.
$(B)/libcommand.a: $(call objects,lockstep/*) $(B)/obj/simulator_version.o
$(B)/libparts.a: $(call objects,compiler/* runtime/opencl)
$(TESTS):
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(TEST_LINK) $(filter %.a,$^) -Wl,--as-needed $(filter %.so,$|) \
	  -Wl,-rpath,'$$ORIGIN' -lcmocka -lunicorn -lOpenCL $(FLOOR_LIB) -o $@
	{ printf '%s\n' $(TEST_READS) $(filter-out %.so,$|) && \
	  readelf -d $@ | sed -n 's|.*NEEDED.*\[\(lib.*\.so\)\]|$(B)/tests/\1|p'; } >$@.reads
include tests/oracle/oracle.mk
include tests/programs/programs.mk
# OpenCL host programs that tests run.
HOSTS := $(patsubst tests/hosts/%.c,$(B)/tests/hosts/%,$(wildcard tests/hosts/*.c))
$(B)/tests/hosts/%: $(B)/obj/tests/hosts/%.o $(B)/libhost.a
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -Wl,--as-needed -lOpenCL -lm -o $@
$(B)/bench/bench_arm_oracles: FLOOR_LIB += -lunicorn
$(B)/obj/bench/bench_commit.o: CPPFLAGS += -I$(B)/include
$(B)/bench/bench_commit: $(B)/obj/tests/library/commit_design.o $(LIBRARY_OBJECTS)
BENCH := $(patsubst bench/%.c,$(B)/bench/%,$(wildcard bench/*.c))
$(B)/bench/%: $(B)/obj/bench/%.o $(FLOORS)
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(FLOOR_LIB) -o $@

$(call keep,tests.mk,scripts/test-rules $(TEST_SOURCES))
-include $(B)/tests.mk

# --- the coherence protocols as a document, and timing diagrams of the blocks (scripts/block-page) ---
$(B)/docs/coherence $(B)/docs/block_wave: $(B)/docs/%: $(B)/obj/docs/%.o | $(FLOOR_SHARED)
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -Wl,--as-needed $| -Wl,-rpath,'$$ORIGIN/../tests' -o $@
docs/coherence.md: $(B)/docs/coherence
	$< >$@

# --- pictures of the pages, from text (graphviz: scripts/setup --with pictures) ---
.PHONY: pictures
pictures: $(patsubst %.dot,%.svg,$(wildcard docs/pictures/*.dot))
docs/pictures/%.svg: docs/pictures/%.dot
	dot -Tsvg $< >$@

# The same workloads in SystemC, for `make bench-kernel` only. SYSTEMC_HOME: folder of an installed SystemC; else
# Debian's package.
SYSTEMC_LIB := $(if $(SYSTEMC_HOME),$(firstword $(patsubst %/libsystemc.so,%,$(wildcard $(abspath $(SYSTEMC_HOME))/lib*/libsystemc.so))))
SYSTEMC_USE := $(if $(SYSTEMC_LIB),-isystem $(abspath $(SYSTEMC_HOME))/include -L$(SYSTEMC_LIB) -Wl$(comma)-rpath$(comma)$(SYSTEMC_LIB))
$(call keep,systemc_flags,echo '$(SYSTEMC_USE)')
$(B)/bench/systemc/%: bench/systemc/%.cpp bench/systemc/bench.h $(B)/systemc_flags
	$(call begin,MAKE)
	g++ -O2 -std=c++17 -Wall -Wno-deprecated-declarations $(SYSTEMC_USE) $< -lsystemc -o $@
SYSTEMC := $(patsubst bench/systemc/%.cpp,$(B)/bench/systemc/%,$(wildcard bench/systemc/*.cpp))

.PHONY: all generated setup run run-programs test tests check debug test-long bench bench-kernel figures docs synthesis-results lint formal mutants coverage clean
all: $(B)/lockstep $(B)/lockstep-cc $(B)/liblockstep_opencl.so $(LIBRARY) $(DEVICE) $(BENCHMARK_PROGRAMS) $(BENCHMARK_DATA) \
     $(PAGES)

# What sources include that git does not have.
generated: $(GENERATED) $(LIBRARY_HEADERS)
setup:
	@scripts/setup
# What scripts/run runs, and no more; a line instead of one a file.
RUN_BENCHMARKS := reduction hotspot mandelbrot
run-programs: $(B)/lockstep $(B)/lockstep-cc $(B)/liblockstep_opencl.so $(DEVICE) $(RUN_BENCHMARKS:%=$(B)/benchmarks/%) \
              $(BENCHMARK_DATA)
run: setup
	@echo 'building simulator, compiler, driver and three benchmarks into $(B)/ (from nothing: some minutes)'
	@$(MAKE) --no-print-directory BRIEF=1 run-programs
	@scripts/run
test: setup
	@$(MAKE) --no-print-directory all tests
	@B=$(B) scripts/test
tests: $(TESTS) $(HOSTS)
# T=NAME: one test, test_cache or cache; what it starts is built as well.
check: setup
	@[ -n "$(filter %/test_$(T:test_%=%),$(TESTS))" ] || \
	  { echo "make check: no test '$(T)': T=NAME names one, for example T=cache" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(if $(shell grep '/test_$(T:test_%=%): TEST_READS.* programs' $(B)/tests.mk),all) \
	  $(B)/tests/test_$(T:test_%=%)
	@B=$(B) ALL=1 scripts/test --filter $(T)
debug: setup
	@$(MAKE) --no-print-directory DEBUG=1 all tests
# SHARD=K/N or MINUTES=M: a share of it.
test-long: setup
	@$(MAKE) --no-print-directory all tests
	@B=$(B) scripts/test-long
bench: setup
	@$(MAKE) --no-print-directory all $(BENCH)
	@scripts/bench
bench-kernel:
	$(if $(SYSTEMC_HOME),$(if $(SYSTEMC_LIB),,@echo 'SYSTEMC_HOME=$(SYSTEMC_HOME): libsystemc.so is in no lib* of it' >&2; exit 1),@scripts/setup --with systemc)
	@$(MAKE) --no-print-directory $(B)/bench/bench_kernel $(SYSTEMC)
	@B=$(B) scripts/bench-kernel
# The papers' figures, into figures/.
figures: setup
	@$(MAKE) --no-print-directory all
	@B=$(B) scripts/figures
# The tables of all pages that a command prints, and the pages of the blocks.
docs: setup
	@$(MAKE) --no-print-directory all $(B)/tests/hosts/divergence $(B)/docs/block_wave
	@scripts/block-page --pages
	@B=$(B) scripts/docs
# Results of synthesis that are shipped (rtl/results.json): those that are missing. After a change of rtl/.
synthesis-results: setup
	@$(MAKE) --no-print-directory $(B)/lockstep
	$(B)/lockstep synthesis-results $(wildcard configs/*.yaml configs/explorations/*.yaml)
lint: setup
	@scripts/lint
# BLOCK=warp_scheduler: of one block only. Of mutants a share: SHARD=K/N, MINUTES=M.
formal: setup
	@B=$(B) scripts/formal $(BLOCK)
mutants: setup
	@B=$(B) scripts/mutants-all $(BLOCK)
coverage: setup
	@B=$(B) scripts/coverage $(BLOCK)
# For editors and clangd: how each file is compiled.
.PHONY: compile_commands.json
compile_commands.json:
	@$(MAKE) -nB V=1 all tests | scripts/compile-commands >$@
# Debian packages, in build-deb/deb/, for any x86-64 computer of the last 15 years: DEB_ARCH=native for this one.
.PHONY: deb
DEB_ARCH ?= x86-64-v2
deb:
	@scripts/setup --with deb
	@$(MAKE) --no-print-directory BRIEF=1 B=build-deb ARCH=$(DEB_ARCH) all
	@B=build-deb SOURCE_MAKE='$(MAKE) --no-print-directory BRIEF=1 B=build-deb ARCH=$(DEB_ARCH)' scripts/deb
clean:
	rm -rf build build-deb build-debug build-san build-tsan compile_commands.json

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
