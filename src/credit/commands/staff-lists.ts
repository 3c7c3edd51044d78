import { ofMerchant } from '#catalog';
import { saoPauloDay } from '#core/day.ts';
import { ofCustomer } from '#customers';
import type { Events } from '#events';
import { instant, reais } from '#platform/command-line/cells.ts';
import { changeRecorded, changingCommand } from '#platform/command-line/changing.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { OFFER_STATUSES } from '../offers/states.ts';
import { findOffer } from '../offers/store.ts';
import { renderListed } from '../purchases/render-checkout.ts';
import { offerSubject, renderOfferItem } from '../reports/render-staff.ts';
import { listedCheckouts, listedOffers } from '../reports/staff-store.ts';
import { STATUSES } from '../schemas.ts';

export const checkoutList = listingCommand({
  name: 'checkout list',
  summary: 'show purchases of all customers',
  filters: {
    customerId: ofCustomer,
    merchantId: ofMerchant,
    status: choice('STATUS', STATUSES),
    writtenOff: { option: 'written-off', help: 'only those that are written off', read: () => true },
  },
  examples: ['semana checkout list --status overdue --merchant padaria-flor-do-trigo'],
  listing: (wanted, { clock }) => listedCheckouts(wanted, saoPauloDay(clock.now().getTime())),
  render: (rows, { clock }) =>
    rows.map((row) => ({
      ...renderListed({ ...row, merchant_logo_url: null }, { now: clock.now().getTime(), publicUrl: '' }),
      customer_id: row.customer_id,
      offer_id: row.offer_id,
      written_off_at: row.written_off_at?.toISOString() ?? null,
    })),
  columns: {
    HASH: 'hash',
    STATUS: ({ status, written_off_at, returned_at }) =>
      returned_at ? 'returned' : written_off_at ? `${status}, written off` : status,
    MERCHANT: ({ merchant }) => merchant.slug,
    CUSTOMER: 'customer_id',
    FINANCED: ({ amounts }) => amounts.financed.toFixed(2),
    'TOTAL DUE': ({ amounts }) => amounts.total_due.toFixed(2),
    BOUGHT: instant('purchased_at'),
  },
});

export const offerList = listingCommand({
  name: 'offer list',
  summary: 'show offers of all merchants',
  filters: { customerId: ofCustomer, merchantId: ofMerchant, status: choice('STATUS', OFFER_STATUSES) },
  examples: ['semana offer list --status pending'],
  listing: (wanted, { clock }) => listedOffers(wanted, clock.now()),
  render: (rows, { clock }) => rows.map((row) => renderOfferItem(row, clock.now())),
  columns: {
    ID: 'id',
    STATUS: 'status',
    MERCHANT: ({ merchant }) => merchant.slug,
    AMOUNT: reais('amount'),
    INSTALLMENTS: 'installments',
    PURCHASE: 'checkout_hash',
    MADE: instant('created_at'),
  },
});

export const offerCancel = (events: Events) =>
  changingCommand({
    name: 'offer cancel',
    summary: 'take an offer of any merchant back',
    positionals: [{ name: 'OFFER_ID', help: 'id of the offer, see offer list' }],
    details: 'Before it is accepted. Cancelling it again changes nothing.',
    examples: ['semana offer cancel off_01kfx3c8gq5v0m7d2h9ynwztb4'],
    work(context) {
      const { now } = context.change;
      return changeRecorded(context, offerSubject(now), async (tx, { id }) => {
        const { merchant_id: merchantId } = (await findOffer(tx, id))!;
        await cancelOffer(tx, { merchantId, offerId: id }, { events, now });
      });
    },
    none: (id) => `There is no offer '${id}'; 'semana offer list' shows them.`,
    done: ({ status }, id) => `Offer ${id} is ${status}.`,
  });
