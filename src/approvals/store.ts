import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { APPROVAL_STATUSES, ApprovalKind } from '#platform/http/approval.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import { matchesSearch, type SearchTarget } from '#platform/http/search.ts';

type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const asked = columns({
  id: column.text(),
  kind: column.text<ApprovalKind>(),
  amount_cents: column.bigint().nullable(),
  subject: column.text(),
  reason: column.text().nullable(),
  status: column.text<ApprovalStatus>(),
  asked_by: column.text(),
  asked_at: column.timestamptz(),
  request_sealed: column.bytea().nullable(),
  request_hash: column.bytea(),
});

export type ApprovalRow = RowOf<typeof asked> & {
  decided_by: string | null;
  decided_at: Date | null;
  done_at: Date | null;
  outcome: string | null;
};

/** Idempotent: an equal request that already waits is returned, with `isNew` false. */
export async function insertApproval(tx: Tx, approval: RowOf<typeof asked>) {
  const made = await tx.row<ApprovalRow>(sql`
    insert into approvals ${asked.values(approval)}
    on conflict (request_hash) where status = 'waiting' do update set request_hash = excluded.request_hash
    returning *`);
  return { row: made!, isNew: made!.id === approval.id };
}

export const findApproval = (db: Queryable, id: string) =>
  db.row<ApprovalRow>(sql`select * from approvals where id = ${id}`);

export const lockApproval = (tx: Tx, id: string) =>
  tx.row<ApprovalRow>(sql`select * from approvals where id = ${id} for no key update`);

export const markDecided = (
  tx: Tx,
  id: string,
  decision: { status: 'approved' | 'refused'; by: string; at: Date; outcome: string | null },
) =>
  tx.run(sql`
    update approvals set status = ${decision.status}, decided_by = ${decision.by}, decided_at = ${decision.at},
      outcome = ${decision.outcome},
      request_sealed = case when ${decision.status}::text = 'approved' then request_sealed end
    where id = ${id}`);

export const markDone = (
  tx: Tx,
  id: string,
  end: { status: 'approved' | 'failed'; at: Date; outcome: string | null },
) =>
  tx.run(sql`
    update approvals set status = ${end.status}, done_at = ${end.at}, outcome = ${end.outcome}, request_sealed = null
    where id = ${id}`);

/** Expires requests that have waited since before that instant. */
export const markExpired = (db: Queryable, askedBefore: Date, now: Date) =>
  db.run(sql`
    update approvals set status = 'expired', decided_at = ${now}, request_sealed = null
    where status = 'waiting' and asked_at < ${askedBefore}`);

type ApprovalFilter = {
  target?: SearchTarget | undefined;
  status?: ApprovalStatus | undefined;
  kind?: ApprovalKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** What one is about may be a customer. */
export const listedApprovals = ({ target, ...filter }: ApprovalFilter): Listing<ApprovalRow> => ({
  of: sql`select * from approvals`,
  where: [
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.kind === undefined ? [] : [sql`kind = ${filter.kind}`]),
    ...onDays(sql`asked_at`, filter),
  ],
  by: [sql`asked_at`, sql`id`],
  keyOf: ({ asked_at, id }) => [asked_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, { customer: sql`subject`, plain: [sql`id`, sql`subject`] }),
});

export async function countWaiting(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(sql`select count(*) as n from approvals where status = 'waiting'`);
  return row!.n;
}
