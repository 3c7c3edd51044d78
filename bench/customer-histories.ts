import type pg from 'pg';
import { saoPauloDay } from '#core/values/day.ts';
import { runAudit } from '#ledger';
import { type Db, sql } from '#platform/database/db.ts';
import { creditModule } from '../src/credit/module.ts';
import { rewardsModule } from '../src/rewards/module.ts';
import {
  CASHBACK_PPM,
  computeHistory,
  createPurchases,
  type History,
  INVITED_REWARD_CENTS,
  INVITER_REWARD_CENTS,
} from './cashback-histories.ts';
import { openBenchDb, withClient } from './environment.ts';
import {
  afternoonSql,
  checkoutHashSql,
  customerIdSql,
  generatePurchases,
  INSTALLMENTS,
  installmentIdSql,
  vacuumAndCheckpoint,
} from './purchases.ts';

const REGULAR_CUSTOMERS = 2_000;
const VETERANS = 20;
const INVITERS = 50;
const INVITATIONS_PER_INVITER = 100;
/** The number of guests of one inviter who buy something. The other guests are idle. */
const BUYERS_PER_INVITER = 30;
const FIRST_GUEST = REGULAR_CUSTOMERS + VETERANS + INVITERS + 1;
const CUSTOMERS = FIRST_GUEST - 1 + INVITERS * INVITATIONS_PER_INVITER;

/** The range of customer numbers of each role. Customers of a role have the same history. Invited guests have the numbers after these ranges. */
export const ROLES = {
  regular: { first: 1, last: REGULAR_CUSTOMERS },
  veteran: { first: REGULAR_CUSTOMERS + 1, last: REGULAR_CUSTOMERS + VETERANS },
  inviter: { first: REGULAR_CUSTOMERS + VETERANS + 1, last: FIRST_GUEST - 1 },
} as const;
export type Role = keyof typeof ROLES;

export const formatCustomerId = (customerNumber: number) => `cus_${String(customerNumber).padStart(26, '0')}`;

/** When an invited guest signed up, bought, and paid the first installment. */
const GUEST_DATES = { signedUpDaysAgo: 80, boughtDaysAgo: 70, firstPaidDaysAgo: 63 };

/** The progress at which a step begins. */
const PROGRESS = { statements: 0.7, audit: 0.9 };

/**
 * Computes the histories of the roles. Veterans have the same recent months as regular customers, and years before them. Responses have the
 * same size, so the older history causes a difference in cost.
 */
function computeHistories(): Record<Role | 'guest', History> {
  const today = saoPauloDay(Date.now());
  const recentPurchases = createPurchases({ olderCount: 7, intervalDays: 90 });
  const oldPurchases = Array.from({ length: 200 }, (_, i) => ({
    purchaseNumber: recentPurchases.length + 1 + i,
    daysAgo: 300 + i * 3,
    paidInstallments: INSTALLMENTS,
  }));
  const rewards = Array.from({ length: BUYERS_PER_INVITER }, (_, guestNumber) => ({
    daysAgo: GUEST_DATES.firstPaidDaysAgo,
    amount: INVITER_REWARD_CENTS,
    guestNumber,
  }));
  return {
    regular: computeHistory(today, recentPurchases),
    veteran: computeHistory(today, [...recentPurchases, ...oldPurchases]),
    inviter: computeHistory(today, createPurchases({ olderCount: 0, intervalDays: 0 }), rewards),
    guest: computeHistory(
      today,
      [{ purchaseNumber: 1, daysAgo: GUEST_DATES.boughtDaysAgo, paidInstallments: INSTALLMENTS }],
      [{ daysAgo: GUEST_DATES.firstPaidDaysAgo, amount: INVITED_REWARD_CENTS }],
    ),
  };
}

/** Generates customers with purchases, cashback and invitations. Returns the number of lines of the cashback statement for each role. */
export async function generateCustomerHistories(
  databaseUrl: string,
  onProgress?: (share: number, step: string) => void,
): Promise<Record<Role, number>> {
  const historiesByRole = computeHistories();
  await withClient(databaseUrl, async (client) => {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await createHistoryTables(client, historiesByRole);
    const purchasePlan = {
      customers: CUSTOMERS,
      cashbackPpm: CASHBACK_PPM,
      select: (first: number, last: number) => `
        select customer_number, "purchaseNumber", "daysAgo", "paidInstallments" from bench_roles join bench_purchases using (role)
        where customer_number between ${first} and ${last}`,
    };
    await generatePurchases(databaseUrl, purchasePlan, (share) =>
      onProgress?.(share * PROGRESS.statements, 'purchases'),
    );
    onProgress?.(PROGRESS.statements, 'statements');
    for (const insert of renderInserts()) await client.query(insert);
    await client.query('drop table bench_roles, bench_purchases, bench_lines, bench_lots');
    await vacuumAndCheckpoint(client);
  });
  onProgress?.(PROGRESS.audit, 'audit');
  const db = openBenchDb(databaseUrl, { timeoutMs: 60_000 });
  try {
    await encryptInvitedNames(db);
    await auditGeneratedData(db);
  } finally {
    await db.close();
  }
  const countLines = (role: Role) => historiesByRole[role].lines.length;
  return { regular: countLines('regular'), veteran: countLines('veteran'), inviter: countLines('inviter') };
}

/** Audits the generated data, to verify that it is what the service would have written. */
async function auditGeneratedData(db: Db): Promise<void> {
  const mismatches: string[] = [];
  // The generated data has no charges and payouts, so their auditors are left out. Mismatches of the demo merchants are ignored, because only
  // the auditor of payouts knows the kinds of their postings.
  await runAudit(db, [creditModule.auditor!, rewardsModule.auditor!], {
    onMismatch: (text) => {
      if (!text.startsWith('merchant ')) mismatches.push(text);
    },
    onProgress: () => undefined,
  });
  if (mismatches.length > 0)
    throw new Error(
      `The audit of the generated data found mismatches:\n${mismatches.slice(0, 10).join('\n')}`,
    );
}

/** Creates tables of the roles and of their histories, which the statements of `renderInserts` copy to every customer. */
async function createHistoryTables(
  client: pg.Client,
  historiesByRole: Record<string, History>,
): Promise<void> {
  const ranges = Object.entries(ROLES).map(([role, { first, last }]) => `('${role}', ${first}, ${last})`);
  await client.query(`
    create table bench_roles as
      select customer_number, role, null::int as inviter_number, null::int as guest_number
      from (values ${ranges.join(', ')}) as range (role, first, last), generate_series(first, last) as customer_number
      union all
      select ${FIRST_GUEST} + inviter_index * ${INVITATIONS_PER_INVITER} + guest_number,
             case when guest_number < ${BUYERS_PER_INVITER} then 'guest' else 'idle' end, ${ROLES.inviter.first} + inviter_index, guest_number
      from generate_series(0, ${INVITERS - 1}) as inviter_index, generate_series(0, ${INVITATIONS_PER_INVITER - 1}) as guest_number`);
  const serializeRows = <K extends keyof History>(historyPart: K) =>
    JSON.stringify(
      Object.entries(historiesByRole).flatMap(([role, history]) =>
        history[historyPart].map((row) => ({ role, ...row })),
      ),
    );
  const lineColumns =
    'role text, position int, kind text, amount bigint, balance bigint, day date, "expiresOn" date, ' +
    '"lotPosition" int, "purchaseNumber" int, "installmentNumber" int, "guestNumber" int';
  const createTable = (table: string, columns: string, json: string) =>
    client.query(
      `create table ${table} as select * from json_to_recordset('${json}') as history (${columns})`,
    );
  const purchaseColumns = 'role text, "purchaseNumber" int, "daysAgo" int, "paidInstallments" int';
  await createTable('bench_purchases', purchaseColumns, serializeRows('purchases'));
  await createTable('bench_lines', lineColumns, serializeRows('lines'));
  await createTable('bench_lots', `${lineColumns}, remaining bigint, expired bigint`, serializeRows('lots'));
  await client.query('analyze bench_roles, bench_purchases, bench_lines, bench_lots');
}

/** Renders the SQL statements that copy the histories of the roles to every customer. */
function renderInserts(): string[] {
  const idOfCustomer = customerIdSql('customer.customer_number');
  const movementId = `case when line.kind = 'expired' then 'exp_' else 'csh_' end
              || lpad((customer.customer_number * 10000::bigint + coalesce(line."lotPosition", line.position))::text, 26, '0')`;
  const installmentId = `case when line."installmentNumber" is not null
    then ${installmentIdSql('customer.customer_number', 'line."purchaseNumber"', 'line."installmentNumber"')} end`;
  const customersAndLines = 'bench_roles customer join bench_lines line using (role)';
  return [
    `insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at, written_at)
     select ${idOfCustomer}, 'cashback ' || ${movementId}, 'cashback_' || line.kind, ${afternoonSql('line.day')}, ${afternoonSql('line.day')},
            ${afternoonSql('line.day')}
     from ${customersAndLines} order by customer.customer_number, line.position`,
    `insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
     select posting.customer_id, posting.id, entry.line, entry.account, ${installmentId}, entry.sign * line.amount
     from ${customersAndLines} join ledger_postings posting on posting.customer_id = ${idOfCustomer} and posting.reference = 'cashback ' || ${movementId},
     (values (1, 'cashback_expense', 1), (2, 'cashback_owed', -1)) as entry (line, account, sign)`,
    `insert into cashback_movements (customer_id, position, id, posting_id, kind, amount_cents, balance_after_cents,
       earned_after_cents, description, checkout_hash, occurred_at, expires_on, of_position)
     select posting.customer_id, line.position, ${movementId}, posting.id, line.kind, line.amount, line.balance,
       coalesce(sum(line.amount) filter (where line.kind in ('earned', 'referral', 'reversed'))
                over (partition by customer.customer_number order by line.position), 0),
       case line.kind when 'earned' then 'Parcela ' || line."installmentNumber" || ' de ${INSTALLMENTS} paga em dia: Padaria Flor do Trigo'
         when 'referral' then 'Indicação de amigo' when 'expired' then 'Cashback expirado' else 'Ajuste' end,
       case when line."purchaseNumber" is not null then ${checkoutHashSql('customer.customer_number', 'line."purchaseNumber"')} end, ${afternoonSql('line.day')}, line."expiresOn", line."lotPosition"
     from ${customersAndLines} join ledger_postings posting on posting.customer_id = ${idOfCustomer} and posting.reference = 'cashback ' || ${movementId}`,
    `insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents,
       expired_cents)
     select ${idOfCustomer}, line.position, ${installmentId}, line."expiresOn", line.amount, line.remaining, line.expired
     from bench_roles customer join bench_lots line using (role)`,
    `insert into referrers (customer_id, referrer_id)
     select ${idOfCustomer}, ${customerIdSql('customer.inviter_number')} from bench_roles customer where customer.inviter_number is not null`,
    // Of the guests who have not bought anything, every other one signed up too long ago for a reward.
    `insert into invitations (customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents,
       invited_reward_cents, min_paid_cents, rewarded_at, reward_cents, referrer_position, invited_position)
     select ${customerIdSql('customer.inviter_number')}, ${idOfCustomer}, '\\x00',
       now() - make_interval(days => case when customer.role = 'guest' then ${GUEST_DATES.signedUpDaysAgo} else 20 + customer.guest_number % 2 * 100 end),
       ${INVITER_REWARD_CENTS}, ${INVITED_REWARD_CENTS}, 1,
       case when customer.role = 'guest' then now() - interval '${GUEST_DATES.firstPaidDaysAgo} days' end,
       case when customer.role = 'guest' then ${INVITER_REWARD_CENTS} end, inviter_line.position, guest_line.position
     from bench_roles customer
     left join bench_lines inviter_line on customer.role = 'guest' and inviter_line.role = 'inviter' and inviter_line."guestNumber" = customer.guest_number
     left join bench_lines guest_line on customer.role = 'guest' and guest_line.role = 'guest' and guest_line.kind = 'referral'
     where customer.inviter_number is not null`,
  ];
}

/** Replaces the placeholders for the names of invited guests by encrypted names. Only the vault can encrypt them, each for its row. */
async function encryptInvitedNames(db: Db): Promise<void> {
  const invitations = await db.rows<{ invited_id: string }>(sql`select invited_id from invitations`);
  const ids = invitations.map((invitation) => invitation.invited_id);
  const encryptedNames = ids.map((id) => db.vault.encryptPacked('Cliente ***', `invited ${id}`));
  await db.transaction(async (tx) => {
    // The table is append-only. A trigger allows an update of names only in an erasure, which this setting announces.
    await tx.run(sql`select set_config('semana.erasing', 'on', true)`);
    await tx.run(sql`
      update invitations set invited_name_sealed = guest.encrypted_name
      from unnest(${ids}::text[], ${encryptedNames}::bytea[]) as guest (id, encrypted_name)
      where invitations.invited_id = guest.id`);
  });
}
