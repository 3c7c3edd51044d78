import { Type } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import type { Pix } from '../pix.ts';
import { PixDiscrepancy } from '../schemas.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';

export const getAdminPixDiscrepancies = ({ db }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/admin/pix/discrepancies',
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
            kind: found.kind,
            pix_id: found.charge_id,
            customer_id: found.customer_id,
            txid: found.txid,
            end_to_end_id: found.end_to_end_id || null,
            value: toReais(cents(found.value_cents)),
            found_at: found.found_at.toISOString(),
          })),
      }),
  });
