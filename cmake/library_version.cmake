# SPDX-License-Identifier: Apache-2.0
#
# cflr_library_version(NAME HEADERS ... SOURCES ...): defines NAME in the sources, a digest of the
# headers that declare what a library that is loaded at run time and the one that loads it share.
# Both sides are compiled with it, so a library of other headers is refused
# (engine/device/library.c). A header that changes has the tree configured anew.
function(cflr_library_version name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES")
  file(GLOB headers CONFIGURE_DEPENDS ${arg_HEADERS} include/cflr/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(digests)
  foreach(header ${headers})
    file(SHA256 ${header} digest)
    string(APPEND digests ${digest})
  endforeach()
  string(SHA256 digest "${digests}")
  string(SUBSTRING ${digest} 0 8 digest)
  set_source_files_properties(${arg_SOURCES}
    PROPERTIES COMPILE_DEFINITIONS ${name}=0x${digest}u)
  set_property(GLOBAL PROPERTY ${name} 0x${digest}u) # for tests
endfunction()

cflr_library_version(CFLRI_DEVICE_VERSION HEADERS engine/traverse/*.h base/plain/*.h
  SOURCES engine/traverse/device.c gpu/traverse/device.cu)
cflr_library_version(CFLRI_BIT_DEVICE_VERSION
  HEADERS engine/closure/bits/*.h engine/sets/packed_format.h
  SOURCES engine/closure/bits/device.c gpu/closure/device.cu)
cflr_library_version(CFLRI_RANK_VERSION HEADERS engine/spine/*.h base/*.h
  SOURCES engine/ranks.c mpi/join.c)
