# The oracle (tests/oracle/oracle.h): an ARM Linux program, linked where the simulated machine has nothing, and the
# tests that have it run.
$(B)/tests/oracle_arm: tests/oracle/oracle_arm.c tests/oracle/oracle.h abi/memory_map.h
	$(call begin,LINK)
	arm-linux-gnueabihf-gcc -std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE -static -I. -Wl,-Ttext-segment=0x20000000 $< -o $@
$(B)/tests/oracle_state: tests/oracle/oracle_state_arm.c tests/oracle/oracle_state_gate.S tests/oracle/oracle_state.h
	$(call begin,LINK)
	arm-linux-gnueabihf-gcc -std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE -static -marm -march=armv7-a -mfpu=vfpv3-d16 -I. \
	  -Wl,-Ttext-segment=0x20000000,--no-warn-rwx-segments $(filter %.c %.S,$^) -o $@
