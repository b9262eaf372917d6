# SPDX-License-Identifier: Apache-2.0
#
# cflr_identity(NAME HEADER PATTERN...): compiles a digest of all files with these patterns, below
# the root, so that what one build has kept is not read by another. HEADER declares it:
#
#     extern const char cflri_NAME[];
#
# Sets ${NAME} to the generated source.
function(cflr_identity name header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} -DHEADER=${header} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/identity_script.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/identity_script.cmake
    COMMENT "Identity: ${name}" VERBATIM)
  set(${name} ${output} PARENT_SCOPE)
endfunction()
