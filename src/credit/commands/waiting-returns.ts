import { ofMerchant } from '#catalog';
import { inReais } from '#core/money.ts';
import type { Events } from '#events';
import { instant, reais } from '#platform/command-line/cells.ts';
import { type ChangingContext, changingCommand } from '#platform/command-line/changing.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { readText } from '#platform/command-line/values.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { recordChange } from '#platform/privacy/trail.ts';
import { approveReturn, refuseReturn, waitingSubject } from '../returns/decide-return.ts';
import { renderWaitingForStaff } from '../returns/render-return.ts';
import type { RequestRefunds } from '../returns/return-purchase.ts';
import { findWaitingReturn, listedWaiting, WAITING_STATUSES } from '../returns/waiting-store.ts';

const RETURN_ID = { name: 'RETURN_ID', help: 'id of the return, see return list' };

export const returnList = listingCommand({
  name: 'return list',
  summary: 'show returns that wait or waited for finance',
  filters: { merchantId: ofMerchant, status: choice('STATUS', WAITING_STATUSES) },
  examples: ['semana return list --status waiting'],
  listing: listedWaiting,
  render: (rows) => rows.map(renderWaitingForStaff),
  columns: {
    ID: 'id',
    STATUS: 'status',
    MERCHANT: ({ merchant }) => merchant.slug,
    PURCHASE: 'checkout_hash',
    AMOUNT: reais('amount'),
    ASKED: instant('asked_at'),
    REASON: 'reason',
  },
});

export const returnApprove = (events: Events, requestRefunds: RequestRefunds) =>
  changingCommand({
    name: 'return approve',
    summary: 'let a return through that waits',
    positionals: [RETURN_ID],
    details:
      'It is made at once, as the merchant asked for it. If less is left of the purchase by now, it still waits.',
    examples: ['semana return approve ret_01kfx3c8gq5v0m7d2h9ynwztb4'],
    work: (context) =>
      decide(context, (tx, order) =>
        approveReturn(tx, order, { events, now: context.change.now, requestRefunds }),
      ),
    none,
    done: ({ amount, checkout_hash }) =>
      `${inReais(Math.round(amount * 100))} of purchase ${checkout_hash} are returned.`,
  });

export const returnRefuse = changingCommand({
  name: 'return refuse',
  summary: 'refuse a return that waits',
  positionals: [RETURN_ID],
  options: {
    reason: { value: 'TEXT', help: 'why, at most 200 characters; the merchant sees it', required: true },
  },
  details: 'Nothing moves.',
  examples: ['semana return refuse ret_01kfx3c8gq5v0m7d2h9ynwztb4 --reason "Combine o pagamento antes"'],
  work(context, args) {
    const reason = readText(args, 'reason', 200);
    const change = { ...context.change, reason };
    return decide({ ...context, change }, (tx, order) => refuseReturn(tx, order, reason, change));
  },
  none,
  done: (_refused, id) => `Return ${id} is refused.`,
});

async function decide(
  { db, id, change }: ChangingContext,
  work: (tx: CustomerTx, order: { id: string; by: string }) => Promise<void>,
) {
  const asked = await findWaitingReturn(db, id);
  if (!asked) return undefined;
  return customerTransaction(db, asked.customer_id, (tx) =>
    recordChange(tx, change, { of: waitingSubject(asked.customer_id), id }, () =>
      work(tx, { id, by: change.actor.id }),
    ),
  );
}

function none(id: string): string {
  return `There is no return '${id}' that waited; 'semana return list' shows them.`;
}
