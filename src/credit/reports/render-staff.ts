import type { Static } from 'typebox';
import { nameCustomers } from '#customers';
import type { Queryable } from '#platform/database/db.ts';
import { shown } from '#platform/http/shown.ts';
import type { Subject } from '#platform/privacy/trail.ts';
import { planOffer } from '../offers/offer.ts';
import { renderItems } from '../offers/render-offer.ts';
import { type StaffOffer, StaffOfferItem } from '../offers/schemas.ts';
import { statusOf } from '../offers/states.ts';
import { findOffer, type OfferRow } from '../offers/store.ts';
import { type Merchants, showMerchants } from '../purchases/current-merchant.ts';
import { renderQuote } from '../purchases/quote.ts';
import type { ListedSale } from '../purchases/reading-store.ts';
import { renderListed, type View } from '../purchases/render-checkout.ts';
import type { OperatorCheckoutItem } from '../schemas.ts';
import type { ListedForOperator } from './staff-store.ts';

/** As in the wallet, with the customer. */
export async function renderListedForOperator(
  db: Queryable,
  rows: readonly ListedForOperator[],
  merchants: Merchants,
  view: View,
): Promise<Array<Static<typeof OperatorCheckoutItem>>> {
  const shown = await showMerchants<ListedSale>(rows, merchants);
  const rendered = shown.map((row, i) => ({
    ...renderListed(row, view),
    customer_id: row.customer_id,
    offer_id: row.offer_id,
    written_off_at: rows[i]!.written_off_at?.toISOString() ?? null,
  }));
  return nameCustomers(db, rendered);
}

export const renderOfferItem = (offer: OfferRow, now: Date): Static<typeof StaffOfferItem> => ({
  ...shown(StaffOfferItem, offer),
  status: statusOf(offer, now),
  merchant: { slug: offer.merchant_slug, name: offer.merchant_name },
});

export const renderStaffOffer = (offer: OfferRow, now: Date): Static<typeof StaffOffer> => ({
  ...renderOfferItem(offer, now),
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now)),
});

/** A transaction that closes it locks it. */
export const offerSubject = (now: Date): Subject<Static<typeof StaffOfferItem>> => ({
  kind: 'offer',
  async read(tx, id) {
    const offer = await findOffer(tx, id);
    return offer && renderOfferItem(offer, now);
  },
});
