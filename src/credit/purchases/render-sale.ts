import { maskName } from '#core/mask-name.ts';
import type { By } from '../by.ts';
import type { CheckoutRecord } from './checkout-record.ts';
import type { ListedSale } from './reading-store.ts';
import { renderCheckout, renderListed, type View } from './render-checkout.ts';

/** With the member who made the offer it came from. */
type SaleView = View & { by: By };

/** What a merchant sees of the customer. A customer whose data was erased has no name. */
const shown = (name: string | undefined) => ({ name: maskName(name ?? '') });

export const renderListedSale = (row: ListedSale, name: string | undefined, view: SaleView) => ({
  ...renderListed(row, view),
  customer: shown(name),
  offer_id: row.offer_id,
  by: view.by,
});

/** The merchant does not see the payment options, nor what is debited. */
export function renderSale(file: CheckoutRecord<string>, name: string | undefined, view: SaleView) {
  const { installments, autopay: _, ...checkout } = renderCheckout(file, view);
  return {
    ...checkout,
    customer: shown(name),
    offer_id: file.offer_id,
    by: view.by,
    installments: installments.map(({ pix_options: _, autopay: __, ...installment }) => installment),
  };
}
