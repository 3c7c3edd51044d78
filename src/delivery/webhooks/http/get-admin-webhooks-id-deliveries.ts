import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { DELIVERY_STATUSES } from '../../publish-store.ts';
import { requireEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { ofEndpoint, WebhookDelivery } from '../schemas.ts';
import { listedDeliveries } from '../store.ts';

export const getAdminWebhooksIdDeliveries = ({ db }: WebhookDeps) =>
  endpoint('GET /admin/webhooks/:id/deliveries', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listWebhookDeliveries',
    summary: 'List what was delivered to an endpoint, or is to be',
    description: 'For 90 days, each with its attempts.',
    ...ofEndpoint,
    query: Type.Object({
      status: Type.Optional(Type.Enum([...DELIVERY_STATUSES], { description: 'Only those in this status.' })),
      ...listParameters(),
    }),
    answers: listAnswer('A page of deliveries.', WebhookDelivery),
    async handler(request, reply) {
      const { id } = await requireEndpoint(db, request.params.id);
      return answerList(db, { request, reply }, listedDeliveries(id, request.query.status), {
        item: WebhookDelivery,
        path: `/admin/webhooks/${id}/deliveries`,
        render: (rows) => rows.map(renderDelivery),
      });
    },
  });
