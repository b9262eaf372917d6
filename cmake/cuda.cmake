# SPDX-License-Identifier: Apache-2.0
#
# The GPU library, cflr_cuda: where there is a CUDA compiler (on the PATH, in CUDACXX, or in
# /usr/local/cuda). Without one it is left out, and says so. The library is loaded at run time, so
# nothing links to it.
include(CheckLanguage)
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "no CUDA compiler: the GPU library is left out")
  return()
endif()
enable_language(CUDA)
file(GLOB CFLR_CUDA_SOURCES CONFIGURE_DEPENDS gpu/*/*.cu)
add_library(cflr_cuda MODULE ${CFLR_CUDA_SOURCES})
target_include_directories(cflr_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_BINARY_DIR}/include)
set_target_properties(cflr_cuda PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
  CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden)
target_link_options(cflr_cuda PRIVATE -Wl,--exclude-libs,ALL
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/cflr.map)
install(TARGETS cflr_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
