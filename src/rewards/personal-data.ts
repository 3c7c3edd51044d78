import { eraseInvited } from '#events';
import { sql } from '#platform/db.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/personal-data.ts';
import { rewardsStory } from './story.ts';

export const rewardsData: PersonalData = {
  story: rewardsStory,
  tables: {
    cashback_movements: rowsOf(
      ({ id }) => sql`select * from cashback_movements where customer_id = ${id} order by position`,
    ),
    cashback_lots: rowsOf(
      ({ id }) => sql`select * from cashback_lots where customer_id = ${id} order by position`,
    ),
    referrers: rowsOf(({ id }) => sql`select * from referrers where customer_id = ${id}`),
    invitations: {
      ...rowsOf(({ id }) => sql`select * from invitations where customer_id = ${id} order by invited_at`),
      /** Whoever invited the person has their masked name: in the invitation, in the lines of its reward, and in the events. */
      async erase(tx, { id }) {
        const invitation = await tx.row<{ customer_id: string; invited_name: string }>(sql`
          select customer_id, invited_name from invitations
          where customer_id = (select referrer_id from referrers where customer_id = ${id}) and invited_id = ${id}`);
        if (!invitation) return;
        const { customer_id: referrerId, invited_name: name } = invitation;
        await tx.run(sql`
          update invitations set invited_name = ${ERASED} where customer_id = ${referrerId} and invited_id = ${id}`);
        await tx.run(sql`
          update cashback_movements set description = replace(description, ${name}, ${ERASED})
          where customer_id = ${referrerId} and position(${name} in description) > 0`);
        await eraseInvited(tx, referrerId, name);
      },
    },
  },
};
