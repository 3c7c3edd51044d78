import type { EventType, StoredEvent } from '#events';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';
import { dataForMerchant } from './publish-store.ts';

/** The events that an API key may read: these types and, if the key is bound to a merchant, only events of that merchant. */
export type FeedFilter = { readonly types: readonly EventType[]; readonly merchantId: number | null };

type FeedPage = {
  events: StoredEvent[];
  /** The position up to which events were read, including events that the filter excludes. */
  readUpTo: number;
  /** False if events after the position were deleted, or the position is not one of this partner. */
  isPositionKnown: boolean;
};

type FeedState = { newest: number; purged: number; known: boolean };

/** Lists the events after the position. One statement reads one snapshot: no event can be added or purged in between. */
export async function listFeedEvents(
  db: Queryable,
  partnerId: string,
  { after, filter, limit }: { after: number; filter: FeedFilter; limit: number },
): Promise<FeedPage> {
  const rows = await db.rows<FeedState & Partial<StoredEvent>>(sql`
    select state.newest, state.purged, state.known, e.id, e.position, e.type, e.occurred_at, e.sequence,
           ${filter.merchantId === null ? sql`e.data` : dataForMerchant} as data
    from (select coalesce((select max(position) from partner_events where partner_id = ${partnerId}), 0) as newest,
                 coalesce((select purged_to from partner_feeds where partner_id = ${partnerId}), 0) as purged,
                 exists (select from partner_events where partner_id = ${partnerId} and position = ${after}) as known
         ) as state
    left join lateral (${selectVisible(filter, partnerId, after, limit)}) as e on true
    order by e.position`);
  const { newest, purged, known } = rows[0]!;
  const events = rows.filter((row): row is FeedState & StoredEvent => row.id != null);
  const isLastPage = events.length < limit;
  return {
    events,
    readUpTo: isLastPage ? Math.max(newest, purged, after) : events.at(-1)!.position,
    isPositionKnown: purged <= after && (known || purged === after),
  };
}

/** Selects the first events of each type, and then the first of those, so that rare types are found without scanning all events. */
function selectVisible(
  { types, merchantId }: FeedFilter,
  partnerId: string,
  after: number,
  limit: number,
): Sql {
  const condition = merchantId === null ? sql`unbound` : sql`merchant_id = ${merchantId}`;
  return sql`
    select one.* from unnest(${types}::text[]) as types (type) cross join lateral (
      select * from partner_events
      where partner_id = ${partnerId} and type = types.type and ${condition} and position > ${after}
      order by position limit ${limit}
    ) as one order by one.position limit ${limit}`;
}

/** The position of an event in the partner's feed. */
export async function findPartnerPosition(db: Queryable, partnerId: string, id: string) {
  const row = await db.row<{ position: number }>(
    sql`select position from partner_events where partner_id = ${partnerId} and id = ${id}`,
  );
  return row?.position;
}
