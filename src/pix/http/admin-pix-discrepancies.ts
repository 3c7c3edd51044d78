import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { project } from '#platform/http/project.ts';
import type { Pix } from '../pix.ts';
import { PixDiscrepancy } from '../schemas.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';

export const getAdminPixDiscrepancies = ({ db }: Pix) =>
  endpoint('GET /admin/pix/discrepancies', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixDiscrepancies',
    summary: 'List PIX discrepancies',
    description:
      'What the payment provider reports about charges and the service cannot reconcile, newest first. Each discrepancy is rechecked ' +
      'automatically, at first every minute and later once a day, and disappears when it is resolved.',
    query: Type.Object(pageParameters()),
    responses: listResponse('A page of discrepancies.', PixDiscrepancy),
    handler: (request, reply) =>
      respondWithPages({ request, reply }, (range) => listDiscrepancies(db, range), {
        item: PixDiscrepancy,
        render: (rows) =>
          rows.map((discrepancy) => ({
            ...project(PixDiscrepancy, discrepancy),
            pix_id: discrepancy.charge_id,
            end_to_end_id: discrepancy.end_to_end_id || null,
          })),
      }),
  });
