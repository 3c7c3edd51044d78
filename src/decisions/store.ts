import type { DecisionOutcome, Facts, Moment, Policy } from '#core/decision.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { type Listing, type Narrowing, onDays } from '#platform/http/listing.ts';
import { matchesSearch } from '#platform/http/search.ts';

const policies = columns({
  version: column.integer(),
  role: column.text<'force' | 'shadow'>(),
  policy: column.jsonb<Policy>().nullable(),
  set_by: column.text(),
  set_at: column.timestamptz(),
});
export type PolicyRow = RowOf<typeof policies>;

export async function listNewestPolicies(db: Queryable): Promise<PolicyRow[]> {
  return db.rows(sql`
    (select ${policies.of('f')} from credit_policies f where role = 'force' order by version desc limit 1)
    union all
    (select ${policies.of('s')} from credit_policies s where role = 'shadow' order by version desc limit 1)`);
}

export const listedPolicies: Listing<PolicyRow> = {
  of: sql`select ${policies.of('p')} from credit_policies p`,
  where: [],
  by: [sql`version`],
  keyOf: ({ version }) => [version],
};

/** Serializes changes, so that concurrent ones get different versions. */
export async function lockPolicies(tx: Tx): Promise<void> {
  await tx.run(sql`lock table credit_policies in share row exclusive mode`);
}

export async function insertPolicy(
  tx: Tx,
  made: { role: 'force' | 'shadow'; policy: Policy | null; setBy: string; setAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into credit_policies (version, role, policy, set_by, set_at)
    select coalesce(max(version), 1) + 1, ${made.role}, ${made.policy && JSON.stringify(made.policy)}::jsonb,
           ${made.setBy}, ${made.setAt}
    from credit_policies`);
}

const decisions = columns({
  customer_id: column.text(),
  id: column.text(),
  moment: column.text<Moment>(),
  outcome: column.text<DecisionOutcome>(),
  decided: column.text<DecisionOutcome>(),
  decided_limit_cents: column.bigint(),
  limit_cents: column.bigint(),
  reasons: column.textArray(),
  policy_version: column.integer(),
  facts: column.jsonb<Facts>(),
  offer_id: column.text().nullable(),
  merchant_id: column.bigint().nullable(),
  shadow_version: column.integer().nullable(),
  shadow_outcome: column.text<DecisionOutcome>().nullable(),
  shadow_limit_cents: column.bigint().nullable(),
  decided_at: column.timestamptz(),
  answered_by: column.text().nullable(),
  answered_at: column.timestamptz().nullable(),
  answer_reason: column.text().nullable(),
});
export type DecisionRow = RowOf<typeof decisions>;

/** Sent with the next statement. Deduplicated by offer and outcome. */
export function writeDecision(tx: CustomerTx, row: DecisionRow): void {
  tx.write(sql`insert into credit_decisions ${decisions.values(row)} on conflict do nothing`);
}

/** False for a duplicate. */
export async function insertDecision(tx: CustomerTx, row: DecisionRow): Promise<boolean> {
  const inserted = await tx.run(
    sql`insert into credit_decisions ${decisions.values(row)} on conflict do nothing`,
  );
  return inserted === 1;
}

/** The customer of a decision, for callers that know only its id. */
export async function findDecisionCustomer(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from credit_decisions where id = ${id}`,
  );
  return row?.customer_id;
}

export async function findDecision(
  db: Queryable,
  customerId: string,
  id: string,
): Promise<DecisionRow | undefined> {
  return db.row(sql`
    select ${decisions.of('d')} from credit_decisions d where customer_id = ${customerId} and id = ${id}`);
}

export async function markAnswered(
  tx: CustomerTx,
  { customer_id, id }: Pick<DecisionRow, 'customer_id' | 'id'>,
  answer: { outcome: DecisionOutcome; limitCents: number; by: string; at: Date; reason: string | null },
): Promise<void> {
  await tx.run(sql`
    update credit_decisions set
      outcome = ${answer.outcome}, limit_cents = ${answer.limitCents}, answered_by = ${answer.by}, answered_at = ${answer.at},
      answer_reason = ${answer.reason}
    where customer_id = ${customer_id} and id = ${id}`);
}

/** The customer's latest decision, by a policy or a person, and the newest pending one. */
export async function listLatestDecisions(db: Queryable, customerId: string): Promise<DecisionRow[]> {
  return db.rows(sql`
    (select ${decisions.of('d')} from credit_decisions d where customer_id = ${customerId}
     order by coalesce(answered_at, decided_at) desc limit 1)
    union all
    (select ${decisions.of('w')} from credit_decisions w
     where customer_id = ${customerId} and outcome = 'review' order by decided_at desc limit 1)`);
}

/** The pending review that the customer requested. */
export async function findWaitingReview(
  tx: CustomerTx,
  customerId: string,
): Promise<DecisionRow | undefined> {
  return tx.row(sql`
    select ${decisions.of('d')} from credit_decisions d
    where customer_id = ${customerId} and moment = 'review' and outcome = 'review'`);
}

export type PastDecision = Pick<
  DecisionRow,
  'customer_id' | 'moment' | 'decided' | 'offer_id' | 'facts' | 'decided_limit_cents'
>;

/** The newest decisions of policies. Reviews that customers requested are left out. */
export async function listPastDecisions(db: Queryable, most: number): Promise<PastDecision[]> {
  return db.rows(sql`
    select customer_id, moment, decided, offer_id, facts, decided_limit_cents from credit_decisions
    where moment <> 'review' order by decided_at desc, id desc limit ${most}`);
}

type Shadowed = PastDecision & Pick<DecisionRow, 'shadow_outcome' | 'shadow_limit_cents'>;

/** Decisions for which this version was the shadow. */
export async function listShadowed(db: Queryable, version: number, most: number): Promise<Shadowed[]> {
  return db.rows(sql`
    select customer_id, moment, decided, offer_id, facts, decided_limit_cents, shadow_outcome, shadow_limit_cents
    from credit_decisions
    where shadow_version = ${version} and moment <> 'review' order by decided_at desc, id desc limit ${most}`);
}

export const listedDecisions = ({
  customerId,
  target,
  outcome,
  moment,
  ...days
}: Narrowing & {
  customerId?: string | undefined;
  outcome?: DecisionOutcome | undefined;
  moment?: Moment | undefined;
}): Listing<DecisionRow> => ({
  of: sql`select ${decisions.of('d')} from credit_decisions d`,
  where: [
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(moment === undefined ? [] : [sql`moment = ${moment}`]),
    ...onDays(sql`decided_at`, days),
  ],
  by: [sql`decided_at`, sql`id`],
  keyOf: ({ decided_at, id }) => [decided_at, id],
  only: matchesSearch(target, { customer: sql`customer_id` }),
});

export async function countReviews(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(
    sql`select count(*) as n from credit_decisions where outcome = 'review'`,
  );
  return row!.n;
}

export type Standing = { limit_cents: number; offered_cents: number | null };

export async function findStanding(db: Queryable, customerId: string): Promise<Standing | undefined> {
  return db.row(
    sql`select limit_cents, offered_cents from credit_standings where customer_id = ${customerId}`,
  );
}

export function writeStanding(
  tx: CustomerTx,
  customerId: string,
  { limit_cents, offered_cents }: Standing,
): void {
  tx.write(sql`
    insert into credit_standings (customer_id, limit_cents, offered_cents)
    values (${customerId}, ${limit_cents}, ${offered_cents})
    on conflict (customer_id) do update set limit_cents = excluded.limit_cents, offered_cents = excluded.offered_cents`);
}

export type OwnFacts = {
  refusals_month: number;
  /** A person's answer to this very offer. */
  person: 'approved' | 'declined' | null;
  report_score: number | null;
  report_irregular: boolean | null;
  report_asked_at: Date | null;
  /** The terms under which the customer agreed to it. */
  report_consent: string | null;
};

/** What earlier decisions and the bureau say of a customer. */
export async function findOwnFacts(
  tx: Tx,
  { customerId, offerId, now }: { customerId: string; offerId: string | null; now: Date },
): Promise<OwnFacts> {
  const row = await tx.row<OwnFacts>(sql`
    select
      (select count(distinct coalesce(offer_id, id)) from credit_decisions
       where customer_id = ${customerId} and decided_at > ${now}::timestamptz - interval '30 days' and outcome = 'declined'
         and moment in ('signup', 'accept') and offer_id is distinct from ${offerId}) as refusals_month,
      (select outcome from credit_decisions
       where customer_id = ${customerId} and offer_id = ${offerId} and answered_at is not null
       order by answered_at desc limit 1) as person,
      report.score as report_score, report.cpf_irregular as report_irregular, report.asked_at as report_asked_at,
      report.consent as report_consent
    from (select) as one
    left join lateral (
      select score, cpf_irregular, asked_at, consent from bureau_reports
      where customer_id = ${customerId} order by asked_at desc limit 1) as report on true`);
  return row!;
}

export type BureauReport = { score: number; cpfIrregular: boolean };

export function writeReport(
  tx: CustomerTx,
  customerId: string,
  report: BureauReport,
  { consent, now }: { consent: string; now: Date },
): void {
  tx.write(sql`
    insert into bureau_reports (customer_id, asked_at, consent, score, cpf_irregular)
    values (${customerId}, ${now}, ${consent}, ${report.score}, ${report.cpfIrregular})
    on conflict do nothing`);
}

/** In percent of sales; 0 without sales. */
export async function findMerchantLoss(tx: Tx, merchantId: number): Promise<number> {
  const row = await tx.row<{ sold_cents: number; lost_cents: number }>(
    sql`select sold_cents, lost_cents from merchant_losses where merchant_id = ${merchantId}`,
  );
  return row && row.sold_cents > 0 ? Math.floor((row.lost_cents * 1_000) / row.sold_cents) / 10 : 0;
}

export async function replaceMerchantLosses(
  tx: Tx,
  losses: ReadonlyArray<{ merchant_id: number; sold_cents: number; lost_cents: number }>,
): Promise<void> {
  await tx.run(sql`delete from merchant_losses`);
  await tx.run(sql`
    insert into merchant_losses (merchant_id, sold_cents, lost_cents)
    select * from unnest(${losses.map((one) => one.merchant_id)}::bigint[], ${losses.map((one) => one.sold_cents)}::bigint[],
                         ${losses.map((one) => one.lost_cents)}::bigint[])`);
}
