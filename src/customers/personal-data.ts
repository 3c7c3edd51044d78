import type { Cpf } from '#core/values/cpf.ts';
import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { buildStoredIdentity } from './create-customer.ts';
import { ERASED_PHONE_HASH, hashPhone, type Identity, identityColumns } from './identity.ts';
import { phoneChanges } from './phone-changes/store.ts';
import { updateLookupHashes } from './store.ts';
import { customersTimeline } from './timeline.ts';

/** No person has this CPF: the check digits match, but numbers of eleven equal digits are not assigned. */
const ERASED_CPF = '00000000000' as Cpf;

export const customersPersonalData: PersonalData = {
  timeline: customersTimeline,
  tables: definePersonalTables({
    // The row stays, because the ledger refers to it. `markErased` clears its referral code later: the rule of
    // `customer_referral_codes` finds its row by this code.
    customers: {
      where: ({ id }) => sql`id = ${id}`,
      columns: identityColumns,
      key: ['id'],
      omitFromExport: ['password_hash', 'search_tokens'],
      erase: {
        // All other fields become ERASED.
        person_sealed: { cpf: ERASED_CPF },
        phone_hash: ERASED_PHONE_HASH,
        search_tokens: '{}',
        password_hash: null,
      },
      auditTrail: { kind: 'customer', idColumn: 'id', fields: ['phone_change', 'referral_code'] },
      rehash(vault, row) {
        // Erased customers have no lookup hashes.
        if (row.erased_at !== null) return {};
        const { phoneHash, searchTokens } = buildStoredIdentity(vault, row.id as string, row as Identity);
        return { phone_hash: phoneHash, search_tokens: searchTokens };
      },
      async rehashOtherTables(tx, vault, row) {
        if (row.erased_at !== null) return;
        const person = buildStoredIdentity(vault, row.id as string, row as Identity);
        await updateLookupHashes(tx, person, row.phone_hash as Buffer);
      },
    },
    customer_phones: {
      where: ({ phone, id }, vault) => sql`phone_hash = ${hashPhone(vault, phone)} and customer_id = ${id}`,
      erase: 'delete',
    },
    customer_cpfs: { erase: 'delete' },
    customer_referral_codes: {
      where: ({ id }) => sql`code = (select referral_code from customers where id = ${id})`,
      erase: 'delete',
    },
    phone_changes: { orderBy: 'asked_at, id', columns: phoneChanges, key: ['id'], erase: 'delete' },
    terms_acceptances: { orderBy: 'accepted_at', erase: { address: ERASED } },
    // An erasure ends all sessions but does not delete their rows: nodes must still learn that the sessions ended.
    sessions: { orderBy: 'created_at' },
    // The export has the times only, not the keyed hashes. The rows are deleted when all sessions end, so the erasure does not delete them.
    known_addresses: { orderBy: 'seen_at' },
    // Only ids and a time: exported, not erased.
    customer_partners: {},
    login_challenges: {
      where: ({ phoneHashes }) => sql`subject = any(${phoneHashes})`,
      render: ({ id, expires_at, tries, used_at }) => ({ id, expires_at, tries, used_at }),
      erase: 'delete',
    },
  }),
};
