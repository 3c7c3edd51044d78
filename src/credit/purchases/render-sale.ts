import { maskName } from '#core/values/mask-name.ts';
import type { MemberRef } from '../member-ref.ts';
import type { OfferMetadata } from '../metadata.ts';
import { omit } from '../omit.ts';
import type { CheckoutRecord } from './checkout-record.ts';
import type { SaleListRow } from './reading-store.ts';
import { type RenderContext, renderCheckout, renderCheckoutItem } from './render-checkout.ts';

/** The member who created the offer of a sale, and its metadata. */
export type SaleOrigin = { readonly author: MemberRef; readonly metadata: OfferMetadata };

type SaleRenderContext = RenderContext & SaleOrigin;

/** The part of the customer that a merchant sees. An erased customer has no name. */
const renderMaskedCustomer = (name: string | undefined) => ({ name: maskName(name ?? '') });

export const renderSaleItem = (row: SaleListRow, name: string | undefined, context: SaleRenderContext) => ({
  ...renderCheckoutItem(row, context),
  customer: renderMaskedCustomer(name),
  offer_id: row.offer_id,
  metadata: context.metadata,
  by: context.author,
});

/** The merchant sees neither payment options nor debits. */
export function renderSale(
  record: CheckoutRecord<string>,
  name: string | undefined,
  context: SaleRenderContext,
) {
  const { installments, autopay: _, returns: _returns, ...checkout } = renderCheckout(record, context);
  return {
    ...checkout,
    customer: renderMaskedCustomer(name),
    offer_id: record.offer_id,
    metadata: context.metadata,
    by: context.author,
    installments: installments.map((installment) => omit(installment, 'pix_options', 'autopay')),
  };
}
