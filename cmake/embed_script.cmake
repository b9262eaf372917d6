# SPDX-License-Identifier: Apache-2.0
#
# Run at build time by cflr_embed: writes each file as an array of bytes (no limit on its length,
# no escaping to get wrong) and a table of names in sorted order.
list(SORT FILES)
set(arrays "")
set(table "")
set(i 0)
foreach(file ${FILES})
  get_filename_component(stem ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REPEAT "." 80 line)
  string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
  string(APPEND arrays "static const char text_${i}[] = {\n    ${bytes}0x00};\n\n")
  string(APPEND table "    {\"${stem}\", text_${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"base/files/embedded.h\"\n\n${arrays}"
  "const cflri_embedded cflri_${NAME}[] = {\n${table}    {0, 0},\n};\n")
