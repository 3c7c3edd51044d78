import { endpoint } from '#platform/http/endpoint.ts';
import { requireEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ofEndpoint, WebhookEndpoint } from '../schemas.ts';

export const getAdminWebhooksId = ({ db }: WebhookDeps) =>
  endpoint('GET /admin/webhooks/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getWebhook',
    summary: 'Show one webhook endpoint',
    ...ofEndpoint,
    answers: { 200: { description: 'The endpoint, without its secret.', schema: WebhookEndpoint } },
    handler: async ({ params }) => renderEndpoint(await requireEndpoint(db, params.id)),
  });
