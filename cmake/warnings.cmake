# SPDX-License-Identifier: Apache-2.0
#
# cflr_target(NAME): the flags that all targets of the project share.
function(cflr_target name)
  target_compile_features(${name} PUBLIC c_std_11)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_compile_options(${name} PRIVATE
    -Wall -Wextra -Wshadow -Wpedantic -Wstrict-aliasing=2 -Wvla -Wundef -Wwrite-strings
    -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wno-sign-conversion
    -fno-semantic-interposition # no symbol of the library is replaced when it is loaded
    $<$<BOOL:${CFLR_WERROR}>:-Werror>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  get_target_property(type ${name} TYPE)
  if(type MATCHES "LIBRARY")
    target_include_directories(${name}
      PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
  if(CFLR_SANITIZE)
    target_compile_options(${name} PUBLIC -fsanitize=${CFLR_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=${CFLR_SANITIZE})
  endif()
  if(CFLR_FUZZ)
    target_compile_options(${name} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
endfunction()
