import { Type } from 'typebox';
import type { Day } from '#core/values/day.ts';
import { column, columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { RequiredRole } from '#platform/http/access.ts';
import { type ActionDescription, APPROVAL_STATUSES } from '#platform/http/approval.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { describeSearch } from '#platform/http/search.ts';
import { omit } from '#platform/omit.ts';
import type { Vault } from '#platform/vault.ts';
import { approvals } from '../generated/tables.ts';

/** The request of an action. It is replayed when the action is approved. */
export type StoredRequest = {
  method: string;
  url: string;
  body: unknown;
  ifMatch: string | undefined;
  ipAddress: string;
  role: RequiredRole;
};

/** The description of an action. Approvals stored by an earlier release have none. */
type ApprovalDetails = Pick<ActionDescription, 'subject' | 'change'>;

/** The columns of a new approval. The others are null until it is decided or performed. */
export const newApprovalColumns = columns({
  ...omit(approvals, 'decided_by', 'decided_at', 'done_at', 'outcome'),
  details_sealed: column.encrypted<ApprovalDetails>({ context: 'approval details' }).nullable(),
  // Stored requests have always been encrypted with an empty context.
  request_sealed: column.encrypted<StoredRequest>({ context: '' }).nullable(),
});

/** `outcome` is the reason of a refusal, or why the action failed. */
export type ApprovalRow = TableRow<typeof approvals>;

const { details_sealed: detailsColumn } = newApprovalColumns.declarations;

export const encryptDetails = (vault: Vault, id: string, { subject, change }: ApprovalDetails): Buffer =>
  detailsColumn.encrypt(vault, id, { subject, change });

export const decryptDetails = (vault: Vault, row: ApprovalRow): ApprovalDetails =>
  row.details_sealed === null
    ? { subject: { kind: row.subject_kind ?? '', id: row.subject, name: null }, change: [] }
    : detailsColumn.decrypt(vault, row.id, row.details_sealed);

/** Returns false if an approval of an equal request, or of the same subject, is pending. */
export async function insertApproval(tx: Tx, approval: RowOf<typeof newApprovalColumns>): Promise<boolean> {
  const insertedCount = await tx.run(sql`
    insert into approvals ${newApprovalColumns.values(approval)} on conflict do nothing`);
  return insertedCount > 0;
}

export const findPendingApproval = (db: Queryable, subject: { kind: string; id: string }) =>
  db.row<ApprovalRow>(sql`
    select * from approvals
    where subject_kind = ${subject.kind} and subject = ${subject.id} and status = 'waiting'`);

export const findApproval = (db: Queryable, id: string) =>
  db.row<ApprovalRow>(sql`select * from approvals where id = ${id}`);

export const lockApproval = (tx: Tx, id: string) =>
  tx.row<ApprovalRow>(sql`select * from approvals where id = ${id} for no key update`);

export const saveDecision = (
  tx: Tx,
  id: string,
  decision: { status: 'approved' | 'refused'; decidedBy: string; decidedAt: Date; outcome: string | null },
) =>
  tx.run(sql`
    update approvals set status = ${decision.status}, decided_by = ${decision.decidedBy}, decided_at = ${decision.decidedAt},
      outcome = ${decision.outcome},
      request_sealed = case when ${decision.status}::text = 'approved' then request_sealed end
    where id = ${id}`);

/** Returns false if the action was already performed, or has failed. */
export async function setPerformed(tx: Tx, id: string, now: Date): Promise<boolean> {
  const updatedCount = await tx.run(sql`
    update approvals set done_at = ${now}, request_sealed = null
    where id = ${id} and status = 'approved' and done_at is null`);
  return updatedCount > 0;
}

export const setFailed = (db: Queryable, id: string, now: Date, outcome: string) =>
  db.run(sql`
    update approvals set status = 'failed', done_at = ${now}, outcome = ${outcome}, request_sealed = null
    where id = ${id} and status = 'approved' and done_at is null`);

/** Identifies the total amount of the actions of one kind that a staff user has performed in a day without an approval. */
type ActionTotalKey = { staffUserId: string; kind: string; day: Day };

export const findActionTotal = async (db: Queryable, { staffUserId, kind, day }: ActionTotalKey) =>
  (await db.value<number>(sql`
    select amount_cents from staff_act_totals where staff_user_id = ${staffUserId} and kind = ${kind} and day = ${day}`)) ??
  0;

/** Returns the new total. Concurrent actions of the staff user wait for the commit. */
export const addToActionTotal = async (
  tx: Tx,
  { staffUserId, kind, day }: ActionTotalKey,
  amountCents: number,
) =>
  (await tx.value<number>(sql`
    insert into staff_act_totals as existing (staff_user_id, kind, day, amount_cents)
    values (${staffUserId}, ${kind}, ${day}, ${amountCents})
    on conflict (staff_user_id, kind, day) do update set amount_cents = existing.amount_cents + excluded.amount_cents
    returning amount_cents`))!;

export const purgeActionTotals = (db: Queryable, firstRetainedDay: Day) =>
  db.run(sql`delete from staff_act_totals where day < ${firstRetainedDay}`);

export const expireUndecidedApprovals = (db: Queryable, requestedBefore: Date, now: Date) =>
  db.run(sql`
    update approvals set status = 'expired', decided_at = ${now}, request_sealed = null
    where status = 'waiting' and asked_at < ${requestedBefore}`);

/** Expires the pending approvals about a customer who is erased. */
export const expireApprovalsOfSubject = (tx: Tx, subject: string) =>
  tx.run(sql`
    update approvals set status = 'expired', decided_at = asked_at where subject = ${subject} and status = 'waiting'`);

export const approvalList = defineList({
  select: sql`select * from approvals`,
  filters: {
    status: filterBy(
      Type.Enum([...APPROVAL_STATUSES], { description: 'Status of the approval.' }),
      sql`status`,
    ),
    kind: filterBy(
      Type.String({ pattern: '^[a-z_]{1,40}$', description: 'Kind of the action.', examples: ['write_off'] }),
      sql`kind`,
    ),
    ...filterByDays('Requested', sql`asked_at`),
  },
  search: {
    description: describeSearch('the name of the merchant, or the id or hash of the subject'),
    customerColumn: sql`subject`,
    idColumns: [sql`id`, sql`subject`],
  },
  orderBy: [sql`asked_at`, sql`id`],
  keyOf: ({ asked_at, id }: ApprovalRow) => [asked_at, id],
  sumColumn: sql`amount_cents`,
});

export const countPendingApprovals = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from approvals where status = 'waiting'`))!;
