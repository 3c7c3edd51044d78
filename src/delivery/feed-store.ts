import type { EventType, WrittenEvent } from '#events';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';

/** What a key may read: these types, and only one merchant's sales if the key belongs to a merchant. */
export type Reader = { readonly types: readonly EventType[]; readonly merchantId: number | null };

type FeedPage = {
  events: WrittenEvent[];
  /** The position up to which events were read: they are in the page, or of another type. */
  upTo: number;
  /** False when events after the position were deleted, or the position is not one of this partner. */
  isKnown: boolean;
};

type Marks = { newest: number; purged: number; known: boolean };

/** The events after the position. One statement, so one snapshot: no event can be added or purged in between. */
export async function readFeed(
  db: Queryable,
  partnerId: string,
  { after, reader, limit }: { after: number; reader: Reader; limit: number },
): Promise<FeedPage> {
  const rows = await db.rows<Marks & Partial<WrittenEvent>>(sql`
    select marks.newest, marks.purged, marks.known, e.id, e.position, e.type, e.occurred_at, e.sequence, e.data
    from (select coalesce((select max(position) from partner_events where partner_id = ${partnerId}), 0) as newest,
                 coalesce((select purged_to from partner_feeds where partner_id = ${partnerId}), 0) as purged,
                 exists (select from partner_events where partner_id = ${partnerId} and position = ${after}) as known
         ) as marks
    left join lateral (${visibleTo(reader, partnerId, after, limit)}) as e on true
    order by e.position`);
  const { newest, purged, known } = rows[0]!;
  const events = rows.filter((row): row is Marks & WrittenEvent => row.id != null);
  const isWhole = events.length < limit;
  return {
    events,
    upTo: isWhole ? Math.max(newest, purged, after) : events.at(-1)!.position,
    isKnown: purged <= after && (known || purged === after),
  };
}

/** The first of each type, then the first of those: rare types are found without scanning all others. */
function visibleTo({ types, merchantId }: Reader, partnerId: string, after: number, limit: number): Sql {
  const seen = merchantId === null ? sql`unbound` : sql`merchant_id = ${merchantId}`;
  return sql`
    select one.* from unnest(${types}::text[]) as wanted (type) cross join lateral (
      select * from partner_events
      where partner_id = ${partnerId} and type = wanted.type and ${seen} and position > ${after}
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
