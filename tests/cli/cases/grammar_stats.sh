cflr grammar stats fields.cfg && cflr grammar stats fields.cfg --format json
