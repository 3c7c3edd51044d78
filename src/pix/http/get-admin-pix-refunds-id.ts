import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Pix } from '../pix.ts';
import { renderRefund } from '../refunds/render-refund.ts';
import { ofRefund, PixRefundItem } from '../schemas.ts';
import { findRefund, findRefundById } from '../store/refunds.ts';

export const getAdminPixRefundsId = ({ db }: Pix) =>
  endpoint('GET /admin/pix/refunds/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixRefund',
    summary: 'Show one refund that we asked for',
    ...ofRefund,
    answers: { 200: { description: 'The refund.', schema: PixRefundItem } },
    async handler(request) {
      const named = await findRefundById(db, request.params.id);
      const refund = named && (await findRefund(db, named));
      const [shown] = await nameCustomers(db, refund ? [renderRefund(refund)] : []);
      return shown;
    },
  });
