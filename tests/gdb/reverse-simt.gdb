set pagination off
break program1.cl:9 if me == 37
continue
reverse-stepi
info registers pc
reverse-next
print sum
reverse-next
continue
print sum
watch -l out[37]
continue
reverse-continue
print out[37]
print $pc
delete
reverse-stepi
stepi
print $pc
tbreak program1.cl:5 if me == 60
reverse-continue
thread
monitor cycle
reverse-continue
continue
monitor cycle
continue
