import { cents, formatReais, toReais } from '#core/values/money.ts';
import { sql } from '#platform/database/db.ts';
import {
  ERASED,
  formatBrazilianDay,
  type ListTimeline,
  mergeTimelines,
  type PersonalData,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { selectCashbackDebt } from './reading-store.ts';
import type { MovementRow } from './store/cashback.ts';
import { decryptName, invitationColumns } from './store/invitations.ts';

type TimelineRow = { total: number } & Pick<
  MovementRow,
  'amount_cents' | 'balance_after_cents' | 'description' | 'checkout_hash' | 'occurred_at' | 'expires_on'
>;

const listMovementTimeline: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<TimelineRow>(sql`
    select count(*) over () as total, amount_cents, balance_after_cents, description, checkout_hash, occurred_at, expires_on
    from cashback_movements where customer_id = ${customerId} order by position desc limit ${limit}`);
  return toTimelinePage(rows, (row) => {
    const changeText = row.amount_cents > 0 ? 'Ganhou' : 'Saíram';
    const expiryText = row.expires_on === null ? '' : `, que vale até ${formatBrazilianDay(row.expires_on)}`;
    return {
      at: row.occurred_at,
      kind: 'cashback',
      ...(row.checkout_hash !== null && { checkout_hash: row.checkout_hash }),
      text:
        `${changeText} ${formatReais(Math.abs(row.amount_cents))} de cashback${expiryText}: ${row.description}. ` +
        `Saldo: ${formatReais(row.balance_after_cents)}.`,
    };
  });
};

const listInvitationTimeline: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<{
    total: number;
    invited_id: string;
    invited_name_sealed: Buffer;
    invited_at: Date;
  }>(sql`
    select count(*) over () as total, invited_id, invited_name_sealed, invited_at from invitations
    where customer_id = ${customerId} order by invited_at desc, invited_id desc limit ${limit}`);
  return toTimelinePage(rows, ({ invited_id, invited_name_sealed, invited_at }) => ({
    at: invited_at,
    kind: 'invitation',
    text: `${decryptName(db.vault, invited_id, invited_name_sealed)} se cadastrou com o convite deste cliente.`,
    masked: 'Alguém se cadastrou com o convite deste cliente.',
  }));
};

export const rewardsPersonalData: PersonalData = {
  timeline: mergeTimelines(listMovementTimeline, listInvitationTimeline),
  tables: definePersonalTables({
    cashback_movements: {
      orderBy: 'position',
      // A staff user wrote the description of an adjustment.
      eraseWhere: ({ id }) => sql`customer_id = ${id} and kind = 'adjusted'`,
      erase: { description: ERASED },
      auditTrail: { kind: 'cashback', idColumn: 'customer_id' },
    },
    // Contains only ids, amounts and days: exported, but not erased. The same holds for `referrers`.
    cashback_lots: { orderBy: 'position' },
    referrers: {},
    invitations: {
      orderBy: 'invited_at',
      columns: invitationColumns,
      key: ['customer_id', 'invited_id'],
      // The row of the referrer has the masked name of the invited customer.
      eraseWhere: ({ id }) =>
        sql`customer_id = (select referrer_id from referrers where customer_id = ${id}) and invited_id = ${id}`,
      erase: { invited_name_sealed: ERASED },
    },
  }),
  async listOpenDebts(db, customerId) {
    const row = await db.row<{ owed: number }>(sql`select ${selectCashbackDebt(sql`${customerId}`)} as owed`);
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
