import { Type } from 'typebox';
import { findPartner } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import type { WebhookDeps } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ENDPOINT_STATUSES, pageOf, WebhookEndpoint } from '../schemas.ts';
import { listEndpoints } from '../store.ts';

export const getAdminWebhooks = ({ db }: WebhookDeps) =>
  endpoint({
    method: 'GET',
    url: '/admin/webhooks',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first.',
    query: Type.Object({
      partner: Type.Optional(Text(120, { description: 'Only those of this partner: id or name.' })),
      status: Type.Optional(Type.Enum([...ENDPOINT_STATUSES], { description: 'Only those in this status.' })),
      ...pageParameters(),
    }),
    answers: {
      200: { description: 'A page of endpoints.', schema: pageOf(WebhookEndpoint), headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit, partner, status } = request.query;
      const partnerId = partner === undefined ? undefined : ((await findPartner(db, partner))?.id ?? partner);
      const { total, endpoints } = await listEndpoints(
        db,
        { ...(partnerId && { partnerId }), ...(status && { status }) },
        { offset: (page - 1) * limit, limit },
      );
      reply.header('link', linkHeader('/admin/webhooks', { page, limit, partner, status }, total));
      return { data: endpoints.map(renderEndpoint), pagination: paginationOf({ page, limit }, total) };
    },
  });
