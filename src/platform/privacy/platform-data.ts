import { sql } from '../database/db.ts';
import { decryptStoredResponse } from '../http/idempotency.ts';
import type { Vault } from '../vault.ts';
import type { PersonalData } from './personal-data.ts';
import { definePersonalTables, type Row } from './personal-tables.ts';

type StoredResponseRow = {
  partner_id: string;
  customer_id: string;
  key: string;
  created_at: Date;
  status: number;
  body: Buffer;
};

/** Tokens in the response of a sign-up, with which the customer is logged in. */
const TOKEN_FIELDS = new Set(['token', 'refresh_token']);
/** Removes tokens from the stored body, which is either JSON or only the id from which the response is rebuilt. */
const removeTokens = (body: string): string =>
  body.startsWith('{')
    ? JSON.stringify(JSON.parse(body), (field, value) => (TOKEN_FIELDS.has(field) ? undefined : value))
    : body;

export const platformPersonalData: PersonalData = {
  tables: definePersonalTables({
    // No `erase`: the rule of each audited table also erases the personal data in the audit entries about its rows.
    audit_trail: {
      where: ({ id }) => sql`subject_kind = 'customer' and subject_id = ${id}`,
      orderBy: 'at, id',
      staffOnlyFields: ['reason'],
      render: ({ at, action, before, after, reason }) => ({ at, action, before, after, reason }),
    },
    // If no customer was logged in, `about` has the ids of the customers that the response concerns. All rows expire within a day.
    idempotent_answers: {
      where: ({ id }) => sql`(customer_id = ${id} or (customer_id = '' and ${id} = any(about)))`,
      orderBy: 'created_at',
      render: renderStoredResponse,
      erase: 'delete',
    },
    // `subject` is the key by which attempts are counted; `about` is the hash of the phone number that they concern.
    attempt_windows: {
      where: ({ phoneHashes }) => sql`(subject = any(${phoneHashes}) or about = any(${phoneHashes}))`,
      orderBy: 'kind',
      render: ({ kind, hits, reopens_at, forget_at }) => ({ kind, hits, reopens_at, forget_at }),
      erase: 'delete',
    },
  }),
};

function renderStoredResponse(row: Row, vault: Vault) {
  const { created_at, status, customer_id, partner_id, key, body } = row as StoredResponseRow;
  const responseKey = { customerId: customer_id, partnerId: partner_id, key };
  return { created_at, status, body: removeTokens(decryptStoredResponse(vault, responseKey, body)) };
}
