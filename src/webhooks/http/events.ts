import { Type } from 'typebox';
import { EVENT_TYPES, type EventType } from '#events';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#platform/http/pagination.ts';
import { validationFailed } from '#platform/problem.ts';
import { buildFeedFilter, CURSOR_PATTERN, cursorExpired, readFeedPage } from '../feed.ts';
import { PartnerEvent, renderEvent } from '../schemas.ts';
import { lastEventIdHeader, sendStream, streamResponse } from '../stream-response.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

const EventFeed = Type.Object(
  {
    data: Type.Array(PartnerEvent, { description: 'Oldest first.' }),
    after: Type.String({
      description: 'Cursor for the next page: send it as `after`, now or later.',
      examples: ['cur_1f4'],
    }),
    has_more: Type.Boolean({
      description: 'Whether the next page may already have events.',
      examples: [false],
    }),
  },
  { $id: 'EventFeed' },
);

export const getEvents = ({ db }: { db: Db }) =>
  endpoint('GET /events', {
    access: { scope: 'partner' },
    id: 'listEvents',
    summary: 'List events',
    description:
      'The feed of this partner, oldest first, in an order that never skips an event: store `after` and send it with the next request. ' +
      'Events are retained for 90 days. A key reads the events of its scopes; a key that is bound to a merchant reads only events of that merchant.',
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          pattern: CURSOR_PATTERN,
          description:
            'The `after` of the previous response, or the `id` of an event. Without it the feed starts with the oldest retained event.',
        }),
      ),
      limit: Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: `Number of events, at most ${MAX_LIMIT}.`,
      }),
      types: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description: 'Event types, separated by commas; all if omitted.',
          examples: ['pix.paid,installment.paid'],
        }),
      ),
    }),
    responses: { 200: { description: 'The events.', schema: EventFeed } },
    problems: [cursorExpired],
    async handler(request, reply) {
      const { after, limit, types } = request.query;
      const { partnerId } = request.caller;
      const filter = buildFeedFilter(request.caller, types === undefined ? undefined : readTypes(types));
      const page = await readFeedPage(db, { partnerId, after, limit, filter });
      reply.header('cache-control', 'no-store');
      return {
        data: page.events.map(renderEvent),
        after: page.after,
        has_more: page.events.length === limit,
      };
    },
  });

function readTypes(text: string): EventType[] {
  const types = [...new Set(text.split(','))];
  const unknownTypes = types.filter((type) => !(EVENT_TYPES as string[]).includes(type));
  if (unknownTypes.length > 0)
    throw validationFailed(
      unknownTypes.map((type) => ({
        pointer: '/types',
        message: { en: `'${type}' is not an event type`, pt: `'${type}' não é um tipo de evento` },
      })),
      { en: 'One of the event types is unknown.', pt: 'Um dos tipos não é conhecido.' },
    );
  return types as EventType[];
}

export const getEventsStream = ({ feedStreams: streams }: { feedStreams: Streams }) =>
  endpoint('GET /events/stream', {
    access: { scope: 'partner' },
    id: 'streamPartnerEvents',
    summary: 'Stream events',
    description:
      'The feed as server-sent events, for servers. A comment is sent every 15 seconds. The stream ends after 15 minutes and when the key ' +
      'ends: reconnect with `Last-Event-ID` to miss no event. If that event is no longer retained, the first event is `reset`: catch up with ' +
      '`GET /events`.',
    headers: lastEventIdHeader,
    responses: { 200: streamResponse(PartnerEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { partnerId, keyId } = request.caller;
      const filter = buildFeedFilter(request.caller);
      return sendStream({ request, reply }, streams, { owner: partnerId, credentials: { keyId }, filter });
    },
  });
