set pagination off
set print thread-events off
break program1.cl:10 if me == 101
continue
print me
print table
monitor cycle
continue
print round
delete
watch -l tile[37]
continue
delete
continue
