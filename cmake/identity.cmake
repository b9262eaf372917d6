# SPDX-License-Identifier: Apache-2.0
#
# cflr_identity(NAME): compiles a digest of all that decides what the front end says about a unit,
# so that facts that were kept by one build are not read by another (frontend/store/cache.c):
#
#     extern const char cflri_frontend_identity[];
#
# Sets ${NAME} to the generated source.
function(cflr_identity name)
  file(GLOB files CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/frontend/*.[ch] ${PROJECT_SOURCE_DIR}/frontend/*/*.[ch]
    ${PROJECT_SOURCE_DIR}/frontend/walk/*/*.[ch]
    ${PROJECT_SOURCE_DIR}/frontend/summaries/*.txt
    ${PROJECT_SOURCE_DIR}/base/*.[ch] ${PROJECT_SOURCE_DIR}/base/*/*.[ch]
    ${PROJECT_SOURCE_DIR}/include/cflr/*.h)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/identity_script.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/identity_script.cmake
    COMMENT "Identity of the front end" VERBATIM)
  set(${name} ${output} PARENT_SCOPE)
endfunction()
