# Programs that run on the model and under qemu-arm (tests/programs/program.h): NAME-COMPILER-OPTIONS for each of
# PROGRAM_BUILDS. The compilers' own libraries are Thumb code: what code generation calls comes from the device
# library's aeabi.c, mathematics from newlib's sources (runtime/device/device.mk unpacks them).
PROGRAM_B      := $(B)/tests/programs
PROGRAM_NAMES  := integer float strings sort
PROGRAM_BUILDS := gcc-O0 gcc-O1 gcc-O2 gcc-O3 gcc-Os clang-O0 clang-O2 clang-Os
PROGRAM_LIBRARIES := gcc-O0 gcc-O2 gcc-O3 clang-O2
PROGRAM_FLAGS  := -std=gnu11 -marm -mfpu=vfpv3-d16 -mfloat-abi=hard -ffreestanding -fno-math-errno -fno-common -Itests/programs
PROGRAM_WARN   := -Wall -Wextra -Wshadow
PROGRAM_gcc    := arm-linux-gnueabihf-gcc
PROGRAM_clang  := clang-14 --target=armv7a-none-eabihf
PROGRAM_LINK   := arm-linux-gnueabihf-gcc -nostdlib -static -Wl,--gc-sections -Wl,--build-id=none
# -O3 with the division instructions, the others without.
program_cpu = $(if $(findstring O3,$(1)),-march=armv7ve,-march=armv7-a)

# Files of newlib's math library that programs need and the device library does not: kernels have other functions.
NEWLIB_WRAPPERS := sf_tan kf_tan e_sqrt ef_sqrt ef_rem_pio2 kf_rem_pio2 $(foreach f,acos acosh asin atan2 atanh cosh fmod hypot log10 remainder sinh sqrt,w_$(f) wf_$(f))
define program_build
$(PROGRAM_B)/$(1)/%.o: tests/programs/%.c tests/programs/program.h tests/programs/programs.mk
	$$(call begin,CC)
	$$(PROGRAM_$(2)) -$(3) $(call program_cpu,$(3)) $$(PROGRAM_FLAGS) $$(PROGRAM_WARN) -c $$< -o $$@
$(PROGRAM_B)/$(1)/aeabi.o: runtime/device/aeabi.c
	$$(call begin,CC)
	$$(PROGRAM_$(2)) -$(3) -march=armv7ve $$(PROGRAM_FLAGS) -fno-builtin -w -c $$< -o $$@
$(PROGRAM_B)/$(1)/libm.a: $(NEWLIB)/unpacked tests/programs/programs.mk runtime/device/device.mk
	$$(call begin,CC)
	rm -rf $$(@D)/libm && mkdir -p $$(@D)/libm
	cd $$(@D)/libm && $$(PROGRAM_$(2)) -$(3) $(call program_cpu,$(3)) $$(PROGRAM_FLAGS) -fno-builtin -ffp-contract=off \
	  -ffunction-sections $$(NEWLIB_FLAGS:-I%=-I$$(CURDIR)/%) -c \
	  $$(addsuffix .c,$$(NEWLIB_COMMON:%=$$(CURDIR)/$$(NEWLIB)/newlib/libm/common/%) $$(CURDIR)/$$(NEWLIB)/newlib/libm/common/sf_cbrt) \
	  $$(addprefix $$(CURDIR)/$$(NEWLIB)/newlib/libm/math/,$$(addsuffix .c,$$(NEWLIB_MATH) $$(NEWLIB_WRAPPERS)))
	rm -f $$@ && arm-linux-gnueabihf-ar rcsD $$@ $$(@D)/libm/*.o
$(PROGRAM_B)/%-$(1): $(addprefix $(PROGRAM_B)/$(1)/,%.o start.o aeabi.o)
	$$(call begin,LINK)
	$$(PROGRAM_LINK) $$^ -o $$@
endef
$(foreach b,$(PROGRAM_BUILDS),$(eval $(call program_build,$(b),$(word 1,$(subst -, ,$(b))),$(word 2,$(subst -, ,$(b))))))
$(addprefix $(PROGRAM_B)/functions-,$(PROGRAM_LIBRARIES)): $(PROGRAM_B)/functions-%: $(addprefix $(PROGRAM_B)/%/,functions.o start.o aeabi.o libm.a)
	$(call begin,LINK)
	$(PROGRAM_LINK) $^ -o $@
PROGRAMS := $(foreach b,$(PROGRAM_BUILDS),$(PROGRAM_NAMES:%=$(PROGRAM_B)/%-$(b))) \
  $(addprefix $(PROGRAM_B)/functions-,$(PROGRAM_LIBRARIES))
