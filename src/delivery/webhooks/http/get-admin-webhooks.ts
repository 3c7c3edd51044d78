import { Type } from 'typebox';
import { findPartner } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import type { WebhookDeps } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ENDPOINT_STATUSES, WebhookEndpoint } from '../schemas.ts';
import { listedEndpoints } from '../store.ts';

export const getAdminWebhooks = ({ db }: WebhookDeps) =>
  endpoint('GET /admin/webhooks', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listWebhooks',
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
