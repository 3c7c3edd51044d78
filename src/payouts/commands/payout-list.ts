import { findSellingMerchant } from '#catalog';
import { CommandFault } from '#platform/command-line/command.ts';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { type RenderedPayout, renderPayoutItem } from '../render.ts';
import { listedPayouts, PAYOUT_STATUSES } from '../store.ts';

export const PAYOUT_COLUMNS = {
  ID: ({ id }: RenderedPayout) => id,
  MERCHANT: ({ merchant }: RenderedPayout) => merchant,
  AMOUNT: ({ amount }: RenderedPayout) => amount.toFixed(2),
  STATUS: ({ status }: RenderedPayout) => status,
  DUE: ({ due_on }: RenderedPayout) => due_on,
  MADE: ({ created_at }: RenderedPayout) => shownInstant(created_at),
  'REFERENCE OR REASON': ({ reference, reason }: RenderedPayout) => reference ?? reason ?? '-',
};

export const payoutList = listingCommand({
  name: 'payout list',
  summary: 'show payouts of all merchants',
  options: {
    status: { value: 'STATUS', help: PAYOUT_STATUSES.join(', ') },
    merchant: { value: 'SLUG', help: 'of one merchant' },
  },
  examples: ['semana payout list --status pending'],
  async listing({ db }, args) {
    const status = choiceOf(args, 'status', PAYOUT_STATUSES);
    const slug = args.option('merchant');
    const merchant = slug === undefined ? undefined : await findSellingMerchant(db, slug);
    if (slug !== undefined && !merchant)
      throw new CommandFault(`There is no merchant '${slug}'. See 'semana export merchants'.`);
    return listedPayouts({ ...daysOf(args), status, merchantId: merchant?.id });
  },
  render: (rows) => rows.map(renderPayoutItem),
  columns: PAYOUT_COLUMNS,
});
