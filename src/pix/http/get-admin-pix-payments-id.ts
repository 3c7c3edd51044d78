import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { listPage } from '#platform/http/listing.ts';
import type { Pix } from '../pix.ts';
import { renderRefund } from '../refunds/render-refund.ts';
import { renderMove, renderPayment } from '../reports/render-staff.ts';
import { ofPayment, PixPaymentWithRefunds } from '../schemas.ts';
import { paymentOf } from '../store/lists.ts';
import { listMoves } from '../store/moves.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { listRefunds } from '../store/refunds.ts';

export const getAdminPixPaymentsId = ({ db }: Pix) =>
  endpoint('GET /admin/pix/payments/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixPayment',
    summary: 'Show one payment with its refunds and moves',
    ...ofPayment,
    answers: { 200: { description: 'The payment.', schema: PixPaymentWithRefunds } },
    async handler(request) {
      const { id } = request.params;
      const [owner] = await listPaymentOwners(db, [id]);
      if (!owner?.customer_id) throw request.notFound();
      const { rows } = await listPage(db, paymentOf(owner.customer_id, id), { page: 1, limit: 1 });
      if (!rows[0]) throw request.notFound();
      const [refunds, moves] = await Promise.all([listRefunds(db, owner.customer_id, id), listMoves(db, id)]);
      const [payment] = await nameCustomers(db, [renderPayment(rows[0])]);
      return { ...payment!, refunds: refunds.map(renderRefund), moves: moves.map(renderMove) };
    },
  });
