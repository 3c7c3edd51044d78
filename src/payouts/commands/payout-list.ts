import { findSellingMerchant } from '#catalog';
import { type Command, CommandFault, UsageFault } from '#platform/command.ts';
import { readingCommand, tableOf } from '#platform/command-reading.ts';
import { type RenderedPayout, renderPayout } from '../render.ts';
import { listPayouts, PAYOUT_STATUSES, type PayoutStatus } from '../store.ts';

const NEWEST = 100;

export const PAYOUT_COLUMNS = {
  ID: ({ id }: RenderedPayout) => id,
  MERCHANT: ({ merchant }: RenderedPayout) => merchant,
  AMOUNT: ({ amount }: RenderedPayout) => amount.toFixed(2),
  STATUS: ({ status }: RenderedPayout) => status,
  DUE: ({ due_on }: RenderedPayout) => due_on,
  'MADE (UTC)': ({ created_at }: RenderedPayout) => created_at.slice(0, 16).replace('T', ' '),
  'REFERENCE OR REASON': ({ reference, reason }: RenderedPayout) => reference ?? reason ?? '-',
};

export const payoutList: Command = readingCommand({
  name: 'payout list',
  summary: `show payouts, the newest ${NEWEST}`,
  options: {
    status: { value: 'STATUS', help: PAYOUT_STATUSES.join(', ') },
    merchant: { value: 'SLUG', help: 'of one merchant' },
  },
  examples: ['semana payout list --status pending'],
  async read({ db }, args) {
    const status = args.option('status') as PayoutStatus | undefined;
    if (status !== undefined && !PAYOUT_STATUSES.includes(status))
      throw new UsageFault(`--status is one of ${PAYOUT_STATUSES.join(', ')}.`);
    const slug = args.option('merchant');
    const merchant = slug === undefined ? undefined : await findSellingMerchant(db, slug);
    if (slug !== undefined && !merchant) throw new CommandFault(`There is no merchant '${slug}'.`);
    const filter = { status, merchantId: merchant?.id };
    const { total, payouts } = await listPayouts(db, filter, { offset: 0, limit: NEWEST });
    const records = payouts.map(renderPayout);
    return {
      records,
      text: tableOf(records, PAYOUT_COLUMNS, 'There are none.'),
      ...(total > NEWEST && { note: `The newest ${NEWEST} of ${total}.` }),
    };
  },
});
