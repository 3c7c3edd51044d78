import type { Static } from 'typebox';
import { addCustomerNames } from '#customers';
import type { Queryable } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import type { AuditEntity } from '#platform/privacy/audit-trail.ts';
import { planOffer } from '../offers/offer.ts';
import { renderItems } from '../offers/render-offer.ts';
import { type StaffOffer, StaffOfferItem } from '../offers/schemas.ts';
import { computeStatus } from '../offers/states.ts';
import { findOffer, type OfferRow } from '../offers/store.ts';
import { type Merchants, withCurrentMerchants } from '../purchases/current-merchant.ts';
import { renderQuote } from '../purchases/quote.ts';
import type { SaleListRow } from '../purchases/reading-store.ts';
import { type RenderContext, renderCheckoutItem } from '../purchases/render-checkout.ts';
import type { OperatorCheckoutItem } from '../schemas.ts';
import type { StaffCheckoutRow } from './staff-store.ts';

/** Renders the items of the wallet, with the customer added. */
export async function renderStaffCheckoutItems(
  db: Queryable,
  rows: readonly StaffCheckoutRow[],
  merchants: Merchants,
  context: RenderContext,
): Promise<Array<Static<typeof OperatorCheckoutItem>>> {
  const rowsWithMerchants = await withCurrentMerchants<SaleListRow>(rows, merchants);
  const rendered = rowsWithMerchants.map((row, i) => ({
    ...renderCheckoutItem(row, context),
    customer_id: row.customer_id,
    offer_id: row.offer_id,
    written_off_at: rows[i]!.written_off_at?.toISOString() ?? null,
  }));
  return addCustomerNames(db, rendered);
}

export const renderStaffOfferItem = (offer: OfferRow, now: Date): Static<typeof StaffOfferItem> => ({
  ...project(StaffOfferItem, offer),
  status: computeStatus(offer, now),
  merchant: { slug: offer.merchant_slug, name: offer.merchant_name },
});

export const renderStaffOffer = (offer: OfferRow, now: Date): Static<typeof StaffOffer> => ({
  ...renderStaffOfferItem(offer, now),
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now)),
});

/** Reads without a lock: the transaction that closes the offer locks it. */
export const offerAuditEntity = (now: Date): AuditEntity<Static<typeof StaffOfferItem>> => ({
  kind: 'offer',
  async read(tx, id) {
    const offer = await findOffer(tx, id);
    return offer && renderStaffOfferItem(offer, now);
  },
});
