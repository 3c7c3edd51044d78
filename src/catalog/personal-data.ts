import { sql } from '#platform/db.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/personal-data.ts';
import { eraseTrail } from '#platform/trail.ts';

/** Forms that were sent with the phone or the e-mail of the person. */
export const catalogData: PersonalData = {
  tables: {
    leads: {
      ...rowsOf(
        ({ phone, email }) => sql`
        select * from leads where phone = ${phone} or email = ${email} order by received_at, id`,
      ),
      async erase(tx, { phone, email }) {
        const rows = await tx.rows<{ id: string }>(sql`
          update leads set name = ${ERASED}, email = ${ERASED}, phone = null, company = null, message = null
          where phone = ${phone} or email = ${email} returning id`);
        await eraseTrail(
          tx,
          'lead',
          rows.map(({ id }) => id),
        );
      },
    },
  },
};
