import type { TSchema } from 'typebox';
import type { Day } from '#core/values/day.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import type { ListQuery, Sort } from '#platform/http/list-query.ts';
import { Text } from '#platform/http/schemas.ts';
import { decryptIdentity, type EncryptedIdentity, hashPhone, type Identity } from './identity.ts';

/** The columns that a login needs. The identity is needed because a new password must not contain it. */
export type LoginRow = EncryptedIdentity & {
  password_hash: string | null;
  locked_at: Date | null;
  awaits_first_limit: boolean;
};

/**
 * Builds the SQL fragment for the amount a customer owes on all purchases. Provided by the credit module and passed in at
 * composition, because credit depends on customers.
 */
export type CreditUsedSql = (customerId: Sql) => Sql;

/** Reasons to refuse a purchase of any amount. */
export const PURCHASE_BLOCKS = ['overdue', 'cashback_owed', 'review'] as const;
export type PurchaseBlock = (typeof PURCHASE_BLOCKS)[number];

/**
 * Builds the SQL fragment for the reason why a customer cannot buy now, or null. Provided by the decisions module and passed in at
 * composition, because decisions depends on customers.
 */
export type PurchaseBlockSql = (customer: { id: Sql; limitCents: Sql }, now: Date) => Sql;

export type CreditSql = { selectCreditUsed: CreditUsedSql; selectPurchaseBlock: PurchaseBlockSql };

type CustomerColumns = EncryptedIdentity & {
  credit_limit_cents: number;
  credit_used_cents: number;
  created_at: Date;
};

export type CustomerRow = CustomerColumns & { blocked_by: PurchaseBlock | null };
export type CreditRow = Pick<CustomerRow, 'credit_limit_cents' | 'credit_used_cents' | 'blocked_by'>;

export type StaffCustomerRow = CustomerColumns & {
  referral_code: string;
  locked_at: Date | null;
  erased_at: Date | null;
};

/** The stored personal data, with the hashes for lookups. */
export type StoredIdentity = {
  id: string;
  encrypted: Buffer;
  phoneHash: Buffer;
  cpfHash: Buffer;
  /** See `buildSearchTokens`. */
  searchTokens: string[];
};

export type NewCustomer = StoredIdentity & {
  passwordHash: string | null;
  creditLimitCents: number;
  awaitsFirstLimit: boolean;
  referralCode: string;
  createdAt: Date;
};

const E164_PATTERN = /^\+[0-9]+$/;

/** Finds the id of a customer by a phone in any common format. Returns an id unchanged, without checking that it exists. */
export async function findCustomerId(db: Queryable, idOrPhone: string): Promise<string | undefined> {
  const phone = E164_PATTERN.test(idOrPhone) ? idOrPhone : normalizePhone(idOrPhone);
  if (phone === null) return idOrPhone;
  return db.value<string>(
    sql`select customer_id from customer_phones where phone_hash = ${hashPhone(db.vault, phone)}`,
  );
}

/** The filter of a list by customer. An unknown customer gets the id '', which matches no row. */
export const filterByCustomer = (
  column: Sql,
  schema: TSchema = Text(80, { description: 'Id or phone of the customer.' }),
) => ({
  schema,
  resolve: async (idOrPhone: string, db: Queryable) => (await findCustomerId(db, idOrPhone)) ?? '',
  where: (id: string) => sql`${column} = ${id}`,
});

export const listPhoneOwners = (db: Queryable, phoneHashes: readonly Buffer[]) =>
  db.rows<{ phoneHash: Buffer; customerId: string }>(sql`
    select phone_hash as "phoneHash", customer_id as "customerId" from customer_phones
    where phone_hash = any(${phoneHashes}::bytea[])`);

export const findCpfOwner = (db: Queryable, cpfHash: Buffer) =>
  db.value<string>(sql`select customer_id from customer_cpfs where cpf_hash = ${cpfHash}`);

export const findReferralCodeOwner = (db: Queryable, referralCode: string) =>
  db.value<string>(sql`select customer_id from customer_referral_codes where code = ${referralCode}`);

export type LockedCustomer = {
  id: string;
  phone_hash: Buffer;
  credit_limit_cents: number;
  locked_at: Date | null;
  erased_at: Date | null;
};

/**
 * A transaction that moves a customer's money locks the customer before any other row of the customer. This serializes purchases
 * and payments of one customer.
 */
export const lockCustomerById = (tx: CustomerTx, customerId: string) =>
  tx.row<LockedCustomer>(lockCustomers({ customerId }));

/** Locks in the order of ids, which prevents deadlocks. */
const lockCustomers = batchable(
  (rows, customerSql) => sql`
    select id as customer_id, id, phone_hash, credit_limit_cents, locked_at, erased_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as input (customer_id) join customers on id = ${customerSql}
    order by id for no key update of customers`,
);

const selectPersons = batchable(
  (rows, customerSql) => sql`
    select id as customer_id, id, person_sealed, created_at, credit_limit_cents
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as input (customer_id) join customers on id = ${customerSql}`,
);

/** Finds the personal facts of a credit decision. `birthDate` is null if the operator registered the customer without a birth date. */
export async function findPersonFacts(db: Queryable, customerId: string) {
  const row = await db.row<EncryptedIdentity & { created_at: Date; credit_limit_cents: number }>(
    selectPersons({ customerId }),
  );
  const { birth_date: birthDate, cpf } = decryptIdentity(db.vault, row!);
  return { birthDate, cpf, createdAt: row!.created_at, limitCents: row!.credit_limit_cents };
}

const selectBlock = (id: string, selectPurchaseBlock: PurchaseBlockSql, now: Date): Sql =>
  selectPurchaseBlock({ id: sql`${id}`, limitCents: sql`credit_limit_cents` }, now);

export const findCredit = (db: Queryable, customerId: string, creditSql: CreditSql, now: Date) =>
  db.row<CreditRow>(sql`
    select credit_limit_cents, ${creditSql.selectCreditUsed(sql`${customerId}`)} as credit_used_cents,
           ${selectBlock(customerId, creditSql.selectPurchaseBlock, now)} as blocked_by
    from customers where id = ${customerId}`);

export async function customerExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.row(sql`select from customers where id = ${id}`)) !== undefined;
}

export async function findCustomerName(db: Queryable, customerId: string): Promise<string | undefined> {
  return (await listCustomerNames(db, [customerId])).get(customerId);
}

export async function findIdentity(db: Queryable, id: string): Promise<Identity | undefined> {
  const row = await findContactRow(db, id);
  return row && decryptIdentity(db.vault, row);
}

export async function findPayer(db: Queryable, id: string) {
  const identity = await findIdentity(db, id);
  return identity && { name: identity.name, cpf: identity.cpf };
}

const selectContacts = batchable(
  (rows, customerSql) => sql`
    select id as customer_id, id, person_sealed, locked_at, erased_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as input (customer_id) join customers on id = ${customerSql}`,
);

export const findContactRow = (db: Queryable, customerId: string) =>
  db.row<EncryptedIdentity & { locked_at: Date | null; erased_at: Date | null }>(
    selectContacts({ customerId }),
  );

export const findPhoneHash = (db: Queryable, customerId: string) =>
  db.value<Buffer>(sql`select phone_hash from customers where id = ${customerId}`);

export async function listCustomerNames(db: Queryable, customerIds: readonly string[]) {
  const identityRows = await db.rows<EncryptedIdentity>(
    sql`select id, person_sealed from customers where id = any(${customerIds})`,
  );
  return new Map(identityRows.map((identity) => [identity.id, decryptIdentity(db.vault, identity).name]));
}

export async function addCustomerNames<R extends { customer_id: string }>(db: Queryable, rows: readonly R[]) {
  const namesById = await listCustomerNames(db, [...new Set(rows.map(({ customer_id }) => customer_id))]);
  return rows.map((row) => ({ ...row, customer_name: namesById.get(row.customer_id) ?? null }));
}

export const selectReferralCode = (customerId: Sql): Sql =>
  sql`(select referral_code from customers where id = ${customerId})`;

/** Runs the same two statements for unknown and known phones, so that the duration reveals nothing. */
export async function findLoginByPhone(db: Queryable, phone: string): Promise<LoginRow | undefined> {
  const customerId = (await findCustomerId(db, phone)) ?? '';
  return db.row(
    sql`select id, person_sealed, password_hash, locked_at, awaits_first_limit from customers where id = ${customerId}`,
  );
}

/** Locks the row until the session is written, which serializes the login with a lock by the operator. */
export async function lockLoginByPhone(tx: CustomerTx, phone: string): Promise<LoginRow | undefined> {
  const customerId = (await findCustomerId(tx, phone)) ?? '';
  return tx.row(sql`
    select id, person_sealed, password_hash, locked_at, awaits_first_limit from customers
    where id = ${customerId} for no key update`);
}

export const findCustomer = (db: Queryable, id: string, creditSql: CreditSql, now: Date) =>
  db.row<CustomerRow>(sql`
    select id, person_sealed, credit_limit_cents, created_at,
           ${creditSql.selectCreditUsed(sql`${id}`)} as credit_used_cents,
           ${selectBlock(id, creditSql.selectPurchaseBlock, now)} as blocked_by
    from customers where id = ${id}`);

const selectStaffColumns = (creditUsed: Sql): Sql => sql`
  id, person_sealed, credit_limit_cents, created_at, referral_code, locked_at, erased_at, ${creditUsed} as credit_used_cents`;

export async function findCustomerForStaff(
  db: Queryable,
  idOrPhone: string,
  selectCreditUsed: CreditUsedSql,
) {
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return db.row<StaffCustomerRow>(sql`
    select ${selectStaffColumns(selectCreditUsed(sql`${id}`))} from customers where id = ${id}`);
}

export const CUSTOMER_STATUSES = ['active', 'locked', 'erased', 'overdue'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];
export type OverdueLookup = {
  /** Builds a subquery of customer ids in this order, each once. */
  selectIds(today: Day, sort: Sort): Sql;
  /** Finds the overdue amounts of these customers. Customers without one are left out. */
  findOverdueAmounts(
    db: Queryable,
    customerIds: readonly string[],
    today: Day,
  ): Promise<Map<string, OverdueAmount>>;
};
export type OverdueAmount = { cents: number; since: Day };
export type CustomerWithOverdue = StaffCustomerRow & { overdue: OverdueAmount | undefined };

type CustomerFilter = {
  id?: string | undefined;
  searchTokens?: readonly string[] | undefined;
  status?: Exclude<CustomerStatus, 'overdue'> | undefined;
  idSubquery?: Sql | undefined;
};

const STATUS_CONDITIONS: Record<Exclude<CustomerStatus, 'overdue'>, Sql> = {
  active: sql`locked_at is null`,
  locked: sql`locked_at is not null and erased_at is null`,
  erased: sql`erased_at is not null`,
};

export const buildCustomerListQuery = (
  { id, searchTokens, status, idSubquery }: CustomerFilter,
  selectCreditUsed: CreditUsedSql,
): ListQuery<StaffCustomerRow> => ({
  select: sql`select ${selectStaffColumns(selectCreditUsed(sql`customers.id`))} from customers`,
  where: [
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(status === undefined ? [] : [STATUS_CONDITIONS[status]]),
    ...(searchTokens === undefined ? [] : [sql`search_tokens @> ${searchTokens}::bigint[]`]),
    ...(idSubquery === undefined ? [] : [sql`id in ${idSubquery}`]),
  ],
  // `+ interval '0'` makes the planner use the token index: scanning the index on dates is slow for rare words.
  orderBy: [searchTokens === undefined ? sql`created_at` : sql`created_at + interval '0'`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
});

/** Lists the customers whose ids the subquery selects, in the order of registration. With the left join, counting does not read customers. */
export const buildSelectedCustomersQuery = (
  selectedIds: Sql,
  selectCreditUsed: CreditUsedSql,
): ListQuery<StaffCustomerRow> => ({
  select: sql`
    select ${selectStaffColumns(selectCreditUsed(sql`customers.id`))}
    from ${selectedIds} as selected left join customers on customers.id = selected.customer_id`,
  where: [],
  orderBy: [sql`selected.customer_id`],
  keyOf: ({ id }) => [id],
});

/** Returns the last id and the count of the next `limit` customers by id. */
export async function findCustomerRange(db: Queryable, afterId: string, limit: number) {
  const range = await db.row<{ last_id: string | null; customer_count: number }>(sql`
    select max(id) as last_id, count(*) as customer_count
    from (select id from customers where id > ${afterId} order by id limit ${limit}) as next`);
  return { lastId: range!.last_id, customerCount: range!.customer_count };
}

export async function countCustomers(db: Queryable): Promise<number> {
  return (await db.value<number>(sql`select count(*) from customers`))!;
}

/**
 * Claims the phone and the CPF for the customer, and returns which of the claims succeeded. A concurrent claim waits. If a claim
 * fails, the transaction must not commit.
 */
export async function claimIdentity(tx: Tx, { id, phoneHash, cpfHash }: StoredIdentity) {
  return (await tx.row<{ phone: boolean; cpf: boolean }>(sql`
    with phone as (
      insert into customer_phones (phone_hash, customer_id) values (${phoneHash}, ${id}) on conflict do nothing returning 1
    ), cpf as (
      insert into customer_cpfs (cpf_hash, customer_id) values (${cpfHash}, ${id}) on conflict do nothing returning 1
    )
    select exists (select from phone) as phone, exists (select from cpf) as cpf`))!;
}

export async function claimReferralCode(tx: Tx, code: string, customerId: string): Promise<boolean> {
  const claimedCount = await tx.run(sql`
    insert into customer_referral_codes (code, customer_id) values (${code}, ${customerId}) on conflict do nothing`);
  return claimedCount === 1;
}

export const insertCustomer = (tx: Tx, customer: NewCustomer) =>
  tx.run(sql`
    insert into customers (id, person_sealed, phone_hash, search_tokens, password_hash, credit_limit_cents, awaits_first_limit,
                           referral_code, created_at)
    values (${customer.id}, ${customer.encrypted}, ${customer.phoneHash}, ${customer.searchTokens}, ${customer.passwordHash},
            ${customer.creditLimitCents}, ${customer.awaitsFirstLimit}, ${customer.referralCode}, ${customer.createdAt})`);

export const insertTermsAcceptance = (
  tx: Tx,
  terms: { customerId: string; version: string; ipAddress: string; acceptedAt: Date },
) =>
  tx.run(sql`
    insert into terms_acceptances (customer_id, accepted_at, version, address)
    values (${terms.customerId}, ${terms.acceptedAt}, ${terms.version}, ${terms.ipAddress})`);

/** Unlocks a demo customer, and resets the password and the credit limit. */
export const resetCustomer = (
  tx: Tx,
  id: string,
  customer: Pick<NewCustomer, 'passwordHash' | 'creditLimitCents'>,
) =>
  tx.run(sql`
    update customers set locked_at = null, password_hash = ${customer.passwordHash},
      credit_limit_cents = ${customer.creditLimitCents}
    where id = ${id}`);

export const updatePassword = (tx: Tx, id: string, passwordHash: string) =>
  tx.run(sql`update customers set password_hash = ${passwordHash} where id = ${id}`);

export const markLocked = (tx: Tx, id: string, lockedAt: Date) =>
  tx.run(sql`update customers set locked_at = coalesce(locked_at, ${lockedAt}) where id = ${id}`);

export const markUnlocked = (tx: Tx, id: string) =>
  tx.run(sql`update customers set locked_at = null where id = ${id}`);

export const lockIdentity = (tx: CustomerTx, id: string) =>
  tx.row<EncryptedIdentity & { phone_hash: Buffer; erased_at: Date | null }>(sql`
    select id, person_sealed, phone_hash, erased_at from customers where id = ${id} for no key update`);

export const markErased = (tx: Tx, id: string, erasedAt: Date) =>
  tx.run(sql`
    update customers set erased_at = ${erasedAt}, locked_at = coalesce(locked_at, ${erasedAt}), referral_code = ''
    where id = ${id}`);

export const updateCreditLimit = (tx: Tx, id: string, creditLimitCents: number) =>
  tx.run(
    sql`update customers set awaits_first_limit = false, credit_limit_cents = ${creditLimitCents} where id = ${id}`,
  );

/** Claims the new phone for a customer and releases the old one. Returns false, without a change, if another customer has the new one. */
export async function replacePhoneClaim(
  tx: Tx,
  id: string,
  { oldHash, newHash }: { oldHash: Buffer; newHash: Buffer },
) {
  const claimedCount = await tx.run(
    sql`insert into customer_phones (phone_hash, customer_id) values (${newHash}, ${id}) on conflict do nothing`,
  );
  if (claimedCount === 0) return false;
  await tx.run(sql`delete from customer_phones where phone_hash = ${oldHash} and customer_id = ${id}`);
  return true;
}

/** Lists the versions of the data keys in use, with one index lookup per version. A ciphertext begins with the version, in four bytes. */
export async function listDataKeyVersions(db: Queryable): Promise<number[]> {
  const versions: Buffer[] = [];
  for (;;) {
    const row = await db.row<{ version: Buffer }>(sql`
      select substr(person_sealed, 1, 4) as version from customers
      where substr(person_sealed, 1, 4) > ${versions.at(-1) ?? Buffer.alloc(0)}
      order by substr(person_sealed, 1, 4) limit 1`);
    if (!row) return versions.map((version) => version.readUInt32BE());
    versions.push(row.version);
  }
}

export const updateIdentity = (
  tx: Tx,
  { id, encrypted, phoneHash, searchTokens }: Omit<StoredIdentity, 'cpfHash'>,
) =>
  tx.run(sql`
    update customers set person_sealed = ${encrypted}, phone_hash = ${phoneHash}, search_tokens = ${searchTokens}
    where id = ${id}`);

export async function updateLookupHashes(
  tx: Tx,
  { id, phoneHash, cpfHash }: StoredIdentity,
  oldPhoneHash: Buffer,
) {
  await tx.run(sql`update customer_cpfs set cpf_hash = ${cpfHash} where customer_id = ${id}`);
  await tx.run(sql`
    update customer_phones set phone_hash = ${phoneHash}
    where phone_hash = ${oldPhoneHash} and customer_id = ${id}`);
}
