import { EVENT_TYPES, type EventType, scopesOf } from '#events';
import type { Db } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { idPattern } from '#platform/http/schemas.ts';
import { defineProblem } from '#platform/problem.ts';
import { type FeedFilter, findPartnerPosition, listFeedEvents } from './feed-store.ts';

export const cursorExpired = defineProblem({
  code: 'cursor_expired',
  status: 410,
  title: { en: 'The cursor has expired', pt: 'O feed não pode continuar desse ponto' },
  cause:
    'Events are retained for 90 days. Events after this cursor were deleted, or the cursor does not belong to this partner.',
  remedy:
    'Reload the data that you store, then read the feed from the oldest retained event: leave out `after`. Recognise events that you ' +
    'have already processed by their `id`.',
  detail: {
    en: 'Events after this cursor are no longer retained, or the cursor is not yours. Leave out `after` to start with the oldest event.',
    pt: 'Os eventos depois deste cursor não são mais guardados, ou ele não é seu. Omita `after` para começar do mais antigo.',
  },
});

/** A pagination cursor is opaque to callers: our own format, or the id of an event. */
export const CURSOR_PATTERN = `^cur_[0-9a-z]{1,11}$|${idPattern('evt')}`;

const formatCursor = (position: number) => `cur_${position.toString(36)}`;

/**
 * The events that an API key may read. A key that is bound to a merchant reads only events of that merchant. Any other key reads the events
 * of its scopes, so that a public key for lead forms reads only events about leads.
 */
export function buildFeedFilter(
  { scopes, merchantId }: Pick<Caller, 'scopes' | 'merchantId'>,
  types: readonly EventType[] = EVENT_TYPES,
): FeedFilter {
  const isBound = merchantId !== 0;
  const readableScopes: readonly string[] = isBound ? ['merchant'] : scopes;
  const isReadable = (type: EventType) => scopesOf(type).some((scope) => readableScopes.includes(scope));
  return { types: types.filter(isReadable), merchantId: isBound ? merchantId : null };
}

type FeedQuery = { partnerId: string; after: string | undefined; filter: FeedFilter; limit: number };

/** Returns the next page and the cursor after it, even if the page is empty. */
export async function readFeedPage(db: Db, { partnerId, after, filter, limit }: FeedQuery) {
  const position = after === undefined ? 0 : await resolvePosition(db, partnerId, after);
  const page = await listFeedEvents(db, partnerId, { after: position, filter, limit });
  if (after !== undefined && !page.isPositionKnown) throw cursorExpired();
  return { events: page.events, after: formatCursor(page.readUpTo) };
}

/** Returns the position of a cursor or event. Throws `cursor_expired` if it is unknown. */
async function resolvePosition(db: Db, partnerId: string, after: string): Promise<number> {
  if (after.startsWith('cur_')) return Number.parseInt(after.slice('cur_'.length), 36);
  const position = await findPartnerPosition(db, partnerId, after);
  if (position === undefined) throw cursorExpired();
  return position;
}
