import type { Static } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { project } from '#platform/http/project.ts';
import { PixRefund } from '../schemas.ts';
import type { RefundRow } from '../store/refunds.ts';

export const renderRefund = (refund: RefundRow): Static<typeof PixRefund> => ({
  ...project(PixRefund, refund),
  value: toReais(cents(refund.amount_cents)),
});
