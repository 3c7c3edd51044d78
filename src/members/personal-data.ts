import { hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { renderMember } from './members.ts';
import { eraseMembers, listByPhone, resealMembers } from './store.ts';

/** Who is a member of a merchant is found by the phone: they need not be a customer. */
export const membersData: PersonalData = {
  tables: {
    members: {
      find: async (db, { phone }, vault) =>
        (await listByPhone(db, phone)).map((row) => renderMember(vault, row)),
      // An active member cannot be erased: the merchant or the operator removes them first. The remaining data of removed members is
      // erased.
      erase: (tx, { phone }) => eraseMembers(tx, phone),
      reseal: resealMembers,
    },
    member_sessions: {
      find: (db, { phone }, vault) =>
        db.rows(sql`
          select s.member_id, s.id, s.partner_id, s.created_at, s.refresh_expires_at, s.ended_at, s.ended_reason
          from member_sessions s join members m on m.id = s.member_id
          where m.phone_hash = ${hashPhone(vault, phone)} order by s.created_at`),
    },
  },
};
