import { sql } from './db.ts';
import { type PersonalData, rowsOf } from './personal-data.ts';
import { eraseTrail } from './trail.ts';

/** What belongs to no module. */
export const platformData: PersonalData = {
  tables: {
    audit_trail: {
      ...rowsOf(
        ({ id }) => sql`
        select at, action, before, after, reason from audit_trail
        where subject_kind = 'customer' and subject_id = ${id} order by at, id`,
      ),
      erase: (tx, { id }) => eraseTrail(tx, 'customer', [id]),
    },
    // Where no customer is logged in, an answer can still be about one. Those of sign-ups are sealed, and gone in a day.
    idempotent_answers: {
      ...rowsOf(
        ({ id }) => sql`
        select created_at, status, body from idempotent_answers
        where customer_id = ${id} or (customer_id = '' and position(${id} in body) > 0) order by created_at`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`
          delete from idempotent_answers
          where customer_id = ${id} or (customer_id = '' and position(${id} in body) > 0)`),
    },
    attempt_windows: {
      ...rowsOf(
        ({ subjects }) => sql`
        select kind, hits, reopens_at, forget_at from attempt_windows where subject = any(${subjects}) order by kind`,
      ),
      erase: (tx, { subjects }) => tx.run(sql`delete from attempt_windows where subject = any(${subjects})`),
    },
  },
};
