import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import {
  buildLeadTokens,
  deleteFingerprint,
  hashContact,
  type LeadContent,
  type LeadRow,
  leads,
} from './leads/store.ts';

/** A customer's leads are those with the customer's phone or e-mail. An erasure makes the rest of their content `ERASED` or null too. */
export const catalogPersonalData: PersonalData = {
  tables: definePersonalTables({
    leads: {
      where: ({ phone, email }, vault) =>
        sql`(phone_hash = ${hashContact(vault, 'phone', phone)} or email_hash = ${hashContact(vault, 'email', email)})`,
      orderBy: 'received_at, id',
      columns: leads,
      key: ['id'],
      omitFromExport: ['tokens'],
      erase: { content_sealed: { email: ERASED }, phone_hash: null, email_hash: null, tokens: '{}' },
      async eraseRelated(tx, rows) {
        for (const { id } of rows) await deleteFingerprint(tx, id as string);
      },
      auditTrail: { kind: 'lead', idColumn: 'id' },
      rehash(vault, row) {
        const { tokens, ...lead } = row as LeadRow & LeadContent & { tokens: unknown[] };
        // Erased leads have no tokens and must not get any.
        if (tokens.length === 0) return {};
        return {
          phone_hash: hashContact(vault, 'phone', lead.phone),
          email_hash: hashContact(vault, 'email', lead.email),
          tokens: buildLeadTokens(vault, lead),
        };
      },
    },
  }),
};
