import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { Sealed } from '#platform/vault.ts';

/** What a login needs to know, and what a new password is held against. */
export type LoginRow = {
  id: string;
  name: string;
  email: string;
  password_hash: string | null;
  locked_at: Date | null;
};

/** What a customer is shown of themselves. */
export type CustomerRow = {
  id: string;
  name: string;
  phone: string;
  email: string;
  cpf_sealed: Buffer;
  cpf_key_version: number;
  credit_limit_cents: number;
  credit_used_cents: number;
  created_at: Date;
};

export type ListedCustomer = CustomerRow & {
  referral_code: string;
  locked_at: Date | null;
  by_code_only: boolean;
};

export type NewCustomer = {
  id: string;
  name: string;
  phone: string;
  email: string;
  cpf: Sealed;
  cpfHash: Buffer;
  passwordHash: string | null;
  creditLimitCents: number;
  referralCode: string;
  createdAt: Date;
};

export async function findLogin(db: Queryable, phone: string): Promise<LoginRow | undefined> {
  return db.row(sql`select id, name, email, password_hash, locked_at from customers where phone = ${phone}`);
}

/** Held until the session is written: a lock by the operator comes wholly before it or wholly after it. */
export async function lockLogin(tx: Tx, phone: string): Promise<LoginRow | undefined> {
  return tx.row(sql`
    select id, name, email, password_hash, locked_at from customers
    where phone = ${phone} for no key update`);
}

export async function findCustomer(db: Queryable, id: string): Promise<CustomerRow | undefined> {
  return db.row(sql`
    select id, name, phone, email, cpf_sealed, cpf_key_version, credit_limit_cents, created_at,
           credit_used_cents(id)
    from customers where id = ${id}`);
}

/** By id or phone, as the operator sees a customer. */
export async function findListedCustomer(
  db: Queryable,
  idOrPhone: string,
): Promise<ListedCustomer | undefined> {
  return db.row(sql`
    select id, name, phone, email, cpf_sealed, cpf_key_version, credit_limit_cents, created_at, referral_code,
           locked_at, password_hash is null as by_code_only, credit_used_cents(id)
    from customers where id = ${idOrPhone} or phone = ${idOrPhone}`);
}

export async function listCustomers(
  db: Queryable,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedCustomer[]> {
  return db.rows(sql`
    select id, name, phone, email, cpf_sealed, cpf_key_version, credit_limit_cents, created_at, referral_code,
           locked_at, password_hash is null as by_code_only, credit_used_cents(id)
    from customers order by created_at, id offset ${offset} limit ${limit}`);
}

export async function countCustomers(db: Queryable): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from customers`))!.count;
}

/** False when its phone, CPF or referral code is taken. */
export async function insertCustomer(db: Queryable, customer: NewCustomer): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into customers (id, name, phone, email, cpf_sealed, cpf_key_version, cpf_hash, password_hash,
                           credit_limit_cents, referral_code, created_at)
    values (${customer.id}, ${customer.name}, ${customer.phone}, ${customer.email}, ${customer.cpf.bytes},
            ${customer.cpf.version}, ${customer.cpfHash}, ${customer.passwordHash},
            ${customer.creditLimitCents}, ${customer.referralCode}, ${customer.createdAt})
    on conflict do nothing`);
  return inserted === 1;
}

export async function findTaken(
  db: Queryable,
  phone: string,
  cpfHash: Buffer,
): Promise<{ phone: boolean; cpf: boolean }> {
  const row = await db.row<{ phone: boolean; cpf: boolean }>(sql`
    select exists (select from customers where phone = ${phone}) as phone,
           exists (select from customers where cpf_hash = ${cpfHash}) as cpf`);
  return row!;
}

/** Everything but id, CPF and the date of registration, as it was at first. */
export async function resetCustomer(tx: Tx, customer: NewCustomer): Promise<string | undefined> {
  const row = await tx.row<{ id: string }>(sql`
    update customers set name = ${customer.name}, email = ${customer.email}, locked_at = null,
      password_hash = ${customer.passwordHash}, credit_limit_cents = ${customer.creditLimitCents}
    where phone = ${customer.phone} returning id`);
  return row?.id;
}

export async function markPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.run(sql`update customers set password_hash = ${passwordHash} where id = ${id}`);
}

export async function markLocked(tx: Tx, idOrPhone: string, at: Date): Promise<string | undefined> {
  const row = await tx.row<{ id: string }>(sql`
    update customers set locked_at = coalesce(locked_at, ${at}) where id = ${idOrPhone} or phone = ${idOrPhone}
    returning id`);
  return row?.id;
}

export async function markUnlocked(db: Queryable, idOrPhone: string): Promise<string | undefined> {
  const row = await db.row<{ id: string }>(sql`
    update customers set locked_at = null where id = ${idOrPhone} or phone = ${idOrPhone} returning id`);
  return row?.id;
}

/** The versions of data keys that CPFs are sealed with. Hops over the index from one to the next, however many customers. */
export async function listKeyVersions(db: Queryable): Promise<number[]> {
  const rows = await db.rows<{ version: number }>(sql`
    with recursive versions as (
      select min(cpf_key_version) as version from customers
      union all
      select (select min(cpf_key_version) from customers where cpf_key_version > v.version)
      from versions v where v.version is not null)
    select version from versions where version is not null`);
  return rows.map(({ version }) => version);
}

export type SealedCpf = { id: string; cpf_sealed: Buffer; cpf_key_version: number };

/** The next few after `afterId`, in order of id: all, or only those not sealed with this version. */
export async function lockSealedCpfs(
  tx: Tx,
  { afterId, version, all, limit }: { afterId: string; version: number; all: boolean; limit: number },
): Promise<SealedCpf[]> {
  return tx.rows(sql`
    select id, cpf_sealed, cpf_key_version from customers
    where id > ${afterId} and (${all} or cpf_key_version <> ${version})
    order by id limit ${limit} for no key update`);
}

export async function countSealedCpfs(db: Queryable, version: number, all: boolean): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) from customers where ${all} or cpf_key_version <> ${version}`);
  return row!.count;
}

export async function updateSealedCpf(tx: Tx, id: string, cpf: Sealed, cpfHash: Buffer): Promise<void> {
  await tx.run(sql`
    update customers set cpf_sealed = ${cpf.bytes}, cpf_key_version = ${cpf.version}, cpf_hash = ${cpfHash}
    where id = ${id}`);
}
