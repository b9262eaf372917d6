# SPDX-License-Identifier: Apache-2.0
#
# CFLRI_DEVICE_VERSION: a digest of the headers that declare what the library of a GPU and the one
# that loads it share. Both sides are compiled with it, so a library of other headers is refused
# (engine/device/library.c). A header that changes has the tree configured anew.
file(GLOB headers CONFIGURE_DEPENDS engine/traverse/*.h base/plain/*.h include/cflr/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set(digests)
foreach(header ${headers})
  file(SHA256 ${header} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 8 digest)
set_source_files_properties(engine/traverse/device.c gpu/traverse/device.cu
  PROPERTIES COMPILE_DEFINITIONS CFLRI_DEVICE_VERSION=0x${digest}u)
