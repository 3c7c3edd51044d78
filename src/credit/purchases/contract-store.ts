import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

const ownerOf = (hash: string) => `contract ${hash}`;
const seal = (vault: Vault, hash: string, pdf: Buffer) => vault.pack(pdf.toString('base64'), ownerOf(hash));
const open = (vault: Vault, hash: string, sealed: Buffer) =>
  Buffer.from(vault.unpack(sealed, ownerOf(hash)), 'base64');

export type Contract = { readonly hash: string; readonly pdf: Buffer; readonly sha256: string };

export const insertContract = (
  vault: Vault,
  customerId: string,
  { hash, pdf }: Contract,
  at: Date,
): Sql => sql`
  insert into contracts (customer_id, checkout_hash, pdf, created_at)
  values (${customerId}, ${hash}, ${seal(vault, hash, pdf)}, ${at}) on conflict do nothing`;

/** Fixes the contract of a purchase, unless it has one. Returns the bytes that count from then on. */
export async function putContract(tx: Tx, customerId: string, contract: Contract, at: Date): Promise<Buffer> {
  const { hash, pdf, sha256 } = contract;
  if ((await tx.run(insertContract(tx.vault, customerId, contract, at))) === 0)
    return (await findContract(tx, customerId, hash))!;
  tx.write(sql`
    update checkouts set contract_sha256 = ${sha256} where customer_id = ${customerId} and hash = ${hash}`);
  return pdf;
}

export async function findContract(
  db: Queryable,
  customerId: string,
  hash: string,
): Promise<Buffer | undefined> {
  const row = await db.row<{ pdf: Buffer }>(sql`
    select pdf from contracts where customer_id = ${customerId} and checkout_hash = ${hash}`);
  return row && open(db.vault, hash, row.pdf);
}

/** The next few after the given one: those with another key than the current one, or all. Their purchases. */
export async function resealContracts(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: { afterId: string; limit: number; all: boolean },
): Promise<string[]> {
  const rows = await tx.rows<{ customer_id: string; checkout_hash: string; pdf: Buffer }>(sql`
    select customer_id, checkout_hash, pdf from contracts
    where checkout_hash > ${afterId} and (${all} or substr(pdf, 1, 4) <> ${vault.packedVersion})
    order by checkout_hash limit ${limit}`);
  for (const { customer_id, checkout_hash, pdf } of rows)
    await tx.run(sql`
      update contracts set pdf = ${seal(vault, checkout_hash, open(vault, checkout_hash, pdf))}
      where customer_id = ${customer_id} and checkout_hash = ${checkout_hash}`);
  return rows.map(({ checkout_hash }) => checkout_hash);
}
