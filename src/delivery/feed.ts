import { EVENT_TYPES, type EventType, scopesOf } from '#events';
import type { Db } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { idPattern } from '#platform/http/schemas.ts';
import { defineProblem } from '#platform/problem.ts';
import { findPartnerPosition, type Reader, readFeed } from './feed-store.ts';

export const cursorExpired = defineProblem({
  code: 'cursor_expired',
  status: 410,
  title: { en: 'The feed cannot go on from there', pt: 'O feed não pode continuar desse ponto' },
  cause:
    'Events are kept for 90 days. Some that came after this cursor are gone, or the cursor is none of this partner’s.',
  remedy:
    'Read again what you keep a copy of, then read the feed from the oldest event that is kept: leave out `after`. ' +
    'Handle what you know already by its `id`.',
  detail: {
    en: 'Events after this cursor are no longer kept, or it is not one of yours. Leave out `after` to begin with the oldest.',
    pt: 'Os eventos depois deste cursor não são mais guardados, ou ele não é seu. Omita `after` para começar do mais antigo.',
  },
});

/** The format of a pagination cursor: ours, or the id of an event. Opaque to callers. */
export const CURSOR = `^cur_[0-9a-z]{1,11}$|${idPattern('evt')}`;

const cursorAt = (position: number) => `cur_${position.toString(36)}`;

/**
 * What a key may read. A merchant's key: only that merchant's sales. Any other: the events of its scopes, so that a key for
 * forms, which is public, reads only about forms.
 */
export function readerOf(
  { scopes, merchantId }: Pick<Caller, 'scopes' | 'merchantId'>,
  wanted: readonly EventType[] = EVENT_TYPES,
): Reader {
  const isBound = merchantId !== 0;
  const told: readonly string[] = isBound ? ['merchant'] : scopes;
  const may = (type: EventType) => scopesOf(type).some((scope) => told.includes(scope));
  return { types: wanted.filter(may), merchantId: isBound ? merchantId : null };
}

type FeedQuery = { partnerId: string; after: string | undefined; reader: Reader; limit: number };

/** The next page, and the cursor after it, also when the page is empty. */
export async function readPage(db: Db, { partnerId, after, reader, limit }: FeedQuery) {
  const position = after === undefined ? 0 : await positionOf(db, partnerId, after);
  const page = await readFeed(db, partnerId, { after: position, reader, limit });
  if (after !== undefined && !page.isKnown) throw cursorExpired();
  return { events: page.events, after: cursorAt(page.upTo) };
}

/** The position of a cursor or event. An unknown one throws `cursor_expired`. */
async function positionOf(db: Db, partnerId: string, after: string): Promise<number> {
  if (after.startsWith('cur_')) return Number.parseInt(after.slice('cur_'.length), 36);
  const position = await findPartnerPosition(db, partnerId, after);
  if (position === undefined) throw cursorExpired();
  return position;
}
