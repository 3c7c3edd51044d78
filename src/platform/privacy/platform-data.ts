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
/** Removes tokens from a stored response, which may also be only the id from which the response is rebuilt. */
const removeTokens = (body: string): string =>
  body.startsWith('{')
    ? JSON.stringify(JSON.parse(body), (responseKey, value) =>
        TOKEN_FIELDS.has(responseKey) ? undefined : value,
      )
    : body;

export const platformPersonalData: PersonalData = {
  tables: definePersonalTables({
    // The tables of the entities erase their entries.
    audit_trail: {
      where: ({ id }) => sql`subject_kind = 'customer' and subject_id = ${id}`,
      orderBy: 'at, id',
      staffOnlyFields: ['reason'],
      render: ({ at, action, before, after, reason }) => ({ at, action, before, after, reason }),
    },
    // A response can concern a customer even if no customer was logged in. All rows expire within a day.
    idempotent_answers: {
      where: ({ id }) => sql`(customer_id = ${id} or (customer_id = '' and ${id} = any(about)))`,
      orderBy: 'created_at',
      render: renderStoredResponse,
      erase: 'delete',
    },
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
