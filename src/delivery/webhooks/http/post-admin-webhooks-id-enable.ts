import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { enableEndpoint, type WebhookDeps } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ofEndpoint, WebhookEndpoint } from '../schemas.ts';

export const postAdminWebhooksIdEnable = ({ db, clock }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/enable', {
    access: { scope: 'operator', role: 'admin' },
    id: 'enableWebhook',
    summary: 'Call an endpoint again',
    description:
      'It starts afresh, with what waited when it was disabled. What happened since then can be replayed.',
    ...ofEndpoint,
    answers: { 200: { description: 'The endpoint.', schema: WebhookEndpoint } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      return renderEndpoint(await enableEndpoint(db, request.params.id, change));
    },
  });
