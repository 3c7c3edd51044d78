import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { createEndpoint, requireEndpoint, revealSecret, type WebhookDeps } from '../endpoints.ts';
import { partnerUnknown, tooManyWebhooks } from '../problems.ts';
import { renderEndpoint } from '../render.ts';
import { WebhookEndpointWithSecret, WebhookOrder } from '../schemas.ts';

export const postAdminWebhooks = (deps: WebhookDeps) =>
  endpoint('POST /admin/webhooks', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createWebhook',
    summary: 'Register an address that a partner wants to be called at',
    description: 'It is called for what happens from now on. The secret is shown here and nowhere else.',
    headers: idempotency.header,
    body: WebhookOrder,
    answers: {
      201: {
        description: 'The endpoint, with its secret.',
        schema: WebhookEndpointWithSecret,
        headers: {
          Location: 'Address of the endpoint at this door.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [...idempotency.problems, partnerUnknown, tooManyWebhooks],
    async handler(request, reply) {
      const { db, clock, vault } = deps;
      const now = clock.now();
      const change = changeBy(request, now);
      // Only the id is kept with the idempotency key: the secret is nowhere in the clear.
      const { id } = await createOnce(db, { request, reply, now }, (tx) =>
        createEndpoint(tx, request.body, deps, change),
      );
      const made = await requireEndpoint(db, id);
      reply.header('location', `/admin/webhooks/${id}`);
      return { ...renderEndpoint(made), secret: revealSecret(vault, made) };
    },
  });
