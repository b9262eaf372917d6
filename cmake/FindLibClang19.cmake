# SPDX-License-Identifier: Apache-2.0
#
# Finds libclang 19 or newer: target LibClang19::LibClang. Older ones cannot tell `=` from `+`
# through the C API. Searched by file, because the CMake package of Debian cannot be asked for "19 or
# newer". -DCFLR_LLVM_DIR=/usr/lib/llvm-22 picks one.
set(CFLR_LLVM_DIR "" CACHE PATH "root of the LLVM to use, such as /usr/lib/llvm-19")
set(_roots ${CFLR_LLVM_DIR})
foreach(version 19 20 21 22 23)
  list(APPEND _roots /usr/lib/llvm-${version})
endforeach()
list(APPEND _roots /usr /usr/local)
foreach(root ${_roots})
  if(NOT LibClang19_LIBRARY AND EXISTS ${root}/include/clang-c/Index.h)
    file(STRINGS ${root}/include/clang-c/Index.h _minor REGEX "define CINDEX_VERSION_MINOR")
    string(REGEX MATCH "[0-9]+" _minor "${_minor}")
    # getBinaryOpcode came with 19; the 19 headers say 64 or more and declare it
    file(STRINGS ${root}/include/clang-c/Index.h _opcode REGEX "clang_Cursor_getBinaryOpcode")
    find_library(LibClang19_LIBRARY NAMES clang clang-19 clang-20 clang-21 clang-22
      HINTS ${root}/lib NO_DEFAULT_PATH)
    if(NOT _opcode)
      unset(LibClang19_LIBRARY CACHE)
    elseif(LibClang19_LIBRARY)
      set(LibClang19_INCLUDE_DIR ${root}/include CACHE PATH "")
      set(LibClang19_ROOT ${root} CACHE PATH "")
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
