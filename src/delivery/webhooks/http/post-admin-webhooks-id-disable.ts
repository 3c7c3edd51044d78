import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { disableEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ofEndpoint, WebhookEndpoint } from '../schemas.ts';

export const postAdminWebhooksIdDisable = ({ db, clock }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/disable', {
    access: { scope: 'operator', role: 'admin' },
    id: 'disableWebhook',
    summary: 'Stop calling an endpoint',
    description: 'Nothing is delivered to it, and nothing queued, until it is enabled. What waits stays.',
    ...ofEndpoint,
    answers: { 200: { description: 'The endpoint.', schema: WebhookEndpoint } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      return renderEndpoint(await disableEndpoint(db, request.params.id, change));
    },
  });
