import { Type } from 'typebox';
import { EVENT_TYPES, type EventType } from '#events';
import type { Db } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#platform/http/pagination.ts';
import { validationFailed } from '#platform/problem.ts';
import { CURSOR, cursorExpired, readerOf, readPage } from '../feed.ts';
import { PartnerEvent, renderEvent } from '../schemas.ts';

const EventFeed = Type.Object(
  {
    data: Type.Array(PartnerEvent, { description: 'The oldest first.' }),
    after: Type.String({
      description: 'Send it as `after` for what comes next, now or later.',
      examples: ['cur_1f4'],
    }),
    has_more: Type.Boolean({ description: 'Whether there may be more already.', examples: [false] }),
  },
  { $id: 'EventFeed' },
);

export const getEvents = ({ db }: { db: Db }) =>
  endpoint('GET /events', {
    access: { scope: 'partner' },
    id: 'listEvents',
    summary: 'Read what happened since',
    description:
      'Everything this partner is told, the oldest first, in an order in which nothing is ever skipped: keep `after` and ask again. ' +
      'Events are kept for 90 days. A key sees what its scopes are told of; one that is bound to a merchant, the sales of that merchant only.',
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          pattern: CURSOR,
          description:
            'The `after` of the last answer, or the `id` of an event. Without it, from the oldest that is kept.',
        }),
      ),
      limit: Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: `How many, at most ${MAX_LIMIT}.`,
      }),
      types: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description: 'Only these types, separated by commas.',
          examples: ['pix.paid,installment.paid'],
        }),
      ),
    }),
    answers: { 200: { description: 'The events.', schema: EventFeed } },
    problems: [cursorExpired],
    async handler(request, reply) {
      const { after, limit, types } = request.query;
      const { partnerId } = request.caller;
      const reader = readerOf(request.caller, types === undefined ? undefined : readTypes(types));
      const page = await readPage(db, { partnerId, after, limit, reader });
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
  const unknown = types.filter((type) => !(EVENT_TYPES as string[]).includes(type));
  if (unknown.length > 0)
    throw validationFailed(
      unknown.map((type) => ({
        pointer: '/types',
        message: { en: `'${type}' is not a type of event`, pt: `'${type}' não é um tipo de evento` },
      })),
      { en: 'One of the types is not known.', pt: 'Um dos tipos não é conhecido.' },
    );
  return types as EventType[];
}
