import { Type } from 'typebox';
import { findPartner } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import type { WebhookDeps } from '../../../delivery/webhooks/endpoints.ts';
import { renderEndpoint } from '../../../delivery/webhooks/render.ts';
import { ENDPOINT_STATUSES, WebhookEndpoint } from '../../../delivery/webhooks/schemas.ts';
import { listedEndpoints } from '../../../delivery/webhooks/store.ts';

export const getAdminWebhooks = ({ db }: WebhookDeps) =>
  endpoint({
    method: 'GET',
    url: '/admin/webhooks',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    query: Type.Object({
      partner: Type.Optional(Text(120, { description: 'Only those of this partner: id or name.' })),
      status: Type.Optional(Type.Enum([...ENDPOINT_STATUSES], { description: 'Only those in this status.' })),
      ...listParameters(),
    }),
    answers: listAnswer('A page of endpoints.', WebhookEndpoint),
    async handler(request, reply) {
      const { partner, status } = request.query;
      const partnerId = partner === undefined ? undefined : ((await findPartner(db, partner))?.id ?? partner);
      return answerList(db, { request, reply }, listedEndpoints({ partnerId, status }), {
        item: WebhookEndpoint,
        render: (rows) => rows.map(renderEndpoint),
      });
    },
  });
