# SPDX-License-Identifier: Apache-2.0
#
# Man pages. Of commands, where scdoc is found: docs/reference/man/<page>.<section>.scd, in which
# @common@, @extraction@ and @linking@ stand for the options that several commands share. Of formats
# and languages, where Python is found: the pages of docs/reference whose first line names a man
# page.
find_program(SCDOC scdoc)
if(NOT SCDOC)
  message(STATUS "scdoc is not there: no man pages")
  return()
endif()

set(sources ${PROJECT_SOURCE_DIR}/docs/reference/man)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${sources}/common.scd ${sources}/extraction.scd ${sources}/linking.scd)
file(READ ${sources}/common.scd common)
file(READ ${sources}/extraction.scd extraction)
file(READ ${sources}/linking.scd linking)
set(version ${PROJECT_VERSION})

# @primitives@: a table of the words of that list, and of their texts.
set(header ${PROJECT_SOURCE_DIR}/include/cflr/traverse.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(READ ${header} primitives)
string(REGEX MATCH "CFLR_PRIMITIVE_LIST\\(X\\)[^\n]*\n(    X\\([^\n]*\n)+" primitives
  "${primitives}")
string(REGEX REPLACE "CFLR_PRIMITIVE_LIST[^\n]*\n" "" primitives "${primitives}")
string(REGEX REPLACE "[^\n\"]*\"([^\n\"]*)\", \"([^\n\"]*)\"[^\n]*\n" "|[ *\\1*\n:[ \\2\n"
  primitives "${primitives}")

file(GLOB pages CONFIGURE_DEPENDS ${sources}/cflr*.scd)
set(outputs "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WLE) # cflr-solve.1
  string(REGEX REPLACE ".*\\." "" section ${name})
  set(text ${PROJECT_BINARY_DIR}/man/${name}.scd)
  set(output ${PROJECT_BINARY_DIR}/man/${name})
  configure_file(${page} ${text} @ONLY)
  add_custom_command(OUTPUT ${output}
    COMMAND sh -c "\"$0\" <\"$1\" >\"$2\"" ${SCDOC} ${text} ${output}
    DEPENDS ${text} COMMENT "Man page ${name}" VERBATIM)
  install(FILES ${output} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  list(APPEND outputs ${output})
endforeach()
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/reference/*.md)
foreach(page ${pages})
  file(STRINGS ${page} head LIMIT_COUNT 1)
  if(PYTHON3 AND head MATCHES "^<!-- ([a-z-]+)\\(([0-9])\\): ")
    set(name ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    set(output ${PROJECT_BINARY_DIR}/man/${name})
    set(convert ${PROJECT_SOURCE_DIR}/cmake/page_to_man.py)
    add_custom_command(OUTPUT ${output}
      COMMAND sh -c "\"$0\" -B \"$1\" \"$2\" \"$3\" >\"$4\"" ${PYTHON3} ${convert} ${version}
              ${page} ${output}
      DEPENDS ${page} ${convert} COMMENT "Man page ${name}" VERBATIM)
    install(FILES ${output} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${CMAKE_MATCH_2})
    list(APPEND outputs ${output})
  endif()
endforeach()
add_custom_target(manual ALL DEPENDS ${outputs})
