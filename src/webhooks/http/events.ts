import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { EVENT_TYPES, type EventType, eventList } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#platform/http/pagination.ts';
import { TextField } from '#platform/http/schemas.ts';
import { validationFailed } from '#platform/problem.ts';
import { buildFeedFilter, CURSOR_PATTERN, cursorExpired, readFeedPage } from '../feed.ts';
import {
  MerchantEvent,
  PartnerEvent,
  renderEvent,
  renderStaffEvents,
  StaffEvent,
  StreamReset,
  WalletEvent,
} from '../schemas.ts';
import { type Streams, tooManyStreams } from '../streams.ts';

const lastEventIdHeader = Type.Object({
  'last-event-id': Type.Optional(
    TextField(
      'The `id` of the last received event: the stream continues after it. Without it the stream starts with new events.',
    ),
  ),
});

const buildStreamResponse = <S extends TSchema>(event: S) => ({
  description:
    'The stream. Each event has an `id`, its type in `event`, and a JSON object in `data`, which the schema describes.',
  contentType: 'text/event-stream',
  schema: Type.Union([event, StreamReset]),
});

type StreamOptions = Omit<Parameters<Streams['open']>[0], 'lastEventId'>;
type StreamRequest = { readonly method: string; readonly headers: { 'last-event-id'?: string | undefined } };
/** The part of a Fastify reply that is used here. `S` is what its `send` returns, which differs between endpoints. */
type StreamReply<S> = {
  header(name: string, value: string): StreamReply<S>;
  type(contentType: string): StreamReply<S>;
  send(payload: Readable): S;
};

/** Sends the stream, or for HEAD only its headers. */
async function sendStream<S>(
  { request, reply }: { request: StreamRequest; reply: StreamReply<S> },
  streams: Streams,
  options: StreamOptions,
): Promise<S> {
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const lastEventId = request.headers['last-event-id'];
  return reply.send(await streams.open({ ...options, ...(lastEventId && { lastEventId }) }));
}

const EventFeed = Type.Object(
  {
    data: Type.Array(PartnerEvent, { description: 'Oldest first.' }),
    after: TextField('Cursor for the next page: send it as `after`, now or later.', 'cur_1f4'),
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
      'The feed of this partner, oldest first. Reading page after page never misses an event: store `after` and send it with the next request. ' +
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
      const filter = buildFeedFilter(request.caller, types === undefined ? undefined : parseTypes(types));
      const page = await readFeedPage(db, { partnerId, cursor: after, limit, filter });
      reply.header('cache-control', 'no-store');
      return {
        data: page.events.map(renderEvent),
        after: page.nextCursor,
        has_more: page.events.length === limit,
      };
    },
  });

function parseTypes(text: string): EventType[] {
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
      'The feed as server-sent events, for servers. A comment is sent every 15 seconds. The stream ends after 15 minutes, and when the key ' +
      'expires or is revoked: reconnect with `Last-Event-ID` to miss no event. If that event is no longer retained, the first event is ' +
      '`reset`: catch up with `GET /events`.',
    headers: lastEventIdHeader,
    responses: { 200: buildStreamResponse(PartnerEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { partnerId, keyId } = request.caller;
      const filter = buildFeedFilter(request.caller);
      return sendStream({ request, reply }, streams, { ownerId: partnerId, credentials: { keyId }, filter });
    },
  });

/** A clerk gets events of offers, sales and returns, but not of payments and payouts. */
const CLERK_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => type.startsWith('offer.') || type === 'checkout.created' || type === 'checkout.returned',
);

export const getMerchantEvents = ({ merchantStreams: streams }: { merchantStreams: Streams }) =>
  endpoint('GET /merchant/events', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'streamMerchantEvents',
    summary: 'Stream events of the merchant',
    description:
      'Server-sent events of this merchant: offers, sales, returns, payments and payouts. A clerk gets only offers, sales and returns. A ' +
      'comment is sent every 15 seconds. The stream ends after 15 minutes, when the key or the session ends, and when an owner changes the ' +
      'member: reconnect with `Last-Event-ID` to miss no event. Events are retained for two days. If that event is no longer retained, the ' +
      'first event is `reset`: reload the data.',
    headers: lastEventIdHeader,
    responses: { 200: buildStreamResponse(MerchantEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { merchantId, keyId, sessionId, member } = request.caller;
      const types: readonly EventType[] = member?.role === 'clerk' ? CLERK_EVENT_TYPES : EVENT_TYPES;
      return sendStream({ request, reply }, streams, {
        ownerId: String(merchantId),
        credentials: member ? { keyId, sessionId, member } : { keyId },
        filter: buildFeedFilter(request.caller, types),
      });
    },
  });

export const getWalletEvents = ({ walletStreams: streams }: { walletStreams: Streams }) =>
  endpoint('GET /wallet/events', {
    access: { scope: 'wallet', customer: true },
    id: 'streamEvents',
    summary: 'Stream events of the customer',
    description:
      'Server-sent events about this customer, e.g. `pix.paid` and `installment.paid`, to update a screen automatically. A comment is sent ' +
      'every 15 seconds. The stream ends after 15 minutes, and when the session or the key ends: reconnect with `Last-Event-ID` to miss no ' +
      'event. If that event is no longer retained, the first event is `reset`: reload the data.',
    headers: lastEventIdHeader,
    responses: { 200: buildStreamResponse(WalletEvent) },
    problems: [tooManyStreams],
    handler(request, reply) {
      const { customerId, keyId, sessionId } = request.caller;
      return sendStream({ request, reply }, streams, {
        ownerId: customerId,
        credentials: { keyId, sessionId },
      });
    },
  });

export const getAdminEvents = (deps: { db: Db; clock: Clock }) =>
  listEndpoint('GET /admin/events', deps, eventList, {
    id: 'searchEvents',
    summary: 'Search events',
    description: 'Events of the last 90 days, by type, customer, purchase and time.',
    cli: { columns: 'occurred_at, type, customer_id, checkout_hash, data' },
    page: 'A page of events.',
    item: StaffEvent,
    render: (rows) => renderStaffEvents(deps.db, rows),
  });
