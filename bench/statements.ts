import type pg from 'pg';
import { saoPauloDay } from '#core/day.ts';
import { audit } from '#ledger';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { creditModule } from '../src/credit/module.ts';
import { rewardsModule } from '../src/rewards/module.ts';
import {
  CASHBACK_PPM,
  type History,
  historyOf,
  INVITED_CENTS,
  purchasesOf,
  REFERRER_CENTS,
} from './cashback-histories.ts';
import {
  customerIdSql,
  hashSql,
  hourSql,
  INSTALLMENTS,
  installmentIdSql,
  makePurchases,
  settle,
} from './purchases.ts';
import { withClient } from './stage.ts';

const REGULARS = 2_000;
const VETERANS = 20;
const INVITERS = 50;
/** Invitations of each inviter. */
const INVITATIONS = 100;
const BUYING = 30;
const FIRST_GUEST = REGULARS + VETERANS + INVITERS + 1;
const CUSTOMERS = FIRST_GUEST - 1 + INVITERS * INVITATIONS;

/** Which customers, by number, have which history. */
export const ROLES = {
  regular: { first: 1, last: REGULARS },
  veteran: { first: REGULARS + 1, last: REGULARS + VETERANS },
  inviter: { first: REGULARS + VETERANS + 1, last: FIRST_GUEST - 1 },
} as const;
export type Role = keyof typeof ROLES;

export const customerId = (n: number) => `cus_${String(n).padStart(26, '0')}`;

/** The days on which a guest came, bought, and settled a first installment. */
const GUEST = { cameDaysAgo: 80, boughtDaysAgo: 70, settledDaysAgo: 63 };

/**
 * Veterans have the same last months as regular customers, and years before that. Answers are equally long, so the difference
 * in cost is that of the older history.
 */
function histories(): Record<Role | 'guest', History> {
  const today = saoPauloDay(Date.now());
  const regular = purchasesOf(7, 90);
  const past = Array.from({ length: 200 }, (_, i) => ({
    k: regular.length + 1 + i,
    daysAgo: 300 + i * 3,
    paid: INSTALLMENTS,
  }));
  const rewards = Array.from({ length: BUYING }, (_, guest) => ({
    daysAgo: GUEST.settledDaysAgo,
    amount: REFERRER_CENTS,
    guest,
  }));
  return {
    regular: historyOf(today, regular),
    veteran: historyOf(today, [...regular, ...past]),
    inviter: historyOf(today, purchasesOf(0, 0), rewards),
    guest: historyOf(
      today,
      [{ k: 1, daysAgo: GUEST.boughtDaysAgo, paid: INSTALLMENTS }],
      [{ daysAgo: GUEST.settledDaysAgo, amount: INVITED_CENTS }],
    ),
  };
}

/** Writes customers with purchases, cashback and invitations. Returns the number of statement lines of each role. */
export async function makeStatements(
  databaseUrl: string,
  onProgress: (share: number, what: string) => void,
): Promise<Record<Role, number>> {
  const all = histories();
  await withClient(databaseUrl, async (client) => {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await prepare(client, all);
    const bought = {
      customers: CUSTOMERS,
      cashbackPpm: CASHBACK_PPM,
      select: (first: number, last: number) => `
        select r.n, h.k, h.days_ago, h.paid from bench_roles r join bench_purchases h using (role)
        where r.n between ${first} and ${last}`,
    };
    await makePurchases(databaseUrl, bought, (share) => onProgress(share * 0.7, 'purchases'));
    onProgress(0.7, 'statements');
    for (const statement of statements()) await client.query(statement);
    await client.query('drop table bench_roles, bench_purchases, bench_lines, bench_lots');
    await settle(client);
  });
  onProgress(0.9, 'audit');
  await mustAgree(databaseUrl);
  const count = (role: Role) => all[role].lines.length;
  return { regular: count('regular'), veteran: count('veteran'), inviter: count('inviter') };
}

/** Audits the generated data, so that it is what the service would have written. */
async function mustAgree(databaseUrl: string): Promise<void> {
  const vault = new Vault(SANDBOX_SECRETS);
  const db = openDb({ url: databaseUrl, poolSize: 1, label: 'bench', vault });
  await sealNames(db, vault);
  const found: string[] = [];
  try {
    // There are no charges and no payouts behind this money, so those auditors are left out.
    await audit(db, [creditModule.auditor!, rewardsModule.auditor!], {
      disagreement: (text) => void (text.startsWith('merchant ') || found.push(text)),
      progress: () => undefined,
    });
  } finally {
    await db.close();
  }
  if (found.length > 0) throw new Error(`the made-up statements disagree:\n${found.slice(0, 10).join('\n')}`);
}

/** Roles and histories as tables, for the statements that copy them to every customer. */
async function prepare(client: pg.Client, all: Record<string, History>): Promise<void> {
  const ranges = Object.entries(ROLES).map(([role, { first, last }]) => `('${role}', ${first}, ${last})`);
  await client.query(`
    create table bench_roles as
      select n, role, null::int as inviter, null::int as guest
      from (values ${ranges.join(', ')}) as r (role, first, last), generate_series(first, last) as n
      union all
      select ${FIRST_GUEST} + i * ${INVITATIONS} + g, case when g < ${BUYING} then 'guest' else 'idle' end,
             ${ROLES.inviter.first} + i, g
      from generate_series(0, ${INVITERS - 1}) as i, generate_series(0, ${INVITATIONS - 1}) as g`);
  const rows = <K extends keyof History>(name: K) =>
    JSON.stringify(
      Object.entries(all).flatMap(([role, history]) => history[name].map((line) => ({ role, ...line }))),
    );
  const line =
    'role text, position int, kind text, amount bigint, balance bigint, day date, "expiresOn" date, ' +
    '"ofPosition" int, k int, number int, guest int';
  const copy = (to: string, columns: string, json: string) =>
    client.query(`create table ${to} as select * from json_to_recordset('${json}') as r (${columns})`);
  await client.query(
    `create table bench_purchases as select role, k, "daysAgo" as days_ago, paid
     from json_to_recordset('${rows('purchases')}') as r (role text, k int, "daysAgo" int, paid int)`,
  );
  await copy('bench_lines', line, rows('lines'));
  await copy('bench_lots', `${line}, remaining bigint, expired bigint`, rows('lots'));
  await client.query('analyze bench_roles, bench_purchases, bench_lines, bench_lots');
}

function statements(): string[] {
  const customer = customerIdSql('r.n');
  const id = `case when l.kind = 'expired' then 'exp_' else 'csh_' end
              || lpad((r.n * 10000::bigint + coalesce(l."ofPosition", l.position))::text, 26, '0')`;
  const installment = `case when l.number is not null then ${installmentIdSql('r.n', 'l.k', 'l.number')} end`;
  const lines = 'bench_roles r join bench_lines l using (role)';
  return [
    `insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at, written_at)
     select ${customer}, 'cashback ' || ${id}, 'cashback_' || l.kind, ${hourSql('l.day')}, ${hourSql('l.day')},
            ${hourSql('l.day')}
     from ${lines} order by r.n, l.position`,
    `insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
     select p.customer_id, p.id, e.line, e.account, ${installment}, e.sign * l.amount
     from ${lines} join ledger_postings p on p.customer_id = ${customer} and p.reference = 'cashback ' || ${id},
     (values (1, 'cashback_expense', 1), (2, 'cashback_owed', -1)) as e (line, account, sign)`,
    `insert into cashback_movements (customer_id, position, id, posting_id, kind, amount_cents, balance_after_cents,
       earned_after_cents, description, checkout_hash, occurred_at, expires_on, of_position)
     select p.customer_id, l.position, ${id}, p.id, l.kind, l.amount, l.balance,
       coalesce(sum(l.amount) filter (where l.kind in ('earned', 'referral', 'reversed'))
                over (partition by r.n order by l.position), 0),
       case l.kind when 'earned' then 'Parcela ' || l.number || ' de ${INSTALLMENTS} paga em dia: Padaria Flor do Trigo'
         when 'referral' then 'Indicação de amigo' when 'expired' then 'Cashback expirado' else 'Ajuste' end,
       case when l.k is not null then ${hashSql('r.n', 'l.k')} end, ${hourSql('l.day')}, l."expiresOn", l."ofPosition"
     from ${lines} join ledger_postings p on p.customer_id = ${customer} and p.reference = 'cashback ' || ${id}`,
    `insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents,
       expired_cents)
     select ${customer}, l.position, ${installment}, l."expiresOn", l.amount, l.remaining, l.expired
     from bench_roles r join bench_lots l using (role)`,
    `insert into referrers (customer_id, referrer_id)
     select ${customer}, ${customerIdSql('r.inviter')} from bench_roles r where r.inviter is not null`,
    // Of the guests who have not bought anything, every other one signed up too long ago for a reward.
    `insert into invitations (customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents,
       invited_reward_cents, min_paid_cents, rewarded_at, reward_cents, referrer_position, invited_position)
     select ${customerIdSql('r.inviter')}, ${customer}, '\\x00',
       now() - make_interval(days => case when r.role = 'guest' then ${GUEST.cameDaysAgo} else 20 + r.guest % 2 * 100 end),
       ${REFERRER_CENTS}, ${INVITED_CENTS}, 1,
       case when r.role = 'guest' then now() - interval '${GUEST.settledDaysAgo} days' end,
       case when r.role = 'guest' then ${REFERRER_CENTS} end, mine.position, theirs.position
     from bench_roles r
     left join bench_lines mine on r.role = 'guest' and mine.role = 'inviter' and mine.guest = r.guest
     left join bench_lines theirs on r.role = 'guest' and theirs.role = 'guest' and theirs.kind = 'referral'
     where r.inviter is not null`,
  ];
}

/** Encryption is bound to the row, so SQL cannot do it. */
async function sealNames(db: Db, vault: Vault): Promise<void> {
  const invited = await db.rows<{ id: string }>(sql`select invited_id as id from invitations`);
  await db.transaction(async (tx) => {
    await tx.run(sql`select set_config('semana.erasing', 'on', true)`);
    await tx.run(sql`
      update invitations i set invited_name_sealed = s.sealed
      from unnest(${invited.map(({ id }) => id)}::text[], ${invited.map(({ id }) => vault.pack('Cliente ***', `invited ${id}`))}::bytea[])
        as s (id, sealed)
      where i.invited_id = s.id`);
  });
}
