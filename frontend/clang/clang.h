/* SPDX-License-Identifier: Apache-2.0
 *
 * clang.h: libclang, loaded when the first unit is read.
 *
 * With LLVM behind it libclang maps 150 MB and takes 20 ms and 55 MB to be started, before anything
 * is parsed. So no program is linked with it: a pointer stands for each function, and a program
 * that reads no C never pays. It may be another release than the one that this was built with:
 * libclang keeps its C interface.
 *
 *     cflri_clang_getCursorSpelling(cursor)    clang_getCursorSpelling of clang-c/Index.h
 */
#ifndef CFLRI_CLANG_H
#define CFLRI_CLANG_H

#include <clang-c/Index.h>

#include "cflr/status.h"

/* clang-format off */
#define CFLRI_CLANG_FUNCTIONS(X)                                                                  \
    X(Cursor_Evaluate) X(Cursor_getArgument) X(Cursor_getMangling) X(Cursor_getNumArguments)      \
    X(Cursor_getOffsetOfField) X(Cursor_getStorageClass) X(Cursor_getVarDeclInitializer)          \
    X(Cursor_hasAttrs)                                                                            \
    X(Cursor_isAnonymousRecordDecl) X(Cursor_isBitField) X(Cursor_isNull) X(EvalResult_dispose)   \
    X(EvalResult_getAsLongLong) X(EvalResult_getKind) X(File_tryGetRealPathName)                  \
    X(Location_isInSystemHeader) X(PrintingPolicy_dispose) X(PrintingPolicy_setProperty)          \
    X(TargetInfo_dispose) X(TargetInfo_getPointerWidth) X(Type_getAlignOf) X(Type_getOffsetOf)    \
    X(Type_getSizeOf) X(Type_getValueType) X(Type_visitFields) X(createIndex)                     \
    X(disposeDiagnostic) X(disposeIndex)                                                          \
    X(disposeString) X(disposeTokens) X(disposeTranslationUnit) X(equalCursors) X(equalTypes)     \
    X(getArgType) X(getArrayElementType) X(getArraySize) X(getBinaryOperatorKindSpelling)         \
    X(getCString) X(getCanonicalCursor) X(getCanonicalType) X(getClangVersion)                    \
    X(getCursorBinaryOperatorKind) X(getCursorDefinition) X(getCursorExtent) X(getCursorLinkage)  \
    X(getCursorLocation) X(getCursorPrettyPrinted) X(getCursorPrintingPolicy)                     \
    X(getCursorReferenced) X(getCursorResultType) X(getCursorSemanticParent) X(getCursorSpelling) \
    X(getCursorType) X(getCursorUnaryOperatorKind) X(getCursorVisibility) X(getDiagnostic)        \
    X(getDiagnosticLocation) X(getDiagnosticSeverity) X(getDiagnosticSpelling)                    \
    X(getElementType) X(getExpansionLocation)                                                     \
    X(getFieldDeclBitWidth) X(getFile) X(getFileContents) X(getFileLocation) X(getFileName)       \
    X(getInclusions) X(getLocationForOffset) X(getNullCursor) X(getNumArgTypes)                   \
    X(getNumDiagnostics) X(getPointeeType) X(getRange) X(getSpellingLocation)                     \
    X(isConstQualifiedType)                                                                       \
    X(getRangeEnd) X(getRangeStart) X(getResultType) X(getToken) X(getTokenKind)                  \
    X(getTokenLocation) X(getTokenSpelling) X(getTranslationUnitCursor)                           \
    X(getTranslationUnitTargetInfo) X(getTypeDeclaration) X(getTypeSpelling) X(getTypedefName)    \
    X(getUnaryOperatorKindSpelling) X(getUnqualifiedType) X(isCursorDefinition)                   \
    X(isFunctionTypeVariadic) X(isStatement) X(isVolatileQualifiedType)                           \
    X(parseTranslationUnit2FullArgv) X(tokenize) X(visitChildren)
/* clang-format on */

#define CFLRI_DECLARE(name) extern __typeof__(&clang_##name) cflri_clang_##name;
CFLRI_CLANG_FUNCTIONS(CFLRI_DECLARE)
#undef CFLRI_DECLARE

/* Which libclang cflri_clang_load takes, as text that differs between releases: found without
 * loading it where it lies where it lay when this was built. */
cflr_status cflri_clang_identity(char *text, size_t size, cflr_error *error);

/* The path by which the compiler opened a file, made absolute, without `..`; symbolic links stay.
 * To be disposed of. */
CXString cflri_clang_path(CXFile file);

/* From now on the pointers point to functions. CFLR_UNAVAILABLE: there is no libclang, or it is too
 * old. Any thread, any number of times. */
cflr_status cflri_clang_load(cflr_error *error);

#endif
