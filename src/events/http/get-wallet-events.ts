import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

const EVENT_ID = /^evt_[0-9a-z]{26}$/;
const CONTENT_TYPE = 'text/event-stream; charset=utf-8';

export const getWalletEvents = (streams: Streams) =>
  endpoint({
    method: 'GET',
    url: '/wallet/events',
    access: { scope: 'wallet', customer: true },
    id: 'streamEvents',
    tag: 'Wallet',
    summary: 'Hear of changes as they happen',
    description:
      'Server-sent events about this customer: `pix.paid`, `installment.paid` and the like, so that a screen turns green by ' +
      'itself. A comment comes every 15 seconds. The stream ends after 15 minutes and with the session: open it again with ' +
      '`Last-Event-ID`, and nothing is missed.',
    headers: {
      'last-event-id': {
        description: 'The `id` of the last event that was heard; the stream goes on after it.',
        schema: Type.String({ maxLength: 255 }),
      },
    },
    answers: {
      200: {
        description: 'The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object.',
        contentType: 'text/event-stream',
        schema: Type.String({
          examples: [
            'id: evt_01kfx3v9e2r4s6t8w0y2a4c6e8\nevent: pix.paid\ndata: {"id":"evt_01kfx3v9e2r4s6t8w0y2a4c6e8","type":"pix.paid","occurred_at":"2026-11-15T12:00:00.000Z","data":{"pix_id":"pix_01kfx3v9e2r4s6t8w0y2a4c6e8"}}\n\n',
          ],
        }),
      },
    },
    problems: [tooManyStreams],
    async handler(request, reply) {
      reply.type(CONTENT_TYPE).header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send('');
      const { customerId, sessionId } = request.caller;
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' && EVENT_ID.test(last) ? { lastEventId: last } : {};
      return reply.send(await streams.open({ customerId, sessionId, ...lastEventId }));
    },
  });
