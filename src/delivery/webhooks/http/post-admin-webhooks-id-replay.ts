import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, Id, Timestamp } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { validationFailed } from '#platform/problem.ts';
import { replay, type WebhookDeps } from '../endpoints.ts';
import { webhookDisabled } from '../problems.ts';
import { ofEndpoint } from '../schemas.ts';

const event = Id('evt', { description: 'One event, whatever the filter of the endpoint.' });
const since = Timestamp({ description: 'All events the endpoint wants that occurred then or later.' });

export const postAdminWebhooksIdReplay = ({ db, clock }: WebhookDeps) =>
  endpoint('POST /admin/webhooks/:id/replay', {
    access: { scope: 'operator', role: 'admin' },
    id: 'replayWebhook',
    summary: 'Deliver events once more',
    description: 'Each with the id it always had. What the endpoint was never sent goes along.',
    ...ofEndpoint,
    body: Form({ event: Type.Optional(event), since: Type.Optional(since) }),
    documentedBody: Type.Union([Form({ event }), Form({ since })]),
    answers: {
      202: {
        description: 'They are on their way.',
        schema: Type.Object({ replayed: Type.Integer({ description: 'How many deliveries that is.' }) }),
      },
    },
    problems: [webhookDisabled],
    async handler(request) {
      const { params, body } = request;
      if ((body.event === undefined) === (body.since === undefined)) {
        const message = { en: 'either event or since, and not both', pt: 'event ou since, e não os dois' };
        throw validationFailed([{ pointer: '', message }], {
          en: 'Say what to deliver once more.',
          pt: 'Diga o que entregar de novo.',
        });
      }
      const wish = body.event !== undefined ? { event: body.event } : { since: new Date(body.since!) };
      const change = changeBy(request, clock.now());
      return { replayed: await replay(db, params.id, wish, change) };
    },
  });
