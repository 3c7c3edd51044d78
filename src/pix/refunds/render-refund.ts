import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { shown } from '#platform/http/shown.ts';
import { PixRefund } from '../schemas.ts';
import type { RefundRow } from '../store/refunds.ts';

export const renderRefund = (refund: RefundRow): Static<typeof PixRefund> => ({
  ...shown(PixRefund, refund),
  value: toReais(cents(refund.amount_cents)),
});
