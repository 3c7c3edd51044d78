import { sql } from '#platform/database/db.ts';
import { type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';

export const ledgerData: PersonalData = {
  tables: {
    ledger_postings: rowsOf(
      ({ id }) => sql`select * from ledger_postings where customer_id = ${id} order by id`,
    ),
    ledger_entries: rowsOf(
      ({ id }) => sql`select * from ledger_entries where customer_id = ${id} order by posting_id, line`,
    ),
  },
};
