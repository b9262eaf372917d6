# SPDX-License-Identifier: Apache-2.0
#
# cflr_find_python(VARIABLE MODULE...): a Python that has the modules. Those that Debian packages are
# there for its own /usr/bin/python3, which need not be the first on the PATH. Where neither of the
# two has them all it is the first, and what is run by it says what is missing.
find_program(PYTHON3 python3)
find_program(DEBIAN_PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH)

function(cflr_find_python variable)
  set(${variable} $CACHE{PYTHON3} PARENT_SCOPE)
  list(JOIN ARGN ", " modules)
  foreach(python $CACHE{PYTHON3} $CACHE{DEBIAN_PYTHON3})
    execute_process(COMMAND ${python} -c "import ${modules}"
      RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code EQUAL 0)
      set(${variable} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
