import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { personalTables } from '#platform/privacy/personal-tables.ts';

export const ledgerData: PersonalData = {
  tables: personalTables({
    ledger_postings: { orderBy: 'id' },
    ledger_entries: { orderBy: 'posting_id, line' },
  }),
};
