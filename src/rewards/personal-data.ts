import { cents, toReais } from '#core/values/money.ts';
import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { personalTables } from '#platform/privacy/personal-tables.ts';
import { cashbackOwed } from './reading-store.ts';
import { invitations } from './store/invitations.ts';
import { rewardsTimeline } from './timeline.ts';

export const rewardsPersonalData: PersonalData = {
  timeline: rewardsTimeline,
  tables: personalTables({
    cashback_movements: {
      orderBy: 'position',
      // The description of an adjustment is what a staff user wrote.
      eraseWhere: ({ id }) => sql`customer_id = ${id} and kind = 'adjusted'`,
      erase: { description: ERASED },
      auditTrail: { kind: 'cashback', id: 'customer_id' },
    },
    cashback_lots: { orderBy: 'position' },
    referrers: {},
    invitations: {
      orderBy: 'invited_at',
      columns: invitations,
      key: ['customer_id', 'invited_id'],
      // The invitation of the referrer has the masked name of the person.
      eraseWhere: ({ id }) =>
        sql`customer_id = (select referrer_id from referrers where customer_id = ${id}) and invited_id = ${id}`,
      erase: { invited_name_sealed: ERASED },
    },
  }),
  async listOpenDebts(db, customerId) {
    const row = await db.row<{ owed: number }>(sql`select ${cashbackOwed(sql`${customerId}`)} as owed`);
    const owed = cents(row!.owed);
    if (owed <= 0) return [];
    return [
      {
        code: 'cashback_below_zero',
        en: 'The cashback balance is negative.',
        pt: 'O saldo de cashback está negativo.',
        amount: toReais(owed),
      },
    ];
  },
};
