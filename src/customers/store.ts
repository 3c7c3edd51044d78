import type { Day } from '#core/day.ts';
import { batchable } from '#platform/database/batchable.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { readPhone } from '#platform/http/formats.ts';
import type { Listing } from '#platform/http/listing.ts';
import { hashPhone, type Identity, openIdentity, type SealedIdentity } from './people.ts';

/** What a login needs, and what a new password is checked against. */
type LoginRow = SealedIdentity & {
  password_hash: string | null;
  locked_at: Date | null;
};

/**
 * SQL fragment: what this customer owes on all purchases. Provided by credit and passed in at composition, because credit depends
 * on customers.
 */
export type CreditUsed = (customerId: Sql) => Sql;

/** What customers see of themselves. */
export type CustomerRow = SealedIdentity & {
  credit_limit_cents: number;
  credit_used_cents: number;
  created_at: Date;
};

export type ListedCustomer = CustomerRow & {
  referral_code: string;
  locked_at: Date | null;
  erased_at: Date | null;
  by_code_only: boolean;
};

/** The stored personal data and its lookups. */
export type SealedPerson = {
  id: string;
  sealed: Buffer;
  phoneHash: Buffer;
  cpfHash: Buffer;
  /** See `tokensOf`. */
  tokens: string[];
};

export type NewCustomer = SealedPerson & {
  passwordHash: string | null;
  creditLimitCents: number;
  referralCode: string;
  createdAt: Date;
};

const E164 = /^\+[0-9]+$/;

/** Returns an id as it is, without checking that it exists. A phone may be written as people write it. */
export async function findCustomerId(db: Queryable, idOrPhone: string): Promise<string | undefined> {
  const phone = E164.test(idOrPhone) ? idOrPhone : readPhone(idOrPhone);
  if (phone === null) return idOrPhone;
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from customer_phones where phone_hash = ${hashPhone(db.vault, phone)}`,
  );
  return row?.customer_id;
}

/** Whose phones these are. */
export const listPhoneOwners = (db: Queryable, phoneHashes: readonly Buffer[]) =>
  db.rows<{ phoneHash: Buffer; customerId: string }>(sql`
    select phone_hash as "phoneHash", customer_id as "customerId" from customer_phones
    where phone_hash = any(${phoneHashes}::bytea[])`);

export async function findCpfOwner(db: Queryable, cpfHash: Buffer): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from customer_cpfs where cpf_hash = ${cpfHash}`,
  );
  return row?.customer_id;
}

export async function findCodeOwner(db: Queryable, referralCode: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from customer_referral_codes where code = ${referralCode}`,
  );
  return row?.customer_id;
}

export type LockedCustomer = {
  id: string;
  phone_hash: Buffer;
  credit_limit_cents: number;
  locked_at: Date | null;
  erased_at: Date | null;
};

/**
 * A transaction that moves a customer's money locks the customer before anything else of the customer. This serializes
 * purchases and payments of one customer.
 */
export const lockCustomerById = (tx: CustomerTx, customerId: string) =>
  tx.row<LockedCustomer>(lockCustomers({ customerId }));

/** In the order of their ids, which prevents deadlocks. */
const lockCustomers = batchable(
  (rows, owner) => sql`
    select id as customer_id, id, phone_hash, credit_limit_cents, locked_at, erased_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as k (customer_id) join customers on id = ${owner}
    order by id for no key update of customers`,
);

/** What a decision on credit may know of the person. `born` is null where the operator registered them without it. */
export async function findPersonFacts(db: Queryable, customerId: string) {
  const row = await db.row<SealedIdentity & { created_at: Date; credit_limit_cents: number }>(sql`
    select id, person_sealed, created_at, credit_limit_cents from customers where id = ${customerId}`);
  const { birth_date: born, cpf } = openIdentity(db.vault, row!);
  return { born, cpf, createdAt: row!.created_at, limitCents: row!.credit_limit_cents };
}

/** The limit of a customer and what of it is used. */
export const findOwnCredit = (db: Queryable, customerId: string, creditUsed: CreditUsed) =>
  db.row<{ limitCents: number; usedCents: number }>(sql`
    select credit_limit_cents as "limitCents", ${creditUsed(sql`${customerId}`)} as "usedCents"
    from customers where id = ${customerId}`);

export async function isCustomer(db: Queryable, id: string): Promise<boolean> {
  return (await db.row(sql`select from customers where id = ${id}`)) !== undefined;
}

export async function findName(db: Queryable, customerId: string): Promise<string | undefined> {
  return (await listNames(db, [customerId])).get(customerId);
}

/** Who it is, for papers. */
export async function findIdentity(db: Queryable, id: string): Promise<Identity | undefined> {
  const row = await db.row<SealedIdentity>(sql`select id, person_sealed from customers where id = ${id}`);
  return row && openIdentity(db.vault, row);
}

/** Name and CPF, for whoever must name the payer to a bank. */
export async function findPayer(db: Queryable, id: string) {
  const found = await findIdentity(db, id);
  return found && { name: found.name, cpf: found.cpf };
}

const listReachable = batchable(
  (rows, owner) => sql`
    select id as customer_id, id, person_sealed, locked_at, erased_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as k (customer_id) join customers on id = ${owner}`,
);

/** Whether and where messages reach the customer. */
export const findReachable = (db: Queryable, customerId: string) =>
  db.row<SealedIdentity & { locked_at: Date | null; erased_at: Date | null }>(listReachable({ customerId }));

/** The keyed hash by which offers to the customer's phone are found. */
export async function findPhoneHash(db: Queryable, customerId: string): Promise<Buffer | undefined> {
  const row = await db.row<{ phone_hash: Buffer }>(
    sql`select phone_hash from customers where id = ${customerId}`,
  );
  return row?.phone_hash;
}

export async function listNames(db: Queryable, customerIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<SealedIdentity>(
    sql`select id, person_sealed from customers where id = any(${customerIds})`,
  );
  return new Map(rows.map((row) => [row.id, openIdentity(db.vault, row).name]));
}

/** The same rows, each with the name of its customer. */
export async function nameCustomers<R extends { customer_id: string }>(db: Queryable, rows: readonly R[]) {
  const names = await listNames(db, [...new Set(rows.map(({ customer_id }) => customer_id))]);
  return rows.map((row) => ({ ...row, customer_name: names.get(row.customer_id) ?? null }));
}

/** A part of a statement: the code with which the customer of this id invites others. */
export const referralCodeOf = (customerId: Sql): Sql =>
  sql`(select referral_code from customers where id = ${customerId})`;

/** An unknown phone costs the same two statements as a known one, so the time reveals nothing. */
export async function findLogin(db: Queryable, phone: string): Promise<LoginRow | undefined> {
  const id = (await findCustomerId(db, phone)) ?? '';
  return db.row(sql`select id, person_sealed, password_hash, locked_at from customers where id = ${id}`);
}

/** Locked until the session is written: a lock by the operator comes before or after it. */
export async function lockLogin(tx: CustomerTx, phone: string): Promise<LoginRow | undefined> {
  const id = (await findCustomerId(tx, phone)) ?? '';
  return tx.row(sql`
    select id, person_sealed, password_hash, locked_at from customers
    where id = ${id} for no key update`);
}

export const findCustomer = (db: Queryable, id: string, creditUsed: CreditUsed) =>
  db.row<CustomerRow>(sql`
    select id, person_sealed, credit_limit_cents, created_at,
           ${creditUsed(sql`${id}`)} as credit_used_cents
    from customers where id = ${id}`);

const listed = (creditUsed: Sql): Sql => sql`
  id, person_sealed, credit_limit_cents, created_at, referral_code, locked_at, erased_at,
  password_hash is null as by_code_only, ${creditUsed} as credit_used_cents`;

/** By id or phone, as the operator sees a customer. */
export async function findListedCustomer(db: Queryable, idOrPhone: string, creditUsed: CreditUsed) {
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return db.row<ListedCustomer>(sql`
    select ${listed(creditUsed(sql`${id}`))} from customers where id = ${id}`);
}

export const CUSTOMER_STATUSES = ['active', 'locked', 'erased', 'overdue'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
/** Customers with something late on a day, provided by credit. */
export type OverdueCustomers = {
  /** SQL fragment: their ids. */
  all(today: Day): Sql;
  /** What is late of these customers, and since when; others are left out. */
  of(db: Queryable, customerIds: readonly string[], today: Day): Promise<Map<string, Overdue>>;
};
/** Without penalties. */
export type Overdue = { cents: number; since: Day };
export type FoundCustomer = ListedCustomer & { overdue: Overdue | undefined };

type CustomerFilter = {
  /** Of whom it is known by CPF. */
  id?: string | undefined;
  tokens?: readonly string[] | undefined;
  status?: Exclude<CustomerStatus, 'overdue'> | undefined;
  /** Limits the result to these. */
  among?: Sql | undefined;
};

const OF_STATUS: Record<Exclude<CustomerStatus, 'overdue'>, Sql> = {
  active: sql`locked_at is null`,
  locked: sql`locked_at is not null and erased_at is null`,
  erased: sql`erased_at is not null`,
};

export const listCustomers = (
  { id, tokens, status, among }: CustomerFilter,
  creditUsed: CreditUsed,
): Listing<ListedCustomer> => ({
  of: sql`select ${listed(creditUsed(sql`customers.id`))} from customers`,
  where: [
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(status === undefined ? [] : [OF_STATUS[status]]),
    ...(tokens === undefined ? [] : [sql`search_tokens @> ${tokens}::bigint[]`]),
    ...(among === undefined ? [] : [sql`id in ${among}`]),
  ],
  // `+ interval '0'` keeps the planner from walking the index of dates, which is slow for a rare word: the index of tokens is used.
  by: [tokens === undefined ? sql`created_at` : sql`created_at + interval '0'`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
});

/** The next few customers after the given one, in order of id: one range of all customers. */
export async function findCustomerRange(db: Queryable, after: string, customers: number) {
  const row = await db.row<{ up_to: string | null; customers: number }>(sql`
    select max(id) as up_to, count(*) as customers
    from (select id from customers where id > ${after} order by id limit ${customers}) as next`);
  return { upTo: row!.up_to, customers: row!.customers };
}

export async function countCustomers(db: Queryable): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from customers`))!.count;
}

/**
 * Claims phone and CPF for the customer; returns which it got. A concurrent claim waits. Where one is taken, the transaction must
 * not commit.
 */
export async function claimIdentity(tx: Tx, { id, phoneHash, cpfHash }: SealedPerson) {
  const row = await tx.row<{ phone: boolean; cpf: boolean }>(sql`
    with phone as (
      insert into customer_phones (phone_hash, customer_id) values (${phoneHash}, ${id}) on conflict do nothing returning 1
    ), cpf as (
      insert into customer_cpfs (cpf_hash, customer_id) values (${cpfHash}, ${id}) on conflict do nothing returning 1
    )
    select exists (select from phone) as phone, exists (select from cpf) as cpf`);
  return row!;
}

/** False when it is taken already. */
export async function claimReferralCode(tx: Tx, code: string, customerId: string): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into customer_referral_codes (code, customer_id) values (${code}, ${customerId}) on conflict do nothing`);
  return claimed === 1;
}

export const insertCustomer = (tx: Tx, customer: NewCustomer) =>
  tx.run(sql`
    insert into customers (id, person_sealed, phone_hash, search_tokens, password_hash, credit_limit_cents, referral_code,
                           created_at)
    values (${customer.id}, ${customer.sealed}, ${customer.phoneHash}, ${customer.tokens}, ${customer.passwordHash},
            ${customer.creditLimitCents}, ${customer.referralCode}, ${customer.createdAt})`);

export const insertTermsAcceptance = (
  tx: Tx,
  terms: { customerId: string; version: string; address: string; at: Date },
) =>
  tx.run(sql`
    insert into terms_acceptances (customer_id, accepted_at, version, address)
    values (${terms.customerId}, ${terms.at}, ${terms.version}, ${terms.address})`);

/** Resets everything but the personal data and the date of registration. */
export const resetCustomer = (
  tx: Tx,
  id: string,
  customer: Pick<NewCustomer, 'passwordHash' | 'creditLimitCents'>,
) =>
  tx.run(sql`
    update customers set locked_at = null, password_hash = ${customer.passwordHash},
      credit_limit_cents = ${customer.creditLimitCents}
    where id = ${id}`);

export const markPassword = (tx: Tx, id: string, passwordHash: string) =>
  tx.run(sql`update customers set password_hash = ${passwordHash} where id = ${id}`);

export const markLocked = (tx: Tx, id: string, at: Date) =>
  tx.run(sql`update customers set locked_at = coalesce(locked_at, ${at}) where id = ${id}`);

export const markUnlocked = (tx: Tx, id: string) =>
  tx.run(sql`update customers set locked_at = null where id = ${id}`);

/** The subject of personal data, locked until the end of the transaction. */
export const lockPerson = (tx: CustomerTx, id: string) =>
  tx.row<SealedIdentity & { phone_hash: Buffer; erased_at: Date | null }>(sql`
    select id, person_sealed, phone_hash, erased_at from customers where id = ${id} for no key update`);

export const markErased = (tx: Tx, id: string, at: Date) =>
  tx.run(sql`
    update customers set erased_at = ${at}, locked_at = coalesce(locked_at, ${at}), referral_code = '' where id = ${id}`);

export const markLimit = (tx: Tx, id: string, creditLimitCents: number) =>
  tx.run(sql`update customers set credit_limit_cents = ${creditLimitCents} where id = ${id}`);

/** False when the new phone is taken; then nothing has changed. */
export async function movePhone(tx: Tx, id: string, { from, to }: { from: Buffer; to: Buffer }) {
  const claimed = await tx.run(
    sql`insert into customer_phones (phone_hash, customer_id) values (${to}, ${id}) on conflict do nothing`,
  );
  if (claimed === 0) return false;
  await tx.run(sql`delete from customer_phones where phone_hash = ${from} and customer_id = ${id}`);
  return true;
}

/** The versions of the data keys in use: one index lookup for each, however many customers. */
export async function listKeyVersions(db: Queryable): Promise<number[]> {
  const versions: Buffer[] = [];
  for (;;) {
    const row = await db.row<{ next: Buffer }>(sql`
      select substr(person_sealed, 1, 4) as next from customers
      where substr(person_sealed, 1, 4) > ${versions.at(-1) ?? Buffer.alloc(0)}
      order by substr(person_sealed, 1, 4) limit 1`);
    if (!row) return versions.map((version) => version.readUInt32BE());
    versions.push(row.next);
  }
}

/** The next few after `afterId`, in order of id: all, or only those not encrypted with the current key. */
export async function listSealed(
  db: Queryable,
  { afterId, version, all, limit }: { afterId: string; version: Buffer; all: boolean; limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from customers where id > ${afterId} and (${all} or substr(person_sealed, 1, 4) <> ${version})
    order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export async function countSealed(db: Queryable, version: Buffer, all: boolean): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) from customers where ${all} or substr(person_sealed, 1, 4) <> ${version}`);
  return row!.count;
}

export const updatePerson = (tx: Tx, { id, sealed, phoneHash, tokens }: Omit<SealedPerson, 'cpfHash'>) =>
  tx.run(sql`
    update customers set person_sealed = ${sealed}, phone_hash = ${phoneHash}, search_tokens = ${tokens}
    where id = ${id}`);

/** After a change of LOOKUP_KEY. */
export async function updateHashes(tx: Tx, { id, phoneHash, cpfHash }: SealedPerson, oldPhoneHash: Buffer) {
  await tx.run(sql`update customer_cpfs set cpf_hash = ${cpfHash} where customer_id = ${id}`);
  await tx.run(sql`
    update customer_phones set phone_hash = ${phoneHash}
    where phone_hash = ${oldPhoneHash} and customer_id = ${id}`);
}
