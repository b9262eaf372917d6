/* SPDX-License-Identifier: Apache-2.0
 *
 * layout.c: where the members of a record lie.
 *
 * libclang tells the offset of one member, but looks at all members of the record before it does
 * so, and at those of the records in it, each time: n * n for n members, and 2^n for n records that
 * hold the one before twice. So records are laid out here, once, as all C compilers do it:
 *
 *     offset of a member = end of the one before, rounded up to the alignment of the member's type
 *
 * Sizes and alignments of types are asked; libclang keeps those of a record. Three things move
 * members away from these places: an attribute of a member, an attribute of the record, and a bound
 * on all alignments (`#pragma pack`, -fpack-struct). libclang says whether there is an attribute,
 * not which. Some things are known without: no member has more alignment than the record, so a
 * bound that matters shows in that, and a record of alignment 1 has no gaps. The size and the
 * alignment of the whole must come out as libclang says. Where this is not so, and where there are
 * bit-fields, which each ABI puts elsewhere, the places are not known, and the caller asks for each
 * member.
 *
 * O(1) a member.
 */
#include "frontend/walk/names/layout.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t rounded_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

cflri_layout cflri_layout_begin(CXType record) {
    const CXCursor declaration = cflri_clang_getTypeDeclaration(record);
    long long align = cflri_clang_Type_getAlignOf(record);
    cflri_layout layout = {.record = record,
                           .is_union = declaration.kind == CXCursor_UnionDecl,
                           .bound = align > 0 ? (uint64_t)align : 1,
                           .align = 1};
    layout.known =
        layout.is_union || (align > 0 && (align == 1 || !cflri_clang_Cursor_hasAttrs(declaration)));
    return layout;
}

/* A member that has no size is an array at the end. */
static bool measure(CXType type, uint64_t *size, uint64_t *align) {
    long long bytes = 0;
    if (type.kind == CXType_IncompleteArray)
        type = cflri_clang_getArrayElementType(type);
    else
        bytes = cflri_clang_Type_getSizeOf(type);
    long long alignment = cflri_clang_Type_getAlignOf(type);
    *size = bytes > 0 ? (uint64_t)bytes : 0;
    *align = alignment > 0 ? (uint64_t)alignment : 1;
    return bytes >= 0 && alignment > 0;
}

uint64_t cflri_layout_next(cflri_layout *layout, CXCursor member) {
    uint64_t size, align;
    if (layout->is_union) return 0;
    if (!measure(cflri_clang_getCursorType(member), &size, &align) ||
        cflri_clang_Cursor_hasAttrs(member) || cflri_clang_Cursor_isBitField(member))
        layout->known = false;
    if (align > layout->align) layout->align = align;
    const uint64_t at = rounded_up(layout->end, least(align, layout->bound));
    layout->end = at + size;
    return at;
}

bool cflri_layout_end(const cflri_layout *layout) {
    if (layout->is_union || !layout->known) return layout->known;
    const long long size = cflri_clang_Type_getSizeOf(layout->record);
    return size >= 0 && least(layout->align, layout->bound) == layout->bound &&
           rounded_up(layout->end, layout->bound) == (uint64_t)size;
}
