import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { StreamReset, WalletEvent } from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

export const STREAM_TYPE = 'text/event-stream; charset=utf-8';

export const getWalletEvents = ({ walletStreams: streams }: { walletStreams: Streams }) =>
  endpoint({
    method: 'GET',
    url: '/wallet/events',
    access: { scope: 'wallet', customer: true },
    id: 'streamEvents',
    summary: 'Hear of changes as they happen',
    description:
      'Server-sent events about this customer: `pix.paid`, `installment.paid` and the like, so that a screen turns green by ' +
      'itself. A comment comes every 15 seconds. The stream ends after 15 minutes, with the session and with the key: open it again with ' +
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
      reply.type(STREAM_TYPE).header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send('');
      const { customerId, keyId, sessionId } = request.caller;
      const lastEventId = request.headers['last-event-id'];
      return reply.send(
        await streams.open({
          owner: customerId,
          shown: { keyId, sessionId },
          ...(lastEventId && { lastEventId }),
        }),
      );
    },
  });
