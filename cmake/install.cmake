# SPDX-License-Identifier: Apache-2.0
#
# What is installed: headers, libraries, the command, pkg-config files and a CMake package. Static
# libraries have no shared ones beside them, so that what they need is in Libs, with or without
# `pkg-config --static`, and in the package's dependencies; shared ones find it by themselves. The front end is exported for itself: not every cflr has one.
include(CMakePackageConfigHelpers)

# cflr_install_library(TARGET EXPORT): files, and EXPORT.cmake that defines the target cflr::TARGET
function(cflr_install_library target export)
  install(TARGETS ${target} EXPORT ${export}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${export} NAMESPACE cflr:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cflr)
endfunction()

cflr_install_library(cflr cflrTargets)
set(cflr_libraries cflr)
if(CFLR_FRONTEND)
  cflr_install_library(cflr_frontend cflrFrontendTargets)
  list(APPEND cflr_libraries cflr_frontend)
endif()
install(DIRECTORY include/cflr ${PROJECT_BINARY_DIR}/include/cflr
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY grammars/ DESTINATION ${CMAKE_INSTALL_DATADIR}/cflr/grammars
  FILES_MATCHING PATTERN "*.cfg")
if(CFLR_CLI)
  install(TARGETS cflr_command DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES LICENSE CITATION.cff README.md CONTRIBUTING.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  # all pages, and those that they lead to
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench
    FILES_MATCHING PATTERN "*.md")
  install(FILES bench/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
  install(FILES python/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/python)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} # those of the installed library
    FILES_MATCHING PATTERN "*.c" PATTERN bugs EXCLUDE PATTERN editors EXCLUDE
    PATTERN own_primitive.c EXCLUDE)
  install(DIRECTORY examples/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/cflr)
  install(FILES python/examples/llvm_aliases.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/python/examples)
  include(manual)
  include(completion)
endif()

configure_package_config_file(cmake/cflrConfig.cmake.in ${PROJECT_BINARY_DIR}/cflrConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cflr)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cflrConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cflrConfig.cmake ${PROJECT_BINARY_DIR}/cflrConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cflr)

if(NOT BUILD_SHARED_LIBS)
  set(cflr_pc_requires "libzstd libxxhash liblzma zlib sqlite3")
  set(cflr_pc_libs "${OpenMP_C_FLAGS} -lm")
  set(cflr_frontend_pc_libs "-l${CMAKE_DL_LIBS}")
endif()
# Relative to the file itself, so that `cmake --install --prefix` and moved trees work.
file(RELATIVE_PATH cflr_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library ${cflr_libraries})
  configure_file(cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
