set pagination off
set print thread-events off
break program1.cl:10 if me == 37
continue
print me
print table
print table[3]
print sum
print round
print in[2]@4
monitor last
delete 1
watch -l table[3]
continue
print table[3]
reverse-continue
print table[3]
delete
continue
continue
