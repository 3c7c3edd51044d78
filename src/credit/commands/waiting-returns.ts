import { findSellingMerchant } from '#catalog';
import { inReais } from '#core/money.ts';
import type { Events } from '#events';
import { type Command, type CommandContext, CommandFault } from '#platform/command-line/command.ts';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { readText } from '#platform/command-line/values.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { approveReturn, refuseReturn, waitingSubject } from '../returns/decide-return.ts';
import { renderWaitingForStaff } from '../returns/render-return.ts';
import type { RequestRefunds } from '../returns/return-purchase.ts';
import { findWaitingReturn, listedWaiting, WAITING_STATUSES } from '../returns/waiting-store.ts';

const RETURN_ID = { name: 'RETURN_ID', help: 'id of the return, see return list' };

export const returnList = listingCommand({
  name: 'return list',
  summary: 'show returns that wait or waited for finance',
  options: {
    merchant: { value: 'SLUG', help: 'of one merchant' },
    status: { value: 'STATUS', help: WAITING_STATUSES.join(', ') },
  },
  examples: ['semana return list --status waiting'],
  async listing(context, args) {
    const slug = args.option('merchant');
    const merchant = slug === undefined ? undefined : await findSellingMerchant(context.db, slug);
    if (slug !== undefined && !merchant)
      throw new CommandFault(`There is no merchant '${slug}'. See 'semana export merchants'.`);
    const status = choiceOf(args, 'status', WAITING_STATUSES);
    return listedWaiting({ ...daysOf(args), status, merchantId: merchant?.id });
  },
  render: (rows) => rows.map(renderWaitingForStaff),
  columns: {
    ID: ({ id }) => id,
    STATUS: ({ status }) => status,
    MERCHANT: ({ merchant }) => merchant.slug,
    PURCHASE: ({ checkout_hash }) => checkout_hash,
    AMOUNT: ({ amount }) => amount.toFixed(2),
    ASKED: ({ asked_at }) => shownInstant(asked_at),
    REASON: ({ reason }) => reason,
  },
});

export const returnApprove = (events: Events, requestRefunds: RequestRefunds): Command => ({
  name: 'return approve',
  summary: 'let a return through that waits',
  positionals: [RETURN_ID],
  details:
    'It is made at once, as the merchant asked for it. If less is left of the purchase by now, it still waits.',
  examples: ['semana return approve ret_01kfx3c8gq5v0m7d2h9ynwztb4'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const now = context.clock.now();
    const made = await decide(context, id, 'return approve', undefined, (tx, by) =>
      approveReturn(tx, { id, by }, { events, now, requestRefunds }),
    );
    context.print(
      `${inReais(Math.round(made.amount * 100))} of purchase ${made.checkout_hash} are returned.`,
    );
  },
});

export const returnRefuse: Command = {
  name: 'return refuse',
  summary: 'refuse a return that waits',
  positionals: [RETURN_ID],
  options: {
    reason: { value: 'TEXT', help: 'why, at most 200 characters; the merchant sees it', required: true },
  },
  details: 'Nothing moves.',
  examples: ['semana return refuse ret_01kfx3c8gq5v0m7d2h9ynwztb4 --reason "Combine o pagamento antes"'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const reason = readText(args, 'reason', 200);
    const now = context.clock.now();
    await decide(context, id, 'return refuse', reason, (tx, by) =>
      refuseReturn(tx, { id, by }, reason, { now }),
    );
    context.print(`Return ${id} is refused.`);
  },
};

async function decide(
  context: CommandContext,
  id: string,
  name: string,
  reason: string | undefined,
  work: (tx: CustomerTx, by: string) => Promise<void>,
) {
  const asked = await findWaitingReturn(context.db, id);
  if (!asked)
    throw new CommandFault(`There is no return '${id}' that waited; 'semana return list' shows them.`);
  const change = { ...changeByCommand(context, name), reason };
  const decided = await customerTransaction(context.db, asked.customer_id, (tx) =>
    recordChange(tx, change, { of: waitingSubject(asked.customer_id), id }, () => work(tx, change.actor.id)),
  );
  return decided!;
}
