import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderPartner } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { PartnerShown } from '../schemas.ts';
import { listPartners } from '../store.ts';

export const getAdminPartners = ({ db }: Partners) =>
  endpoint('GET /admin/partners', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPartners',
    summary: 'List partner applications',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(100, { description: 'With this in their name.' })),
    }),
    answers: listAnswer('A page of partners, oldest first.', PartnerShown),
    handler: (request, reply) =>
      answerPages({ request, reply }, (at) => listPartners(db, { ...at, q: request.query.q }), {
        item: PartnerShown,
        render: (rows) => rows.map(renderPartner),
      }),
  });
