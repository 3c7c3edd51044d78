import { Type } from 'typebox';
import { toReais } from '#core/values/money.ts';
import { addCustomerNames } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import type { Pix } from '../pix.ts';
import { refundNotGivenUp } from '../problems.ts';
import { renderRefund, retryRefund } from '../refunds/request-refunds.ts';
import { PixRefund, PixRefundItem, refundRoute } from '../schemas.ts';
import { refundList } from '../store/lists.ts';
import { findRefund, findRefundKey } from '../store/payments.ts';

export const getAdminPixRefunds = (pix: Pix) =>
  listEndpoint('GET /admin/pix/refunds', pix, refundList, {
    id: 'listPixRefundItems',
    summary: 'List PIX refunds',
    description:
      'A `given_up` refund needs a staff user: its money is still at the payment provider, and owed to the payer. Retry it with ' +
      '`/retry`, or refund the money by hand at the provider; the refund is `overtaken` then.',
    cli: {
      columns: 'id, end_to_end_id, customer_id, value, stranded, status, reason, created_at',
      examples: ['semana pix refunds list --status given_up'],
    },
    page: 'A page of refunds.',
    item: PixRefundItem,
    sum: 'The amount of the refunds',
    render: (rows) => addCustomerNames(pix.db, rows.map(renderRefund)),
  });

export const getAdminPixRefundsId = ({ db }: Pix) =>
  endpoint('GET /admin/pix/refunds/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixRefund',
    summary: 'Get a PIX refund',
    ...refundRoute,
    responses: { 200: { description: 'The refund.', schema: PixRefundItem } },
    async handler(request) {
      const key = await findRefundKey(db, request.params.id);
      const refund = key && (await findRefund(db, key));
      if (!refund) throw request.notFound();
      const [view] = await addCustomerNames(db, [renderRefund(refund)]);
      return view;
    },
  });

export const postAdminPixRefundsIdRetry = ({ db, clock, events }: Pix) =>
  endpoint('POST /admin/pix/refunds/:id/retry', {
    access: { scope: 'operator', role: 'finance' },
    id: 'retryPixRefund',
    summary: 'Retry a PIX refund',
    description: 'Requests the given up amount as a new refund, with a new set of attempts.',
    ...refundRoute,
    cli: {
      confirm: 'This requests the refund {id} from the PSP again.',
      done: '{asked} is requested from the PSP again.',
    },
    responses: {
      200: {
        description: 'The refund with its current status, and the amount of the new refund.',
        schema: Type.Object({
          asked: Type.Number({ description: 'The amount of the new refund, in reais.' }),
          refund: PixRefund,
        }),
      },
    },
    problems: [refundNotGivenUp],
    async handler(request) {
      const { id } = request.params;
      const auditContext = createAuditContext(request, clock.now());
      const retryResult = await retryRefund({ db, events }, id, auditContext);
      if (!retryResult) throw request.notFound();
      return { asked: toReais(retryResult.requestedCents), refund: retryResult.refund };
    },
  });
