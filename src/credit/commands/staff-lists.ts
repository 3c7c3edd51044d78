import { findSellingMerchant } from '#catalog';
import { saoPauloDay } from '#core/day.ts';
import { CUSTOMER_OPTION, customerOption } from '#customers';
import type { Events } from '#events';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandFault,
} from '#platform/command-line/command.ts';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { OFFER_STATUSES } from '../offers/states.ts';
import { findOffer } from '../offers/store.ts';
import { renderListed } from '../purchases/render-checkout.ts';
import { offerSubject, renderOfferItem } from '../reports/render-staff.ts';
import { listedCheckouts, listedOffers } from '../reports/staff-store.ts';
import { STATUSES } from '../schemas.ts';

const OPTIONS = {
  customer: CUSTOMER_OPTION,
  merchant: { value: 'SLUG', help: 'of one merchant' },
};

async function filterOf(context: CommandContext, args: Arguments) {
  const customerId = await customerOption(context, args);
  const slug = args.option('merchant');
  const merchant = slug === undefined ? undefined : await findSellingMerchant(context.db, slug);
  if (slug !== undefined && !merchant)
    throw new CommandFault(`There is no merchant '${slug}'. See 'semana export merchants'.`);
  return { ...daysOf(args), customerId, merchantId: merchant?.id };
}

export const checkoutList = listingCommand({
  name: 'checkout list',
  summary: 'show purchases of all customers',
  options: {
    ...OPTIONS,
    status: { value: 'STATUS', help: STATUSES.join(', ') },
    'written-off': { help: 'only those that are written off' },
  },
  examples: ['semana checkout list --status overdue --merchant padaria-flor-do-trigo'],
  async listing(context, args) {
    const status = choiceOf(args, 'status', STATUSES);
    const filter = { ...(await filterOf(context, args)), status };
    const writtenOff = args.has('written-off') ? true : undefined;
    return listedCheckouts({ ...filter, writtenOff }, saoPauloDay(context.clock.now().getTime()));
  },
  render: (rows, { clock }) =>
    rows.map((row) => ({
      ...renderListed({ ...row, merchant_logo_url: null }, { now: clock.now().getTime(), publicUrl: '' }),
      customer_id: row.customer_id,
      offer_id: row.offer_id,
      written_off_at: row.written_off_at?.toISOString() ?? null,
    })),
  columns: {
    HASH: ({ hash }) => hash,
    STATUS: ({ status, written_off_at, returned_at }) =>
      returned_at ? 'returned' : written_off_at ? `${status}, written off` : status,
    MERCHANT: ({ merchant }) => merchant.slug,
    CUSTOMER: ({ customer_id }) => customer_id,
    FINANCED: ({ amounts }) => amounts.financed.toFixed(2),
    'TOTAL DUE': ({ amounts }) => amounts.total_due.toFixed(2),
    BOUGHT: ({ purchased_at }) => shownInstant(purchased_at),
  },
});

export const offerList = listingCommand({
  name: 'offer list',
  summary: 'show offers of all merchants',
  options: { ...OPTIONS, status: { value: 'STATUS', help: OFFER_STATUSES.join(', ') } },
  examples: ['semana offer list --status pending'],
  listing: async (context, args) =>
    listedOffers(
      { ...(await filterOf(context, args)), status: choiceOf(args, 'status', OFFER_STATUSES) },
      context.clock.now(),
    ),
  render: (rows, { clock }) => rows.map((row) => renderOfferItem(row, clock.now())),
  columns: {
    ID: ({ id }) => id,
    STATUS: ({ status }) => status,
    MERCHANT: ({ merchant }) => merchant.slug,
    AMOUNT: ({ amount }) => amount.toFixed(2),
    INSTALLMENTS: ({ installments }) => String(installments),
    PURCHASE: ({ checkout_hash }) => checkout_hash ?? '-',
    MADE: ({ created_at }) => shownInstant(created_at),
  },
});

export const offerCancel = (events: Events): Command => ({
  name: 'offer cancel',
  summary: 'take an offer of any merchant back',
  positionals: [{ name: 'OFFER_ID', help: 'id of the offer, see offer list' }],
  details: 'Before it is accepted. Cancelling it again changes nothing.',
  examples: ['semana offer cancel off_01kfx3c8gq5v0m7d2h9ynwztb4'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const change = changeByCommand(context, 'offer cancel');
    const offer = await context.db.transaction((tx) =>
      recordChange(tx, change, { of: offerSubject(change.now), id }, async () => {
        const { merchant_id: merchantId } = (await findOffer(tx, id))!;
        await cancelOffer(tx, { merchantId, offerId: id }, { events, now: change.now });
      }),
    );
    if (!offer) throw new CommandFault(`There is no offer '${id}'; 'semana offer list' shows them.`);
    context.print(`Offer ${id} is ${offer.status}.`);
  },
});
