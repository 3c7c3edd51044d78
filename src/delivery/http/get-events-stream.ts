import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { readerOf } from '../feed.ts';
import { PartnerEvent, StreamReset } from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';
import { STREAM_TYPE } from './get-wallet-events.ts';

export const getEventsStream = ({ feedStreams: streams }: { feedStreams: Streams }) =>
  endpoint({
    method: 'GET',
    url: '/events/stream',
    access: { scope: 'partner' },
    id: 'streamPartnerEvents',
    summary: 'Hear of events as they happen',
    description:
      'The feed as server-sent events, for a server that follows it. A comment comes every 15 seconds. The stream ends after 15 ' +
      'minutes and with the key: open it again with `Last-Event-ID`, and nothing is missed. If that event is not known any ' +
      'more, the first event is `reset`: catch up with `GET /events`.',
    headers: Type.Object({
      'last-event-id': Type.Optional(
        Type.String({
          description:
            'The `id` of the last event that was heard; the stream goes on after it. Without it, from now on.',
        }),
      ),
    }),
    answers: {
      200: {
        description:
          'The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes.',
        contentType: 'text/event-stream',
        schema: Type.Union([PartnerEvent, StreamReset]),
      },
    },
    problems: [tooManyStreams],
    async handler(request, reply) {
      reply.type(STREAM_TYPE).header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send('');
      const { partnerId, keyId } = request.caller;
      const lastEventId = request.headers['last-event-id'];
      return reply.send(
        await streams.open({
          owner: partnerId,
          shown: { keyId },
          reader: readerOf(request.caller),
          ...(lastEventId && { lastEventId }),
        }),
      );
    },
  });
