# The models as a library for other benches (docs/library.md): liblockstep.so, the headers that go with it, and for
# SystemVerilog a package of DPI functions and the models as modules, all made from the ports of the Verilog.
# Modules with DPI functions: those for which library/dpi_models.h says what is their model. A rival in a slot: the
# slot's model, and where that has the rival's flip-flops.
DPI := $(shell for m in $(RTL); do ! grep -qi "define $${m}_dpi_init\>" library/dpi_models.h || echo $$m; done)
DPI_MODEL_warp_scheduler          := warp_scheduler:q.round_robin
DPI_MODEL_greedy_oldest_scheduler := warp_scheduler:q.greedy_oldest
DPI_MODEL_two_level_scheduler     := warp_scheduler:q.two_level
DPI_MODEL_min_pc_arbiter          := warp_pc_arbiter:none
DPI_MODEL_first_ready_arbiter     := warp_pc_arbiter:none
LIBRARY_SONAME  := liblockstep.so.0
LIBRARY_HEADERS := $(wildcard $(addsuffix /*.h,library abi model/* sim tb tb/ports runtime))
LIBRARY_OBJECTS := $(call objects,library) $(DPI:%=$(B)/obj/library/dpi/%_dpi.o)
LIBRARY         := $(B)/$(LIBRARY_SONAME) $(B)/liblockstep.headers $(B)/lockstep.pc $(B)/dpi/lockstep_dpi.sv \
                   $(DPI:%=$(B)/dpi/%_model.sv)

# All headers that library/lockstep.h includes, generated ones, too.
$(B)/liblockstep.headers: $(LIBRARY_HEADERS) $(GENERATED)
	$(call begin,HEADERS)
	$(CC) -I. -I$(B) -D_GNU_SOURCE -MM library/lockstep.h | tr -s ' \\' '\n\n' | grep '\.h$$' >$@

# What those headers name, and the DPI functions, is exported, and nothing else.
$(B)/liblockstep.map: $(B)/liblockstep.headers $(LIBRARY_OBJECTS) $(FLOORS)
	$(call begin,MAP)
	nm -g --defined-only $(LIBRARY_OBJECTS) $(FLOORS) | awk 'NF == 3 { print $$3 }' | sort -u >$@.defined
	{ cat $$(cat $<) | grep -oE '[A-Za-z_][A-Za-z0-9_]*'; grep -E '_dpi(_|$$)' $@.defined; } | sort -u | \
	  comm -12 - $@.defined | { echo '{ global:'; sed 's/$$/;/'; echo 'local: *; };'; } >$@

$(B)/$(LIBRARY_SONAME): $(B)/liblockstep.map $(LIBRARY_OBJECTS) $(FLOORS)
	$(call begin,LINK)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F),--version-script=$<,--no-undefined,-Bsymbolic-functions \
	  $(LIBRARY_OBJECTS) -Wl,--whole-archive $(B)/libtb.a $(B)/libmodel.a $(B)/libsim.a -Wl,--no-whole-archive \
	  $(B)/libruntime.a $(B)/libabi.a $(FLOOR_LIB) -o $@

$(B)/lockstep.pc: library/lockstep.pc.in lockstep/command.h
	$(call begin,MAKE)
	sed "s/@VERSION@/$$(sed -n 's/.*LOCKSTEP_VERSION *"\(.*\)"/\1/p' lockstep/command.h)/" $< >$@

# --- a block's functions in C, their imports, and a module like the block that calls them ---
$(B)/library/dpi/%_dpi.c: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --functions=$(or $(DPI_MODEL_$*),$*:q) $< $(LARGEST) >$@
$(B)/obj/library/dpi/%_dpi.o: $(B)/library/dpi/%_dpi.c library/dpi_models.h $(B)/flags | $(GENERATED)
	$(call begin,CC)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@
$(B)/dpi/%_imports.sv: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --imports $< $(LARGEST) >$@
$(B)/dpi/%_model.sv: rtl/%.sv $(B)/verilog_ports
	$(call begin,PORTS)
	$(B)/verilog_ports --module $< $(LARGEST) >$@
$(B)/dpi/lockstep_dpi.sv: library/reference_imports.sv $(DPI:%=$(B)/dpi/%_imports.sv)
	$(call begin,PORTS)
	{ echo '// DPI functions of liblockstep.so (docs/library.md).'; echo 'package lockstep_dpi;'; cat $^; echo endpackage; } >$@

# --- installing: what `make` has built, by whoever may write there, who builds nothing ---
PREFIX  ?= /usr/local
ICDDIR  ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc/OpenCL/vendors
INSTALL  = PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' ICDDIR='$(ICDDIR)' B='$(B)' SONAME='$(LIBRARY_SONAME)' \
           DEVICE='$(DEVICE)' scripts/install
.PHONY: install uninstall
install:
	@$(MAKE) --no-print-directory -q all >/dev/null || { echo 'make install: run `make` first, as the user who builds' >&2; exit 1; }
	@$(INSTALL) install
uninstall:
	@$(INSTALL) uninstall
