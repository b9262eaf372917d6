cflr grammar check - <warned.cfg
