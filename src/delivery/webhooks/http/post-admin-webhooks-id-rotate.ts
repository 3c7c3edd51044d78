import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { Form } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import {
  LONGEST_OVERLAP_HOURS,
  OVERLAP_HOURS,
  requireEndpoint,
  revealSecret,
  rotateSecret,
  type WebhookDeps,
} from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { ofEndpoint, WebhookEndpointWithSecret } from '../schemas.ts';

export const postAdminWebhooksIdRotate = ({ db, clock, vault }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/rotate', {
    access: { scope: 'operator', role: 'admin' },
    id: 'rotateWebhookSecret',
    summary: 'Give an endpoint a new secret',
    description:
      'During the overlap deliveries carry a signature of each, the new one first. A secret that was on its way out already is ' +
      'gone at once.',
    ...ofEndpoint,
    headers: idempotency.header,
    bodyOptional: true,
    body: Form({
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_OVERLAP_HOURS,
          description: `How long the old secret signs as well; ${OVERLAP_HOURS} unless said.`,
          examples: [OVERLAP_HOURS],
        }),
      ),
    }),
    answers: {
      200: { description: 'The endpoint, with its new secret.', schema: WebhookEndpointWithSecret },
    },
    problems: idempotency.problems,
    async handler(request, reply) {
      const { params, body } = request;
      const now = clock.now();
      const change = changeBy(request, now);
      const { id } = await createOnce(
        db,
        { request, reply, now },
        (tx) => rotateSecret(tx, params.id, body.overlap_hours ?? OVERLAP_HOURS, vault, change),
        [params.id, body],
      );
      const rotated = await requireEndpoint(db, id);
      return { ...renderEndpoint(rotated), secret: revealSecret(vault, rotated) };
    },
  });
