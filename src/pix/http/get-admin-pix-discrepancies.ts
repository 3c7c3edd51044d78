import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { shown } from '#platform/http/shown.ts';
import type { Pix } from '../pix.ts';
import { PixDiscrepancy } from '../schemas.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';

export const getAdminPixDiscrepancies = ({ db }: Pix) =>
  endpoint('GET /admin/pix/discrepancies', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixDiscrepancies',
    summary: 'List what the payment provider says of charges and we cannot account for',
    description:
      'Newest first. The provider is asked again by itself, at first every minute and later once a day; what it can explain ' +
      'then is gone from here.',
    query: Type.Object(pageParameters()),
    answers: listAnswer('A page of discrepancies.', PixDiscrepancy),
    handler: (request, reply) =>
      answerPages({ request, reply }, (at) => listDiscrepancies(db, at), {
        item: PixDiscrepancy,
        render: (rows) =>
          rows.map((found) => ({
            ...shown(PixDiscrepancy, found),
            pix_id: found.charge_id,
            end_to_end_id: found.end_to_end_id || null,
          })),
      }),
  });
