import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { addPartner, nameTaken, renderPartner } from '../manage-keys.ts';
import { PartnerForm, PartnerView } from '../schemas.ts';
import type { PartnersDeps } from '../services.ts';
import { listPartners } from '../store.ts';

export const getAdminPartners = ({ db }: PartnersDeps) =>
  endpoint('GET /admin/partners', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPartners',
    summary: 'List partners',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(100, { description: 'Text in the name.' })),
    }),
    responses: listResponse('A page of partners, oldest first.', PartnerView),
    handler: (request, reply) =>
      respondWithPages({ request, reply }, (range) => listPartners(db, { ...range, q: request.query.q }), {
        item: PartnerView,
        render: (rows) => rows.map(renderPartner),
      }),
  });

export const postAdminPartners = ({ db, clock }: PartnersDeps) =>
  endpoint('POST /admin/partners', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createPartner',
    summary: 'Create a partner',
    idempotent: true,
    body: PartnerForm,
    cli: {
      done: 'Partner {id} created. Issue a key with: semana keys create --partner {id} --scopes public',
      examples: ['semana partners create --name "Site institucional"'],
    },
    responses: { 201: { description: 'The partner, which has no key yet.', schema: PartnerView } },
    problems: [nameTaken],
    async handler(request, reply) {
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      return createOnce(db, { request, reply, now }, (tx) => addPartner(tx, request.body.name, auditContext));
    },
  });
