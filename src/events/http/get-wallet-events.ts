import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, Timestamp } from '#platform/http/schemas.ts';
import { EVENT_TYPES } from '../catalog.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

const WalletEvent = Type.Object(
  {
    id: Id('evt', { description: 'The same as the `id` of the event in the stream.' }),
    type: Type.Enum([...EVENT_TYPES], { description: 'The same as the name of the event in the stream.' }),
    occurred_at: Timestamp(),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What it is about: depends on the type.',
    }),
  },
  {
    $id: 'WalletEvent',
    examples: [
      {
        id: 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8',
        type: 'pix.paid',
        occurred_at: '2026-11-15T12:00:00.000Z',
        data: { pix_id: 'pix_01kfx3v9e2r4s6t8w0y2a4c6e8' },
      },
    ],
  },
);

const StreamReset = Type.Object(
  {
    type: Type.Literal('reset'),
    reason: Type.Literal('last_event_id_unknown'),
  },
  {
    $id: 'StreamReset',
    description:
      'The event of `Last-Event-ID` is not known (any more): the stream begins now, and something may have been missed. Read ' +
      'again what is shown.',
  },
);

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
      '`Last-Event-ID`, and nothing is missed. If that event is not known any more, the first event is `reset`: read again ' +
      'what is shown.',
    headers: Type.Object({
      'last-event-id': Type.Optional(
        Type.String({
          description: 'The `id` of the last event that was heard; the stream goes on after it.',
        }),
      ),
    }),
    answers: {
      200: {
        description:
          'The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes.',
        contentType: 'text/event-stream',
        schema: Type.Union([WalletEvent, StreamReset]),
      },
    },
    problems: [tooManyStreams],
    async handler(request, reply) {
      reply.type(CONTENT_TYPE).header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send('');
      const { customerId, sessionId } = request.caller;
      const lastEventId = request.headers['last-event-id'];
      return reply.send(await streams.open({ customerId, sessionId, ...(lastEventId && { lastEventId }) }));
    },
  });
