import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { requireEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { DELIVERY_STATUSES, EndpointParams, NO_ENDPOINT, pageOf, WebhookDelivery } from '../schemas.ts';
import { listDeliveries } from '../store.ts';

export const getAdminWebhooksIdDeliveries = ({ db }: WebhookDeps) =>
  endpoint({
    method: 'GET',
    url: '/admin/webhooks/:id/deliveries',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'List what was delivered to an endpoint, or is to be',
    description: 'Newest event first, for 90 days, each with its attempts.',
    params: EndpointParams,
    notFound: NO_ENDPOINT,
    query: Type.Object({
      status: Type.Optional(Type.Enum([...DELIVERY_STATUSES], { description: 'Only those in this status.' })),
      ...pageParameters(),
    }),
    answers: {
      200: { description: 'A page of deliveries.', schema: pageOf(WebhookDelivery), headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const { id } = await requireEndpoint(db, request.params.id);
      const range = { offset: (page - 1) * limit, limit };
      const { total, deliveries } = await listDeliveries(db, id, status ?? null, range);
      reply.header('link', linkHeader(`/admin/webhooks/${id}/deliveries`, { page, limit, status }, total));
      return { data: deliveries.map(renderDelivery), pagination: paginationOf({ page, limit }, total) };
    },
  });
