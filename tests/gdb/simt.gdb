set pagination off
break program1.cl:9 if me == 37
continue
print me
print sum
print tile[36]
thread 3
print me
info threads 38
thread 38
watch -l out[37]
delete 1
continue
bt
stepi
info registers pc
monitor cycle
monitor barrier
monitor last
monitor nonsense
tbreak program1.cl:4
continue
delete
continue
