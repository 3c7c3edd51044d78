import { EVENT_TYPES, type EventType, getScopes, type StoredEvent } from '#events';
import { type Db, type Queryable, type Sql, sql } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { idPattern } from '#platform/http/schemas.ts';
import { defineProblem } from '#platform/problem.ts';
import { omitCustomer } from './publish-store.ts';

/** The events that an API key may read: these types and, if the key is bound to a merchant, only events of that merchant. */
export type FeedFilter = { readonly types: readonly EventType[]; readonly merchantId: number | null };

type FeedPage = {
  events: StoredEvent[];
  /** The position up to which events were read, including events that the filter excludes. */
  lastReadPosition: number;
  /** Whether the requested position is the end of the purged events, or that of an event of this partner that is not purged. */
  canContinue: boolean;
};

/**
 * Columns that every row of `listFeedEvents` repeats. Without a matching event there is one row, in which the columns of the event are
 * null. Events up to the position `purged_to` may already have been deleted.
 */
type FeedState = { newest_position: number; purged_to: number; is_event_position: boolean };

type FeedRange = { afterPosition: number; filter: FeedFilter; limit: number };

/** Lists the events after the position. One statement reads one snapshot: no event can be added or purged in between. */
export async function listFeedEvents(db: Queryable, partnerId: string, range: FeedRange): Promise<FeedPage> {
  const { afterPosition, filter, limit } = range;
  const rows = await db.rows<FeedState & Partial<StoredEvent>>(sql`
    select state.newest_position, state.purged_to, state.is_event_position, event.id, event.position, event.type, event.occurred_at,
           event.sequence, ${filter.merchantId === null ? sql`event.data` : omitCustomer(sql`event.data`)} as data
    from (select coalesce((select max(position) from partner_events where partner_id = ${partnerId}), 0) as newest_position,
                 coalesce((select purged_to from partner_feeds where partner_id = ${partnerId}), 0) as purged_to,
                 exists (select from partner_events where partner_id = ${partnerId} and position = ${afterPosition}) as is_event_position
         ) as state
    left join lateral (${selectVisibleEvents(partnerId, range)}) as event on true
    order by event.position`);
  const { newest_position, purged_to, is_event_position } = rows[0]!;
  const events = rows.filter((row): row is FeedState & StoredEvent => row.id != null);
  const isLastPage = events.length < limit;
  return {
    events,
    lastReadPosition: isLastPage
      ? Math.max(newest_position, purged_to, afterPosition)
      : events.at(-1)!.position,
    canContinue: purged_to === afterPosition || (purged_to < afterPosition && is_event_position),
  };
}

/**
 * Selects the first `limit` events of each type, and of these the first `limit`, so that rare types are found without scanning all
 * events. `unbound` events reach keys that are not bound to a merchant.
 */
export function selectVisibleEvents(partnerId: string, { afterPosition, filter, limit }: FeedRange): Sql {
  const condition = filter.merchantId === null ? sql`unbound` : sql`merchant_id = ${filter.merchantId}`;
  return sql`
    select visible.* from unnest(${filter.types}::text[]) as types (type) cross join lateral (
      select * from partner_events
      where partner_id = ${partnerId} and type = types.type and ${condition} and position > ${afterPosition}
      order by position limit ${limit}
    ) as visible order by visible.position limit ${limit}`;
}

/** Finds the position of an event in the partner's feed. */
export const findPartnerPosition = (db: Queryable, partnerId: string, id: string) =>
  db.value<number>(sql`select position from partner_events where partner_id = ${partnerId} and id = ${id}`);

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
 * Returns which events an API key may read. A key that is bound to a merchant reads only events of that merchant. Any other key reads
 * the events of its scopes, so that a public key for lead forms reads only events about leads.
 */
export function buildFeedFilter(
  { scopes, merchantId }: Pick<Caller, 'scopes' | 'merchantId'>,
  types: readonly EventType[] = EVENT_TYPES,
): FeedFilter {
  const isBound = merchantId !== 0;
  const readableScopes: readonly string[] = isBound ? ['merchant'] : scopes;
  const isReadable = (type: EventType) => getScopes(type).some((scope) => readableScopes.includes(scope));
  return { types: types.filter(isReadable), merchantId: isBound ? merchantId : null };
}

type FeedQuery = { partnerId: string; cursor: string | undefined; filter: FeedFilter; limit: number };

/** Returns the next page and the cursor after it, even if the page is empty. */
export async function readFeedPage(db: Db, { partnerId, cursor, filter, limit }: FeedQuery) {
  const position = cursor === undefined ? 0 : await resolvePosition(db, partnerId, cursor);
  const page = await listFeedEvents(db, partnerId, { afterPosition: position, filter, limit });
  if (cursor !== undefined && !page.canContinue) throw cursorExpired();
  return { events: page.events, nextCursor: formatCursor(page.lastReadPosition) };
}

/** Returns the position of a cursor or event. Throws `cursor_expired` if it is unknown. */
async function resolvePosition(db: Db, partnerId: string, cursor: string): Promise<number> {
  if (cursor.startsWith('cur_')) return Number.parseInt(cursor.slice('cur_'.length), 36);
  const position = await findPartnerPosition(db, partnerId, cursor);
  if (position === undefined) throw cursorExpired();
  return position;
}
