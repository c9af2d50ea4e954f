set pagination off
break program1.cl:9 if me == 37
continue
print sum
info threads 38
monitor barrier
monitor groups
monitor cycle
monitor last
reverse-stepi
stepi
delete
watch -l out[37]
continue
continue
reverse-continue
print out[37]
delete
break program1.cl:9 if me == 40
reverse-continue
print me
print tile[40]
stepi
print tile[40]
continue
monitor warps
delete
continue
