# SPDX-License-Identifier: Apache-2.0
#
# cflr_library(NAME SOURCES ... USES ... COMPILES_WITH ...): a library of the project, from objects
# that are compiled once, position independent and with hidden visibility:
#
#     NAME_objects -+-> NAME_static   for programs of this project that know internals: the command,
#                   |                 unit tests
#                   +-> NAME          what is installed: shared, with soname and symbol versions;
#                                     static without BUILD_SHARED_LIBS, and then the two are one
#
# USES: libraries of others, which no public header shows. COMPILES_WITH: what those that know
# internals are compiled with as well.
function(cflr_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;COMPILES_WITH")
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  cflr_target(${name}_objects)
  set_target_properties(${name}_objects PROPERTIES C_VISIBILITY_PRESET hidden)
  target_link_libraries(${name}_objects PRIVATE ${arg_USES} ${arg_COMPILES_WITH})

  add_library(${name} $<TARGET_OBJECTS:${name}_objects>)
  cflr_target(${name})
  target_link_libraries(${name} PRIVATE ${arg_USES})
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR})
  if(NOT BUILD_SHARED_LIBS)
    target_link_libraries(${name} PUBLIC ${arg_COMPILES_WITH})
    add_library(${name}_static ALIAS ${name})
    return()
  endif()
  target_link_libraries(${name} PRIVATE ${arg_COMPILES_WITH})
  # what is taken from an archive stays inside; the GPU's library lies beside this one
  # (engine/device/library.c)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/cflr.map)
  set_target_properties(${name} PROPERTIES BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN"
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/cflr.map)

  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
  cflr_target(${name}_static)
  target_link_libraries(${name}_static PUBLIC ${arg_COMPILES_WITH} PRIVATE ${arg_USES})
endfunction()
