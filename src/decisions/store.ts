import { Type } from 'typebox';
import { type DecisionOutcome, type Facts, MOMENTS, OUTCOMES, type Policy } from '#core/finance/decision.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { OFFER_TTL_MS, selectIsOverdue } from '#credit';
import { filterByCustomer, type PurchaseBlockSql } from '#customers';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { idOrPhone } from '#platform/http/schemas.ts';
import { selectCashbackDebt } from '#rewards';
import { credit_decisions, credit_policies } from './generated/tables.ts';

/** The role of a policy is `force` if it is in force. A null policy records that the shadow policy was removed. */
const policyColumns = columns({ ...credit_policies, policy: column.jsonb<Policy>().nullable() });
export type PolicyRow = RowOf<typeof policyColumns>;

/** Lists the newest policy of each role. `batchKey` differs between callers whose reads may be batched into one round trip. */
export const listNewestPolicies = (db: Queryable, batchKey: string) =>
  db.rows<PolicyRow>(selectNewestPolicies({ batchKey }));

const selectNewestPolicies = batchable(
  (rows: ReadonlyArray<{ batchKey: string }>) => sql`
    select input.batch_key, ${policyColumns.selectFrom('policy')}
    from unnest(${pluck(rows, 'batchKey')}::text[]) as input (batch_key)
    cross join (
      (select * from credit_policies where role = 'force' order by version desc limit 1)
      union all
      (select * from credit_policies where role = 'shadow' order by version desc limit 1)) as policy`,
);

export const policyList = defineList({
  select: sql`select ${policyColumns.selectFrom('policy')} from credit_policies policy`,
  filters: {},
  orderBy: [sql`version`],
  keyOf: ({ version }: PolicyRow) => [version],
});

/** Serializes changes, so that concurrent changes get different versions. */
export const lockPolicies = (tx: Tx) => tx.run(sql`lock table credit_policies in share row exclusive mode`);

/** Inserts a policy with the next version. Version 1 is the built-in policy, which is not stored. */
export const insertPolicy = (
  tx: Tx,
  version: { role: 'force' | 'shadow'; policy: Policy | null; setBy: string; setAt: Date },
) =>
  tx.run(sql`
    insert into credit_policies (version, role, policy, set_by, set_at)
    select coalesce(max(version), 1) + 1, ${version.role}, ${version.policy && JSON.stringify(version.policy)}::jsonb,
           ${version.setBy}, ${version.setAt}
    from credit_policies`);

/** `decided` and `decided_limit_cents` are the result of the policy; a reviewer's answer changes `outcome` and `limit_cents`. */
const decisionColumns = columns({ ...credit_decisions, facts: column.jsonb<Facts>() });
export type DecisionRow = RowOf<typeof decisionColumns>;

/** Queues the insert of a decision, which is sent with the next statement. Ignores a duplicate (same offer and outcome). */
export function queueDecision(tx: CustomerTx, row: DecisionRow): void {
  tx.queueWrite(insertDecisions({ customerId: row.customer_id, row }));
}

/** Inserts a decision. Returns false for a duplicate (same offer and outcome). */
export const insertDecision = async (tx: CustomerTx, row: DecisionRow): Promise<boolean> =>
  (await tx.row(insertDecisions({ customerId: row.customer_id, row }))) !== undefined;

const insertDecisions = batchable(
  (rows: ReadonlyArray<{ customerId: string; row: DecisionRow }>, customerSql) => sql`
    insert into credit_decisions ${decisionColumns.valuesFromJson(pluck(rows, 'row'), customerSql)}
    on conflict do nothing returning customer_id`,
);

export async function findDecisionCustomerId(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from credit_decisions where id = ${id}`,
  );
  return row?.customer_id;
}

export const findDecision = (db: Queryable, customerId: string, id: string) =>
  db.row<DecisionRow>(sql`
    select ${decisionColumns.selectFrom('decision')} from credit_decisions decision
    where customer_id = ${customerId} and id = ${id}`);

export const saveAnswer = (
  tx: CustomerTx,
  { customer_id, id }: Pick<DecisionRow, 'customer_id' | 'id'>,
  answer: {
    outcome: DecisionOutcome;
    limitCents: number;
    answeredBy: string;
    answeredAt: Date;
    reason: string | null;
  },
) =>
  tx.run(sql`
    update credit_decisions set
      outcome = ${answer.outcome}, limit_cents = ${answer.limitCents}, answered_by = ${answer.answeredBy},
      answered_at = ${answer.answeredAt}, answer_reason = ${answer.reason}
    where customer_id = ${customer_id} and id = ${id}`);

/**
 * Lists the latest decision that set the customer's limit, and the newest pending decision. A policy's decision on a purchase does not
 * set the limit; a reviewer's answer to one may.
 */
export const listLatestDecisions = (db: Queryable, customerId: string) =>
  db.rows<DecisionRow>(sql`
    (select ${decisionColumns.selectFrom('decision')} from credit_decisions decision
     where customer_id = ${customerId} and (moment in ('signup', 'growth', 'late') or answered_at is not null)
     order by coalesce(answered_at, decided_at) desc limit 1)
    union all
    (select ${decisionColumns.selectFrom('decision')} from credit_decisions decision
     where customer_id = ${customerId} and outcome = 'review' order by decided_at desc limit 1)`);

/** Finds the review that the customer has requested and that is pending. */
export const findRequestedReview = (tx: CustomerTx, customerId: string) =>
  tx.row<DecisionRow>(sql`
    select ${decisionColumns.selectFrom('decision')} from credit_decisions decision
    where customer_id = ${customerId} and moment = 'review' and outcome = 'review'`);

export type PastDecision = Pick<
  DecisionRow,
  'customer_id' | 'moment' | 'decided' | 'offer_id' | 'facts' | 'decided_limit_cents'
>;

/** Lists the newest decisions of policies. Omits reviews that customers requested. */
export const listPastDecisions = (db: Queryable, limit: number) =>
  db.rows<PastDecision>(sql`
    select customer_id, moment, decided, offer_id, facts, decided_limit_cents from credit_decisions
    where moment <> 'review' order by decided_at desc, id desc limit ${limit}`);

type ShadowDecision = PastDecision & Pick<DecisionRow, 'shadow_outcome' | 'shadow_limit_cents'>;

/** Lists decisions that were also evaluated with this version of the shadow policy. */
export const listShadowDecisions = (db: Queryable, version: number, limit: number) =>
  db.rows<ShadowDecision>(sql`
    select customer_id, moment, decided, offer_id, facts, decided_limit_cents, shadow_outcome, shadow_limit_cents
    from credit_decisions
    where shadow_version = ${version} and moment <> 'review' order by decided_at desc, id desc limit ${limit}`);

export const decisionList = defineList({
  select: sql`select ${decisionColumns.selectFrom('decision')} from credit_decisions decision`,
  filters: {
    customer: filterByCustomer(sql`customer_id`, idOrPhone({ description: 'Id or phone of the customer.' })),
    outcome: filterBy(Type.Enum([...OUTCOMES]), sql`outcome`),
    moment: filterBy(Type.Enum([...MOMENTS], { description: 'Moment of the decision.' }), sql`moment`),
    ...filterByDays('Decided', sql`decided_at`),
  },
  search: { description: 'Name, phone or CPF of the customer.', customerColumn: sql`customer_id` },
  orderBy: [sql`decided_at`, sql`id`],
  keyOf: ({ decided_at, id }: DecisionRow) => [decided_at, id],
});

export const countPendingReviews = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from credit_decisions where outcome = 'review'`))!;

/**
 * SQL fragment: the reason why a purchase of this customer would be refused now, or null. A sign-up in review blocks purchases until the
 * customer has a limit. A purchase in review blocks other purchases until its offer must have expired.
 */
export const selectPurchaseBlock: PurchaseBlockSql = ({ id, limitCents }, now) => sql`
  case when ${selectIsOverdue(id, saoPauloDay(now.getTime()))} then 'overdue'
       when ${selectCashbackDebt(id)} > 0 then 'cashback_owed'
       when exists (select from credit_decisions
                    where customer_id = ${id} and outcome = 'review'
                      and ((moment = 'signup' and ${limitCents} = 0)
                           or (moment = 'accept' and decided_at > ${new Date(now.getTime() - OFFER_TTL_MS)}))) then 'review' end`;

/** The state of a customer's credit limit: the limit that the latest decision set, and a higher limit that is offered. If the customer's limit differs, staff have set it. */
export type Standing = {
  limit_cents: number;
  offered_cents: number | null;
  /** The limit before it was lowered because of an overdue installment; null if it is not lowered. */
  lowered_from_cents: number | null;
};

export const findStanding = (db: Queryable, customerId: string) =>
  db.row<Standing>(selectStandings({ customerId }));

const selectStandings = batchable(
  (rows, customerSql) => sql`
    select standing.customer_id, standing.limit_cents, standing.offered_cents, standing.lowered_from_cents
    from unnest(${pluck(rows, 'customerId')}::text[]) as input (customer_id)
    join credit_standings standing on standing.customer_id = ${customerSql}`,
);

export function queueStanding(
  tx: CustomerTx,
  customerId: string,
  { limit_cents, offered_cents, lowered_from_cents }: Standing,
): void {
  tx.queueWrite(sql`
    insert into credit_standings (customer_id, limit_cents, offered_cents, lowered_from_cents)
    values (${customerId}, ${limit_cents}, ${offered_cents}, ${lowered_from_cents})
    on conflict (customer_id) do update set limit_cents = excluded.limit_cents, offered_cents = excluded.offered_cents,
      lowered_from_cents = excluded.lowered_from_cents`);
}

/** Builds the standing for a limit that is not lowered, without an offer of a higher limit. */
export const buildStanding = (limitCents: number): Standing => ({
  limit_cents: limitCents,
  offered_cents: null,
  lowered_from_cents: null,
});

export async function isLimitChosenByReviewer(tx: CustomerTx, customerId: string, limitCents: number) {
  const row = await tx.row(sql`
    select from credit_decisions
    where customer_id = ${customerId} and answered_at is not null and limit_cents = ${limitCents}
      and limit_cents <> decided_limit_cents
    limit 1`);
  return row !== undefined;
}

export type DecisionFacts = {
  refusals_month: number;
  /** When a higher limit was last offered; null if never. A decision on growth with a `cause` follows a reversal, and offers nothing. */
  grown_at: Date | null;
  /** A reviewer's answer about this offer; null if there is none. */
  reviewer_outcome: 'approved' | 'declined' | null;
  report_score: number | null;
  report_irregular: boolean | null;
  report_asked_at: Date | null;
  /** The version of the terms with which the customer consented to the report. */
  report_consent: string | null;
};

/** Finds facts about a customer from earlier decisions and from the credit bureau. Always finds a row: without a report its fields are null. */
export const findDecisionFacts = async (tx: Tx, request: DecisionFactsRequest): Promise<DecisionFacts> =>
  (await tx.row<DecisionFacts>(selectDecisionFacts(request)))!;

type DecisionFactsRequest = { customerId: string; offerId: string | null; now: Date };

const selectDecisionFacts = batchable(
  (rows: readonly DecisionFactsRequest[], customerSql) => sql`
    select ${customerSql} as customer_id,
      (select count(distinct coalesce(offer_id, id)) from credit_decisions
       where customer_id = ${customerSql} and decided_at > input.now - interval '30 days' and outcome = 'declined'
         and moment in ('signup', 'accept') and offer_id is distinct from input.offer_id) as refusals_month,
      (select max(decided_at) from credit_decisions
       where customer_id = ${customerSql} and moment = 'growth' and facts -> 'cause' is null) as grown_at,
      (select outcome from credit_decisions
       where customer_id = ${customerSql} and offer_id = input.offer_id and answered_at is not null
       order by answered_at desc limit 1) as reviewer_outcome,
      report.score as report_score, report.cpf_irregular as report_irregular, report.asked_at as report_asked_at,
      report.consent as report_consent
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'offerId')}::text[], ${pluck(rows, 'now')}::timestamptz[])
         as input (customer_id, offer_id, now)
    left join lateral (
      select score, cpf_irregular, asked_at, consent from bureau_reports
      where customer_id = ${customerSql} order by asked_at desc limit 1) as report on true`,
);

export type BureauReport = { score: number; cpfIrregular: boolean };

export function queueReport(
  tx: CustomerTx,
  customerId: string,
  report: BureauReport,
  { consent, now }: { consent: string; now: Date },
): void {
  tx.queueWrite(sql`
    insert into bureau_reports (customer_id, asked_at, consent, score, cpf_irregular)
    values (${customerId}, ${now}, ${consent}, ${report.score}, ${report.cpfIrregular})
    on conflict do nothing`);
}

/** Finds the losses of a merchant in percent of its sales, with one decimal; 0 without sales. */
export async function findMerchantLossPercent(tx: Tx, request: MerchantLossRequest): Promise<number> {
  const row = await tx.row<{ sold_cents: number; lost_cents: number }>(selectMerchantLosses(request));
  return row && row.sold_cents > 0 ? Math.floor((row.lost_cents * 1_000) / row.sold_cents) / 10 : 0;
}

/** `customerId` identifies the caller's row in a statement that several callers share. */
type MerchantLossRequest = { readonly customerId: string; readonly merchantId: number };

const selectMerchantLosses = batchable(
  (rows: readonly MerchantLossRequest[], customerSql) => sql`
    select ${customerSql} as customer_id, loss.sold_cents, loss.lost_cents
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'merchantId')}::bigint[]) as input (customer_id, merchant_id)
    join merchant_losses loss on loss.merchant_id = input.merchant_id`,
);

export async function replaceMerchantLosses(
  tx: Tx,
  losses: ReadonlyArray<{ merchant_id: number; sold_cents: number; lost_cents: number }>,
): Promise<void> {
  await tx.run(sql`delete from merchant_losses`);
  await tx.run(sql`
    insert into merchant_losses (merchant_id, sold_cents, lost_cents)
    select * from unnest(${pluck(losses, 'merchant_id')}::bigint[], ${pluck(losses, 'sold_cents')}::bigint[],
                         ${pluck(losses, 'lost_cents')}::bigint[])`);
}
