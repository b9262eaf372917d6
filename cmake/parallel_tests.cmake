# SPDX-License-Identifier: Apache-2.0
#
# cflr_parallel_tests(NAME...): these tests run threads. Under ThreadSanitizer they need archer,
# which tells it what OpenMP's barriers order, and must not hear of the locks inside of OpenMP's own
# library, which is not built for it.
if(CFLR_SANITIZE MATCHES "thread")
  get_filename_component(_compiler ${CMAKE_C_COMPILER} REALPATH)
  get_filename_component(_compiler ${_compiler} DIRECTORY)
  find_library(ARCHER_LIBRARY archer HINTS ${_compiler}/../lib REQUIRED)
endif()

function(cflr_parallel_tests)
  if(CFLR_SANITIZE MATCHES "thread")
    set_tests_properties(${ARGV} PROPERTIES ENVIRONMENT
      "OMP_TOOL_LIBRARIES=${ARCHER_LIBRARY};TSAN_OPTIONS=ignore_noninstrumented_modules=1")
  endif()
endfunction()
