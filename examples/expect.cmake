# SPDX-License-Identifier: Apache-2.0
#
# Runs PROGRAM with OPERANDS and compares its standard output with the file EXPECTED.
execute_process(COMMAND ${PROGRAM} ${OPERANDS} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "exit code ${code}, printed:\n${printed}\nexpected:\n${expected}")
endif()
