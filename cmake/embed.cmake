# SPDX-License-Identifier: Apache-2.0
#
# cflr_embed(NAME FILE...): compiles text files into the library as
#
#     extern const struct cflri_embedded { const char *name; const char *text; } cflri_NAME[];
#
# ended by a NULL name (declared in base/files/embedded.h). Sets ${NAME} to the generated source.
function(cflr_embed name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} "-DFILES=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    COMMENT "Embedding ${name}" VERBATIM)
  set(${name} ${output} PARENT_SCOPE)
endfunction()
