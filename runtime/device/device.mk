# Code that runs on the simulated machine (runtime/device/README.md), built with the kernel compiler's --library mode:
#   library.parts  OpenCL's built-in functions and the math library, linked into kernels as bitcode, by need
#   library_classic.parts  the same with newlib's classic log, exp and pow, which branch, instead of those by tables
#   builtins.a   helpers that code generation calls (division, conversions, memcpy), linked as objects, by need
#   twin_builtins.s  leads the twins' calls to those of them that have no priority operations
#   startup.o    the cores' start-up code, lockstep_startup
#   startup_unrolled.o  the same, its loop over contexts unrolled
#   half_builtins.h  declarations that clang lacks
#   lockstep_scalar.h  scalar kernels, for programs to include
DEVICE_DIR := runtime/device
DEVICE_B   := $(B)/device
DEVICE     := $(addprefix $(DEVICE_B)/,library.parts library_classic.parts builtins.a twin_builtins.s startup.o startup_unrolled.o half_builtins.h lockstep_scalar.h)
# A sanitized compiler (make SAN=1) still frees nothing before it ends, which is no error.
DEVICE_CC  := ASAN_OPTIONS=detect_leaks=0 $(B)/lockstep-cc
LLVM_TOOL   = $(LLVM)/bin/$(1)
DEVICE_TARGET := --target=armv7a-none-eabihf -mcpu=cortex-a7 -mfpu=vfpv3-d16 -mfloat-abi=hard -marm -ffreestanding -fomit-frame-pointer

# --- math library: newlib's sources as Debian ships them, unpacked into the build directory ---
NEWLIB_TAR := $(firstword $(wildcard /usr/src/newlib/newlib-*.tar.xz))
NEWLIB     := $(DEVICE_B)/newlib
# Functions of OpenCL and what they call. A name stands for its double and its float file.
NEWLIB_COMMON := exp exp2 exp_data log log_data log2 log2_data pow pow_log_data math_err \
  sf_exp sf_exp2 sf_exp2_data sf_log sf_log_data sf_log2 sf_log2_data sf_pow sf_pow_log2_data math_errf \
  sincosf sinf cosf sincosf_data $(foreach f,copysign expm1 finite fpclassify log1p modf nextafter remquo \
  rint round scalbn trunc,s_$(f) sf_$(f)) s_cbrt s_isnand sf_isnanf
NEWLIB_MATH := $(foreach f,acos acosh asin atan2 atanh cosh fmod hypot log10 remainder sinh,e_$(f) \
  ef_$(f)) $(foreach f,asinh atan ceil erf fabs floor frexp tanh,s_$(f) sf_$(f)) s_sin s_cos s_tan \
  e_rem_pio2 $(foreach f,rem_pio2 sin cos tan,k_$(f)) er_lgamma
NEWLIB_BC := $(NEWLIB_COMMON:%=$(DEVICE_B)/libm/common/%.bc) $(NEWLIB_MATH:%=$(DEVICE_B)/libm/math/%.bc)
NEWLIB_FLAGS := -I$(NEWLIB)/config -I$(NEWLIB)/newlib/libc/include -I$(NEWLIB)/newlib/libm/common \
  -D_LDBL_EQ_DBL -D__OBSOLETE_MATH_DEFAULT=0 -D_IEEE_LIBM -DWANT_ERRNO=0 -w

# newlib's configure would write two headers; its math library needs nothing of them.
$(NEWLIB)/unpacked: $(NEWLIB_TAR)
	$(call begin,UNPACK)
	@test -n "$(NEWLIB_TAR)" || { echo "no /usr/src/newlib/newlib-*.tar.xz: install newlib-source" >&2; exit 1; }
	@rm -rf $(NEWLIB) && mkdir -p $(NEWLIB)/config
	tar xf $< -C $(NEWLIB) --strip-components=1 --wildcards '*/newlib/libm/common/*' '*/newlib/libm/math/*' \
	  '*/newlib/libc/include/*'
	@touch $(NEWLIB)/config/newlib.h $(NEWLIB)/config/_newlib_version.h $@
$(DEVICE_B)/libm/%.bc: $(NEWLIB)/unpacked $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --library -o $@ $(NEWLIB)/newlib/libm/$*.c -- $(NEWLIB_FLAGS)

# newlib's classic functions under the names that the others call: by __OBSOLETE_MATH they are left out above.
CLASSIC      := exp log pow
CLASSIC_BC   := $(foreach f,$(CLASSIC),$(DEVICE_B)/classic/e_$(f).bc $(DEVICE_B)/classic/ef_$(f).bc) \
  $(DEVICE_B)/libm/common/s_nan.bc $(DEVICE_B)/libm/common/sf_nan.bc
REPLACED_BC  := $(foreach f,$(CLASSIC),$(DEVICE_B)/libm/common/$(f).bc $(DEVICE_B)/libm/common/sf_$(f).bc)
CLASSIC_FLAGS := $(subst MATH_DEFAULT=0,MATH=1,$(NEWLIB_FLAGS)) \
  $(foreach f,$(CLASSIC),-D__ieee754_$(f)=$(f) -D__ieee754_$(f)f=$(f)f)
$(DEVICE_B)/classic/%.bc: $(NEWLIB)/unpacked $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --library -o $@ $(NEWLIB)/newlib/libm/math/$*.c -- $(CLASSIC_FLAGS)

# --- our own sources ---
DEVICE_LIBRARY := $(patsubst $(DEVICE_DIR)/%,$(DEVICE_B)/%.bc,$(wildcard $(DEVICE_DIR)/*.cl)) \
  $(DEVICE_B)/work_item.c.bc $(DEVICE_B)/math_exact.c.bc
$(DEVICE_B)/%.bc: $(DEVICE_DIR)/% $(wildcard $(DEVICE_DIR)/*.h abi/*.h) $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --library -o $@ $< -- -fno-math-errno -I.

# Only OpenCL's (mangled) names stay visible, so that a kernel may call its own function `log` or `y1`. Visible ones
# are linkonce_odr: a linker takes them, like the internal ones, only where they are referenced.
$(DEVICE_B)/library.bc: $(DEVICE_LIBRARY) $(NEWLIB_BC)
$(DEVICE_B)/library_classic.bc: $(DEVICE_LIBRARY) $(filter-out $(REPLACED_BC),$(NEWLIB_BC)) $(CLASSIC_BC)
$(DEVICE_B)/library.bc $(DEVICE_B)/library_classic.bc:
	$(call begin,KERNEL)
	$(call LLVM_TOOL,llvm-link) $^ -o $(basename $@).linked.bc
	$(call LLVM_TOOL,llvm-nm) --defined-only --extern-only --format=just-symbols $(basename $@).linked.bc | grep '^_Z' >$(basename $@).public.txt
	$(call LLVM_TOOL,opt) -strip-debug -internalize -internalize-public-api-file=$(basename $@).public.txt -globalopt -globaldce \
	  -sroa -early-cse -simplifycfg -instcombine -S $(basename $@).linked.bc -o $(basename $@).small.ll
	sed 's/^define dso_local /define linkonce_odr dso_local /' $(basename $@).small.ll >$(basename $@).library.ll
	$(call LLVM_TOOL,llvm-as) $(basename $@).library.ll -o $@
$(DEVICE_B)/%.parts: $(DEVICE_B)/%.bc scripts/library-parts
	$(call begin,MAKE)
	scripts/library-parts $(LLVM) $(DEVICE_B)/$*.small.ll $(DEVICE_LIBRARY) >$@

$(DEVICE_B)/aeabi.o: $(DEVICE_B)/aeabi.c.bc
	$(call begin,CC)
	$(LLVM)/bin/clang $(DEVICE_TARGET) -O2 -ffunction-sections -c $< -o $@
# For twins the same without priority operations, under names of their own.
$(DEVICE_B)/aeabi_twin.o: $(DEVICE_B)/aeabi.c.bc
	$(call begin,CC)
	$(call LLVM_TOOL,llvm-dis) $< -o $(@D)/aeabi.ll
	sed '/asm sideeffect "mcr p7/d' $(@D)/aeabi.ll >$(@D)/aeabi_plain.ll
	$(LLVM)/bin/clang $(DEVICE_TARGET) -O2 -ffunction-sections -c $(@D)/aeabi_plain.ll -o $(@D)/aeabi_plain.o
	$(call LLVM_TOOL,llvm-nm) --defined-only --extern-only --format=just-symbols $(@D)/aeabi_plain.o | \
	  sed 's/.*/& __lockstep_plain_&/' >$(@D)/aeabi_names.txt
	$(call LLVM_TOOL,llvm-objcopy) --redefine-syms=$(@D)/aeabi_names.txt $(@D)/aeabi_plain.o $@
$(DEVICE_B)/twin_builtins.s: $(DEVICE_B)/aeabi_twin.o
	$(call begin,MAKE)
	sed -n 's/^\(__aeabi_[^ ]*\) \(.*\)/.set \1, \2/p' $(@D)/aeabi_names.txt >$@
$(DEVICE_B)/builtins.a: $(DEVICE_B)/aeabi.o $(DEVICE_B)/aeabi_twin.o
	$(call begin,AR)
	rm -f $@ && $(call LLVM_TOOL,llvm-ar) rcsD $@ $^

$(DEVICE_B)/half_builtins.h $(DEVICE_B)/lockstep_scalar.h: $(DEVICE_B)/%: $(DEVICE_DIR)/%
	$(call begin,MAKE)
	cp $< $@

$(DEVICE_B)/startup_%.o: $(DEVICE_DIR)/startup_%.S abi/launch_block.h
	$(call begin,CC)
	$(LLVM)/bin/clang $(DEVICE_TARGET) -I. -g -fdebug-compilation-dir=. -c $< -o $@
$(DEVICE_B)/startup_plan.o: $(DEVICE_DIR)/startup.c abi/launch_block.h
	$(call begin,CC)
	$(LLVM)/bin/clang $(DEVICE_TARGET) -std=gnu11 -O2 -I. -g -fdebug-compilation-dir=. -Wall -Wextra -c $< -o $@
$(DEVICE_B)/startup_four_groups.o: $(DEVICE_DIR)/startup_groups.S
	$(call begin,CC)
	$(LLVM)/bin/clang $(DEVICE_TARGET) -DUNROLLED -I. -g -fdebug-compilation-dir=. -c $< -o $@
$(DEVICE_B)/startup_unrolled.o: $(addprefix $(DEVICE_B)/startup_,plan.o four_groups.o mimd.o)
$(DEVICE_B)/startup.o: $(addprefix $(DEVICE_B)/startup_,plan.o groups.o mimd.o)
$(DEVICE_B)/startup.o $(DEVICE_B)/startup_unrolled.o:
	$(call begin,LINK)
	$(LLVM)/bin/ld.lld -r $^ -o $@

# --- for tests ---
# The start-up code alone, as it stands in memory at 0x10000.
$(DEVICE_B)/startup.bin: $(DEVICE_B)/startup.o
$(DEVICE_B)/startup_unrolled.bin: $(DEVICE_B)/startup_unrolled.o
$(DEVICE_B)/startup.bin $(DEVICE_B)/startup_unrolled.bin:
	$(call begin,LINK)
	$(LLVM)/bin/ld.lld -Ttext=0x10000 -e lockstep_startup --oformat binary $< -o $@

# The library's functions in a Linux program, to run under qemu-arm and compare with the host's: the same bitcode, but
# for the priority operations, which no Linux machine has.
DEVICE_TEST := $(B)/tests/device
$(DEVICE_TEST)/functions.cl.bc: tests/device/functions.cl runtime/device/half_builtins.h $(wildcard tests/device/*.def) $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --library -o $@ $< -- -w
$(DEVICE_TEST)/functions.o: $(DEVICE_TEST)/functions.cl.bc $(DEVICE_B)/library.bc
	$(call begin,KERNEL)
	$(call LLVM_TOOL,llvm-link) --only-needed $^ -o $(@D)/linked.bc
	$(call LLVM_TOOL,llvm-dis) $(@D)/linked.bc -o $(@D)/linked.ll
	sed '/asm sideeffect "mcr p7/d' $(@D)/linked.ll >$(@D)/plain.ll
	$(LLVM)/bin/clang $(DEVICE_TARGET) -O2 -ffunction-sections -w -c $(@D)/plain.ll -o $@
$(DEVICE_TEST)/aeabi.o: $(DEVICE_B)/aeabi.c.bc
	$(call begin,MAKE)
	$(call LLVM_TOOL,llvm-dis) $< -o $(@D)/aeabi.ll
	sed '/asm sideeffect "mcr p7/d' $(@D)/aeabi.ll >$(@D)/aeabi_plain.ll
	$(LLVM)/bin/clang $(DEVICE_TARGET) -O2 -ffunction-sections -w -c $(@D)/aeabi_plain.ll -o $@
$(DEVICE_TEST)/functions: $(DEVICE_TEST)/functions.o $(DEVICE_TEST)/aeabi.o tests/device/functions.c $(wildcard tests/device/*.def) tests/device/types.h
	$(call begin,LINK)
	arm-linux-gnueabihf-gcc -O1 -std=gnu11 -Wall -static -Wl,--gc-sections -Itests/device tests/device/functions.c \
	  $(filter %.o,$^) -o $@
# Kernels that run on the model itself.
$(DEVICE_TEST)/machine.img: tests/device/machine.cl $(DEVICE) $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --no-cache --library-dir=$(DEVICE_B) -o $@ $<

# The kernels of tests/kernels/concepts, compiled once (tests/lockstep/concept.h).
CONCEPT_IMAGES := $(patsubst tests/kernels/concepts/%.cl,$(B)/tests/concepts/%.img,$(wildcard tests/kernels/concepts/*.cl))
CONCEPT_PLAIN_IMAGES := $(CONCEPT_IMAGES:.img=.plain.img)
$(CONCEPT_IMAGES): $(B)/tests/concepts/%.img: tests/kernels/concepts/%.cl $(DEVICE) $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --no-cache --options=-w --library-dir=$(DEVICE_B) -o $@ $<
$(CONCEPT_PLAIN_IMAGES): $(B)/tests/concepts/%.plain.img: tests/kernels/concepts/%.cl $(DEVICE) $(B)/lockstep-cc
	$(call begin,KERNEL)
	$(DEVICE_CC) --no-cache '--options=-w -cl-opt-disable' --library-dir=$(DEVICE_B) -o $@ $<
