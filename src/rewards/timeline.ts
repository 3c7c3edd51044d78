import { formatReais } from '#core/values/money.ts';
import { sql } from '#platform/database/db.ts';
import {
  formatBrazilianDay,
  type ListTimeline,
  mergeTimelines,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { decryptName } from './store/invitations.ts';

type Movement = {
  total: number;
  amount_cents: number;
  balance_after_cents: number;
  description: string;
  checkout_hash: string | null;
  occurred_at: Date;
  expires_on: string | null;
};

const listMovements: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<Movement>(sql`
    select count(*) over () as total, amount_cents, balance_after_cents, description, checkout_hash, occurred_at, expires_on
    from cashback_movements where customer_id = ${customerId} order by position desc limit ${limit}`);
  return toTimelinePage(rows, (row) => {
    const change = row.amount_cents > 0 ? 'Ganhou' : 'Saíram';
    const until = row.expires_on === null ? '' : `, que vale até ${formatBrazilianDay(row.expires_on)}`;
    return {
      at: row.occurred_at,
      kind: 'cashback',
      ...(row.checkout_hash !== null && { checkout_hash: row.checkout_hash }),
      text:
        `${change} ${formatReais(Math.abs(row.amount_cents))} de cashback${until}: ${row.description}. ` +
        `Saldo: ${formatReais(row.balance_after_cents)}.`,
    };
  });
};

const listInvitations: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<{
    total: number;
    invited_id: string;
    invited_name_sealed: Buffer;
    invited_at: Date;
  }>(sql`
    select count(*) over () as total, invited_id, invited_name_sealed, invited_at from invitations
    where customer_id = ${customerId} order by invited_at desc, invited_id desc limit ${limit}`);
  return toTimelinePage(rows, ({ invited_id, invited_name_sealed, invited_at: at }) => ({
    at,
    kind: 'invitation',
    text: `${decryptName(db.vault, invited_id, invited_name_sealed)} se cadastrou com o convite deste cliente.`,
    masked: 'Alguém se cadastrou com o convite deste cliente.',
  }));
};

export const rewardsTimeline = mergeTimelines(listMovements, listInvitations);
