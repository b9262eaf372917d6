# SPDX-License-Identifier: Apache-2.0
#
# Installed files: headers, libraries, command, pkg-config files, CMake package.
