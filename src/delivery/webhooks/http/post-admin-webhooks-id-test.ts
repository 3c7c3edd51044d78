import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { testEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { ofEndpoint, WebhookDelivery } from '../schemas.ts';

export const postAdminWebhooksIdTest = (deps: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/test', {
    access: { scope: 'operator', role: 'admin' },
    id: 'testWebhook',
    summary: 'Call an endpoint with an event of type webhook.test',
    description: 'Once, now, and signed like any other; also if it is disabled. The answer says how it went.',
    ...ofEndpoint,
    answers: { 200: { description: 'The delivery and its one attempt.', schema: WebhookDelivery } },
    async handler(request) {
      const change = changeBy(request, deps.clock.now());
      return renderDelivery(await testEndpoint(deps, request.params.id, change));
    },
  });
