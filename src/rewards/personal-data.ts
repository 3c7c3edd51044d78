import { cents, toReais } from '#core/money.ts';
import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';
import { cashbackOwed } from './reading-store.ts';
import { openName, resealNames, sealName } from './store/invitations.ts';
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
      async find(db, { id }, vault) {
        const rows = await db.rows<{ invited_id: string; invited_name_sealed: Buffer }>(
          sql`select * from invitations where customer_id = ${id} order by invited_at`,
        );
        return rows.map(({ invited_name_sealed, ...row }) => ({
          ...row,
          invited_name: openName(vault, row.invited_id, invited_name_sealed),
        }));
      },
      /** The inviter's record has the person's masked name. */
      erase: (tx, { id }, vault) =>
        tx.run(sql`
          update invitations set invited_name_sealed = ${sealName(vault, id, ERASED)}
          where customer_id = (select referrer_id from referrers where customer_id = ${id}) and invited_id = ${id}`),
      reseal: resealNames,
    },
  },
  async owed(db, customerId) {
    const row = await db.row<{ owed: number }>(sql`select ${cashbackOwed(sql`${customerId}`)} as owed`);
    const owed = cents(row!.owed);
    if (owed <= 0) return [];
    return [
      {
        code: 'cashback_below_zero',
        en: 'The cashback is below zero.',
        pt: 'O saldo de cashback está negativo.',
        amount: toReais(owed),
      },
    ];
  },
};
