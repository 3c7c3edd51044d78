import { Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { Pix } from '../pix.ts';
import { PixOrphan } from '../schemas.ts';
import { listOrphans } from '../store/payments.ts';

export const getAdminPixOrphans = ({ db }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/admin/pix/orphans',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixOrphans',
    tag: 'Pix',
    summary: 'List money that belongs to no charge of ours',
    description: 'Newest first. Nothing was done with it: refund it at the PSP, or find out whose it is.',
    query: Type.Object(pageParameters()),
    answers: {
      200: {
        description: 'A page of payments.',
        schema: Type.Object({ data: Type.Array(PixOrphan), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit } = request.query;
      const { total, orphans } = await listOrphans(db, { offset: (page - 1) * limit, limit });
      return {
        data: orphans.map((orphan) => ({
          end_to_end_id: orphan.end_to_end_id,
          txid: orphan.txid,
          value: toReais(cents(orphan.amount_cents)),
          paid_at: orphan.paid_at.toISOString(),
          found_at: orphan.found_at.toISOString(),
        })),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
