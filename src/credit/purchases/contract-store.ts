import { createHash } from 'node:crypto';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

export const contractColumns = columns({
  checkout_hash: column.text(),
  content: column.encryptedText({ context: 'contract text', rowIdColumn: 'checkout_hash' }).nullable(),
  /** The bytes of the PDF are stored as base64. */
  pdf: column.encryptedText({ context: 'contract', rowIdColumn: 'checkout_hash' }).nullable(),
});
type ContractRow = Omit<RowOf<typeof contractColumns>, 'checkout_hash'>;
const { content: encryptedText, pdf: encryptedPdf } = contractColumns.declarations;

const encryptPdf = (vault: Vault, hash: string, pdf: Buffer) =>
  encryptedPdf.encrypt(vault, hash, pdf.toString('base64'));
const decryptPdf = (vault: Vault, hash: string, encrypted: Buffer) =>
  Buffer.from(encryptedPdf.decrypt(vault, hash, encrypted), 'base64');

/** A contract: the hash of its purchase, the canonical JSON and its SHA-256. */
export type Contract = { readonly hash: string; readonly text: string; readonly sha256: string };

/** `text` is null if an earlier release created the contract as a PDF only; `pdf` is null until it is rendered. */
export type StoredContract = { readonly text: string | null; readonly pdf: Buffer | null };

export const createContract = (hash: string, text: string): Contract => ({
  hash,
  text,
  sha256: hashContract(text),
});

export const hashContract = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Builds the statement that inserts a contract unless the purchase has one. */
export const buildContractInsert = (
  vault: Vault,
  customerId: string,
  { hash, text }: Contract,
  createdAt: Date,
) => insertContracts({ customerId, hash, content: encryptedText.encrypt(vault, hash, text), createdAt });

type NewContract = { customerId: string; hash: string; content: Buffer; createdAt: Date };

const insertContracts = batchable(
  (rows: readonly NewContract[], customerSql) => sql`
    insert into contracts (customer_id, checkout_hash, content, created_at)
    select ${customerSql}, input.hash, input.content, input.created_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'hash')}::text[], ${pluck(rows, 'content')}::bytea[],
                ${pluck(rows, 'createdAt')}::timestamptz[]) as input (customer_id, hash, content, created_at)
    on conflict do nothing returning customer_id`,
);

/** Stores the contract of a purchase unless it has one. Returns the stored contract. */
export async function storeContract(tx: Tx, customerId: string, contract: Contract, createdAt: Date) {
  const { hash, text, sha256 } = contract;
  const insertedRow = await tx.row(buildContractInsert(tx.vault, customerId, contract, createdAt));
  if (!insertedRow) return (await findContract(tx, customerId, hash))!;
  tx.queueWrite(sql`
    update checkouts set contract_sha256 = ${sha256} where customer_id = ${customerId} and hash = ${hash}`);
  return { text, pdf: null };
}

/** Stores the PDF of a contract unless one is stored. Returns the stored PDF, or undefined if the contract was erased. */
export async function storePdf(db: Queryable, customerId: string, hash: string, pdf: Buffer) {
  const row = await db.row<{ pdf: Buffer | null }>(sql`
    update contracts set pdf = coalesce(pdf, ${encryptPdf(db.vault, hash, pdf)})
    where customer_id = ${customerId} and checkout_hash = ${hash} returning pdf`);
  return row ? decryptPdf(db.vault, hash, row.pdf!) : undefined;
}

export async function findContract(db: Queryable, customerId: string, hash: string) {
  const row = await db.row<ContractRow>(sql`
    select content, pdf from contracts where customer_id = ${customerId} and checkout_hash = ${hash}`);
  return (
    row && {
      text: row.content && encryptedText.decrypt(db.vault, hash, row.content),
      pdf: row.pdf && decryptPdf(db.vault, hash, row.pdf),
    }
  );
}
