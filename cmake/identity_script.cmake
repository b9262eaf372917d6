# SPDX-License-Identifier: Apache-2.0
#
# Run at build time by cflr_identity: the SHA-256 of the SHA-256 of each file, in sorted order.
list(SORT FILES)
set(digests "")
foreach(file ${FILES})
  file(SHA256 ${file} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 identity "${digests}")
file(WRITE ${OUTPUT}
  "#include \"${HEADER}\"\n\n"
  "const char cflri_${NAME}[] = \"${identity}\";\n")
