# SPDX-License-Identifier: Apache-2.0
#
# The library for several processes, cflr_mpi: where there is an MPI (an mpicc on the PATH, or
# MPI_HOME). Without one it is left out, and says so. The library is loaded at run time, so nothing
# links to it; what it shares of base/ it has for itself.
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "no MPI: the library for several processes is left out")
  return()
endif()
file(GLOB CFLR_MPI_SOURCES CONFIGURE_DEPENDS mpi/*.c)
add_library(cflr_mpi MODULE ${CFLR_MPI_SOURCES})
cflr_target(cflr_mpi)
set_target_properties(cflr_mpi PROPERTIES C_VISIBILITY_PRESET hidden)
target_link_libraries(cflr_mpi PRIVATE cflr_static MPI::MPI_C)
target_link_options(cflr_mpi PRIVATE -Wl,--exclude-libs,ALL
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/cflr.map)
install(TARGETS cflr_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
