# The oracle (tests/oracle/oracle.h): an ARM Linux program, linked where the simulated machine has nothing, and the
# tests that have it run.
$(B)/tests/oracle_arm: tests/oracle/oracle_arm.c tests/oracle/oracle.h model/memory.h
	@mkdir -p $(@D)
	arm-linux-gnueabihf-gcc -std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE -static -I. -Wl,-Ttext-segment=0x20000000 $< -o $@
$(B)/tests/oracle_state: tests/oracle/oracle_state.c tests/oracle/oracle_state_gate.S tests/oracle/oracle_state.h
	@mkdir -p $(@D)
	arm-linux-gnueabihf-gcc -std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE -static -marm -march=armv7-a -mfpu=vfpv3-d16 -I. \
	  -Wl,-Ttext-segment=0x20000000,--no-warn-rwx-segments $(filter %.c %.S,$^) -o $@
$(B)/tests/test_arm_against_qemu: $(addprefix $(B)/obj/tests/,arm_corner.o arm_coverage.o arm_sequence.o spawn.o) | $(B)/tests/oracle_state
RANDOM_KERNELS := $(B)/tests/test_random_kernels $(B)/tests/test_random_kernels_pocl
$(RANDOM_KERNELS): $(addprefix $(B)/obj/tests/,random_batch.o random_expression.o random_jump.o random_kernel.o random_memory.o)
$(B)/tests/test_random_kernels_pocl: $(B)/obj/tests/pocl.o
$(B)/tests/test_random_kernels_pocl: TEST_LIB = $(FLOORS) -lOpenCL
$(B)/tests/test_program_launches: TEST_LIB = -Wl,--wrap=machine_run
$(RANDOM_KERNELS) $(B)/tests/test_statements: $(B)/obj/tests/kernel_run.o
$(addprefix $(B)/tests/,test_random_kernels test_statements): TEST_LIB = $(FLOORS)
$(RANDOM_KERNELS) $(addprefix $(B)/tests/,test_program_launches test_statements): $(addprefix $(B)/obj/tests/,oracle/oracle_run.o spawn.o) | $(B)/tests/oracle_arm
