set pagination off
break program1.cl:9
continue
info threads
next
delete
watch *(int *) 0x60000094
continue
bt
stepi
monitor groups
delete
continue
