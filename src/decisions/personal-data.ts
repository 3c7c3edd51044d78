import { sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';
import { eraseTrail } from '#platform/privacy/trail.ts';

export const decisionsData: PersonalData = {
  tables: {
    credit_decisions: {
      ...rowsOf(
        ({ id }) => sql`select * from credit_decisions where customer_id = ${id} order by decided_at, id`,
      ),
      forStaff: ['answered_by'],
      async erase(tx, { id }) {
        const rows = await tx.rows<{ id: string }>(sql`
          update credit_decisions set answer_reason = case when answer_reason is not null then ${ERASED} end
          where customer_id = ${id} returning id`);
        await eraseTrail(tx, 'credit_decision', pluck(rows, 'id'));
      },
    },
    credit_standings: rowsOf(({ id }) => sql`select * from credit_standings where customer_id = ${id}`),
    bureau_reports: {
      ...rowsOf(({ id }) => sql`select * from bureau_reports where customer_id = ${id} order by asked_at`),
      erase: (tx, { id }) => tx.run(sql`delete from bureau_reports where customer_id = ${id}`),
    },
  },
};
