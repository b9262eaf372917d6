# SPDX-License-Identifier: Apache-2.0
#
# The tarball: `cpack -G TGZ` in the build directory, of all that is installed, to be unpacked
# anywhere. With SOURCE_DATE_EPOCH two builds give the same bytes. Packages of Debian come from
# debian/, by scripts/package.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "cflr developers")
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME cflr-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
include(CPack)
