set pagination off
break program1.cl:9
continue
reverse-stepi
reverse-stepi
info registers pc
stepi
stepi
info registers pc
delete
watch -l *(int *) 0x60000094
continue
reverse-continue
x/dw 0x60000094
delete
reverse-continue
continue
x/dw 0x60000094
continue
