# SPDX-License-Identifier: Apache-2.0
#
# Finds libclang 19 or newer: target LibClang19::LibClang, LibClang19_LIBRARY,
# LibClang19_INCLUDE_DIR. Older ones cannot tell `=` from `+` through the C API. Searched by file,
# because the CMake package of Debian cannot be asked for "19 or newer".
# -DCFLR_LLVM_DIR=/usr/lib/llvm-22 picks one, and no other is taken then. Nothing but CFLR_LLVM_DIR
# is cached: another one counts in a build directory that has found its own before.
set(CFLR_LLVM_DIR "" CACHE PATH "root of the LLVM to use, such as /usr/lib/llvm-19")
set(_versions 19 20 21 22 23)
set(_roots ${CFLR_LLVM_DIR})
if(NOT CFLR_LLVM_DIR)
  list(TRANSFORM _versions PREPEND /usr/lib/llvm- OUTPUT_VARIABLE _roots)
  list(APPEND _roots /usr /usr/local)
endif()
list(TRANSFORM _versions PREPEND clang- OUTPUT_VARIABLE _names)
set(LibClang19_LIBRARY LibClang19_LIBRARY-NOTFOUND)
set(LibClang19_INCLUDE_DIR LibClang19_INCLUDE_DIR-NOTFOUND)
foreach(_root ${_roots})
  set(_header ${_root}/include/clang-c/Index.h)
  if(NOT LibClang19_LIBRARY AND EXISTS ${_header})
    # the function came with 19
    file(STRINGS ${_header} _opcode REGEX "clang_Cursor_getBinaryOpcode")
    if(_opcode)
      find_library(LibClang19_LIBRARY NAMES clang ${_names} NO_CACHE NO_DEFAULT_PATH
        PATHS ${_root}/lib ${_root}/lib64 ${_root}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
      set(LibClang19_INCLUDE_DIR ${_root}/include)
    endif()
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang19
  REQUIRED_VARS LibClang19_LIBRARY LibClang19_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libclang-19-dev, or configure with -DCFLR_FRONTEND=OFF")
if(LibClang19_FOUND AND NOT TARGET LibClang19::LibClang)
  add_library(LibClang19::LibClang UNKNOWN IMPORTED)
  set_target_properties(LibClang19::LibClang PROPERTIES
    IMPORTED_LOCATION ${LibClang19_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibClang19_INCLUDE_DIR})
endif()
