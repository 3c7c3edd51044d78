import { maskName } from '#core/mask-name.ts';
import type { CheckoutRecord } from './checkout-record.ts';
import type { ListedSale } from './reading-store.ts';
import { renderCheckout, renderListed, type View } from './render-checkout.ts';

/** What a merchant sees of the customer. A customer whose data was erased has no name. */
const shown = (name: string | undefined) => ({ name: maskName(name ?? '') });

export const renderListedSale = (row: ListedSale, name: string | undefined, view: View) => ({
  ...renderListed(row, view),
  customer: shown(name),
  offer_id: row.offer_id,
});

/** The merchant does not see the payment options. */
export function renderSale(file: CheckoutRecord<string>, name: string | undefined, view: View) {
  const { installments, ...checkout } = renderCheckout(file, view);
  return {
    ...checkout,
    customer: shown(name),
    offer_id: file.offerId,
    installments: installments.map(({ pix_options: _, ...installment }) => installment),
  };
}
