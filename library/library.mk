# The models as a library for other benches (docs/library.md): liblockstep.so, the headers that go with it, and for
# SystemVerilog a package of DPI functions and the models as modules, all made from the ports of the Verilog.
# The model of each module of rtl/ and where that has the module's flip-flops; by default BLOCK:q.
DPI := $(RTL)
DPI_MODEL_warp_scheduler          := warp_scheduler:q.round_robin
$(foreach s,$(SCHEDULER_TWINS),$(eval DPI_MODEL_$s_scheduler := warp_scheduler:q.$s))
DPI_MODEL_min_pc_arbiter          := warp_pc_arbiter:none
DPI_MODEL_first_ready_arbiter     := warp_pc_arbiter:none
DPI_MODEL_exclusive_monitor       := exclusive_bank:q
$(foreach m,re_convergence_stack re_convergence_barriers second_level warp_formation_table warp_lookup harp_scheduler,\
  $(eval DPI_MODEL_$m := $m_cycle:q))
LIBRARY_SONAME  := liblockstep.so.0
LIBRARY_OBJECTS := $(call objects,library) $(DPI:%=$(B)/obj/library/blocks/%.o) $(B)/obj/library/blocks/all.o
LIBRARY_HEADERS := library/lockstep.h $(DPI:%=$(B)/include/lockstep/%.h) $(B)/include/lockstep/blocks.h
LIBRARY         := $(B)/$(LIBRARY_SONAME) $(LIBRARY_HEADERS) $(B)/lockstep.pc $(B)/dpi/lockstep_dpi.sv \
                   $(DPI:%=$(B)/dpi/%_model.sv)
LIBRARY_VERSION := $(shell sed -n 's/.*LOCKSTEP_VERSION *"\(.*\)"/\1/p' lockstep/commands/command.h)

# The library exports only the functions that the headers declare, and the DPI functions.
$(B)/liblockstep.map: $(LIBRARY_OBJECTS)
	$(call begin,MAP)
	{ echo 'LOCKSTEP_0 { global:'; nm -g --defined-only $^ | \
	  awk 'NF == 3 && ($$3 ~ /^lockstep_/ || $$3 ~ /_dpi_/) { print $$3 ";" }' | LC_ALL=C sort -u; echo 'local: *; };'; } >$@

$(B)/$(LIBRARY_SONAME): $(B)/liblockstep.map $(LIBRARY_OBJECTS) $(FLOORS)
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F),--version-script=$<,--no-undefined,-Bsymbolic-functions \
	  $(LIBRARY_OBJECTS) -Wl,--whole-archive $(B)/libtb.a $(B)/libmodel.a $(B)/libsim.a -Wl,--no-whole-archive \
	  $(B)/libruntime.a $(B)/libabi.a $(FLOOR_LIB) -o $@

$(B)/lockstep.pc: library/lockstep.pc.in lockstep/commands/command.h
	$(call begin,MAKE)
	sed "s/@VERSION@/$(LIBRARY_VERSION)/" $< >$@
$(B)/obj/library/lockstep.o: $(B)/commit
$(B)/obj/library/lockstep.o: CPPFLAGS += -DLIBRARY_VERSION='"$(LIBRARY_VERSION) ($(shell cat $(B)/commit 2>/dev/null))"'
$(call objects,library): $(LIBRARY_HEADERS)
$(call objects,library) $(B)/obj/library/blocks/%.o $(B)/obj/tests/library/%.o: CPPFLAGS += -I$(B)/include
$(call objects,tests/library) $(B)/obj/bench/bench_commit.o: | $(LIBRARY_HEADERS)

# --- a block's functions in C, their imports, and a module like the block that calls them ---
$(B)/library/blocks/%.c: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	{ $(if $(wildcard library/faces/$*.h),echo '$(HASH)include "library/faces/$*.h"';) \
	  $(B)/verilog_ports --functions=$(or $(DPI_MODEL_$*),$*:q) $< --largest; } >$@
$(B)/obj/library/blocks/%.o: $(B)/library/blocks/%.c library/face_models.h library/face.h $(B)/include/lockstep/%.h $(B)/flags | $(GENERATED)
	$(call begin,CC)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@
$(B)/include/lockstep/%.h: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --header $< --largest >$@
$(B)/include/lockstep/blocks.h: library/library.mk $(RTL:%=rtl/%.sv)
	$(call begin,MAKE)
	{ echo '/* All blocks. */'; printf '#include "lockstep/%s.h"\n' $(DPI); } >$@
$(B)/library/blocks/all.c: library/library.mk $(RTL:%=rtl/%.sv)
	$(call begin,MAKE)
	{ echo '#include "library/face.h"'; printf 'extern const struct face *const face_%s;\n' $(DPI); \
	  echo 'extern const struct face *const *const faces[];'; echo 'const struct face *const *const faces[] = {'; \
	  printf '    &face_%s,\n' $(DPI); echo '    NULL};'; } >$@
$(B)/obj/library/blocks/all.o: $(B)/library/blocks/all.c library/face.h $(B)/flags
	$(call begin,CC)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@
$(B)/dpi/%_imports.sv: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --imports $< --largest >$@
$(B)/dpi/%_model.sv: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --module $< --largest >$@
$(B)/dpi/lockstep_dpi.sv: library/reference_imports.sv library/commit_imports.sv $(DPI:%=$(B)/dpi/%_imports.sv)
	$(call begin,PORTS)
	{ echo '// DPI functions of liblockstep.so (docs/library.md).'; echo 'package lockstep_dpi;'; cat $^; echo endpackage; } >$@

# --- the Python module: our sources, the declarations of the headers for cffi, and a table of ports ---
PYTHON        := /usr/bin/python3
PYTHON_MODULE := $(patsubst library/python/%,$(B)/python/%,$(wildcard library/python/lockstep/*.py library/python/lockstep/py.typed)) \
                 $(B)/python/lockstep/_ffi.py $(B)/python/lockstep/_ports.py
LIBRARY += $(PYTHON_MODULE)
$(B)/python/lockstep/%: library/python/lockstep/%
	$(call begin,COPY)
	cp $< $@
# cffi does not touch a file that stays the same.
$(B)/python/lockstep/_ffi.py: library/python/make_ffi.py $(LIBRARY_HEADERS)
	$(call begin,MAKE)
	rm -f $@
	$(PYTHON) $< $@ $(DPI:%=$(B)/include/lockstep/%.h) library/lockstep.h >$(B)/python/log || { cat $(B)/python/log; exit 1; }
$(B)/python/ports/%: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --ports $< --largest >$@
$(B)/python/lockstep/_ports.py: $(DPI:%=$(B)/python/ports/%)
	$(call begin,PORTS)
	{ echo '# Of each block: parameters; whether it has a clock; kind, name, bits and elements of each signal.'; \
	  echo 'PORTS = {'; cat $^; echo '}'; } >$@

# --- SystemC: headers that a platform compiles, so that nothing of SystemC is needed here ---
LIBRARY += $(B)/systemc/lockstep_blocks.h
$(B)/systemc/lockstep_blocks.h: library/systemc/make_modules.py $(B)/python/lockstep/_ports.py
	$(call begin,PORTS)
	$(PYTHON) $^ >$@

# --- installing: copies files that `make` has built; needs the right to write there, and builds nothing ---
PREFIX  ?= /usr/local
ICDDIR  ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc/OpenCL/vendors
LIBDIR  ?= $(PREFIX)/lib
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
INSTALL  = LIBDIR='$(LIBDIR)' ZSHDIR='$(ZSHDIR)' PYTHON_MODULE='$(PYTHON_MODULE)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' ICDDIR='$(ICDDIR)' B='$(B)' SONAME='$(LIBRARY_SONAME)' \
           DEVICE='$(DEVICE)' BENCHMARK_PROGRAMS='$(BENCHMARK_PROGRAMS)' BENCHMARK_DATA='$(BENCHMARK_DATA)' scripts/install
.PHONY: install uninstall
install:
	@$(MAKE) --no-print-directory -q all >/dev/null || { echo 'make install: run `make` first, as the user who builds' >&2; exit 1; }
	@$(INSTALL) install
uninstall:
	@$(INSTALL) uninstall
