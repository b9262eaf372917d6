# SPDX-License-Identifier: Apache-2.0
#
# Shell completion, made from the option tables of the command that was built.
set(outputs "")
foreach(pair bash:cflr zsh:_cflr fish:cflr.fish)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 shell)
  list(GET pair 1 name)
  set(output ${PROJECT_BINARY_DIR}/completion/${shell}/${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion/${shell})
  add_custom_command(OUTPUT ${output}
    COMMAND sh -c "\"$0\" --dump-options | \"$1\" \"$2\" >\"$3\"" $<TARGET_FILE:cflr_command>
            ${PROJECT_SOURCE_DIR}/scripts/completion ${shell} ${output}
    DEPENDS cflr_command ${PROJECT_SOURCE_DIR}/scripts/completion
    COMMENT "Completion for ${shell}" VERBATIM)
  list(APPEND outputs ${output})
endforeach()
add_custom_target(completion ALL DEPENDS ${outputs})
install(FILES ${PROJECT_BINARY_DIR}/completion/bash/cflr
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completion/zsh/_cflr
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_BINARY_DIR}/completion/fish/cflr.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
