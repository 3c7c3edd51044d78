import { sql } from '../database/db.ts';
import { openAnswer } from '../http/idempotency.ts';
import { type PersonalData, rowsOf } from './personal-data.ts';
import { eraseTrail } from './trail.ts';

type KeptRow = {
  partnerId: string;
  customerId: string;
  key: string;
  created_at: Date;
  status: number;
  body: Buffer;
};

/** Tokens of a sign-up: their holder is logged in. */
const TOKENS = new Set(['token', 'refresh_token']);
/** An answer, or the id it is rebuilt from. */
const withoutTokens = (body: string): string =>
  body.startsWith('{')
    ? JSON.stringify(JSON.parse(body), (name, value) => (TOKENS.has(name) ? undefined : value))
    : body;

export const platformData: PersonalData = {
  tables: {
    audit_trail: {
      forStaff: ['reason'],
      ...rowsOf(
        ({ id }) => sql`
        select at, action, before, after, reason from audit_trail
        where subject_kind = 'customer' and subject_id = ${id} order by at, id`,
      ),
      erase: (tx, { id }) => eraseTrail(tx, 'customer', [id]),
    },
    // Even without a logged-in customer an answer can be about one. All rows expire within a day.
    idempotent_answers: {
      async find(db, { id }, vault) {
        const rows = await db.rows<KeptRow>(sql`
          select partner_id as "partnerId", customer_id as "customerId", key, created_at, status, body from idempotent_answers
          where customer_id = ${id} or (customer_id = '' and ${id} = any(about)) order by created_at`);
        return rows.map(({ created_at, status, body, ...name }) => ({
          created_at,
          status,
          body: withoutTokens(openAnswer(vault, name, body)),
        }));
      },
      erase: (tx, { id }) =>
        tx.run(sql`
          delete from idempotent_answers where customer_id = ${id} or (customer_id = '' and ${id} = any(about))`),
    },
    attempt_windows: {
      ...rowsOf(
        ({ subjects }) => sql`
        select kind, hits, reopens_at, forget_at from attempt_windows 
        where subject = any(${subjects}) or about = any(${subjects}) order by kind`,
      ),
      erase: (tx, { subjects }) =>
        tx.run(sql`
          delete from attempt_windows where subject = any(${subjects}) or about = any(${subjects})`),
    },
  },
};
