/* SPDX-License-Identifier: Apache-2.0
 *
 * accounts.c: the memory of strata and of the result, by owner, as the public interface shows it.
 */
#include "base/sized.h"
#include "engine/results/result.h"

const char *cflr_owner_word(cflr_owner owner) {
#define WORD(name, number, word, text) [number] = word,
    static const char *const words[] = {CFLR_OWNER_LIST(WORD)};
#undef WORD
    return (unsigned)owner < CFLRI_OWNERS ? words[owner] : NULL;
}

const char *cflr_owner_text(cflr_owner owner) {
#define TEXT(name, number, word, text) [number] = text,
    static const char *const texts[] = {CFLR_OWNER_LIST(TEXT)};
#undef TEXT
    return (unsigned)owner < CFLRI_OWNERS ? texts[owner] : NULL;
}

size_t cflr_result_accounts(const cflr_result *result) {
    return result->n_accounts;
}

void cflr_result_get_account_sized(const cflr_result *result, size_t i,
                                   cflr_result_account *account, size_t struct_size) {
    const cflri_account *of = &result->account[i];
    const cflr_result_account known = {of->text,  of->all,  of->peak,    of->nodes,
                                       of->flows, of->sets, of->set_ids, of->tree_nodes};
    CFLRI_GIVE(account, struct_size, known);
}

uint64_t cflr_result_account_bytes(const cflr_result *result, size_t i, cflr_owner owner) {
    return (unsigned)owner < CFLRI_OWNERS ? result->account[i].bytes[owner] : 0;
}
