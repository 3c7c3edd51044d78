import { Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { Pix } from '../pix.ts';
import { PixRefund } from '../schemas.ts';
import { listStrandedRefunds } from '../store/refunds.ts';

export const getAdminPixRefunds = ({ db }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/admin/pix/refunds',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixRefunds',
    tag: 'Pix',
    summary: 'List money that could not be given back',
    description:
      'Newest first: refunds that were given up, and whose money is still at the payment provider, and owed. Have one asked ' +
      'for anew with `semana pix refunds --retry ID`, or give the money back by hand at the provider: then it is gone from here.',
    query: Type.Object(pageParameters()),
    answers: {
      200: {
        description: 'A page of refunds.',
        schema: Type.Object({ data: Type.Array(PixRefund), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit } = request.query;
      const { total, refunds } = await listStrandedRefunds(db, { offset: (page - 1) * limit, limit });
      return {
        data: refunds.map((refund) => ({
          id: refund.id,
          end_to_end_id: refund.end_to_end_id,
          customer_id: refund.customer_id,
          value: toReais(cents(refund.stranded_cents)),
          reason: refund.reason,
          tries: refund.tries,
          created_at: refund.created_at.toISOString(),
        })),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
