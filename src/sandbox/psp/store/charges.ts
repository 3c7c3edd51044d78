import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { readPageWithTotal, type Slice } from './page.ts';

/** A charge's terms, validated, with the standard's field names. */
export type Terms = {
  calendario: { expiracao: number };
  devedor?: { cpf?: string; cnpj?: string; nome: string };
  valor: { original: string; modalidadeAlteracao?: number };
  chave: string;
  solicitacaoPagador?: string;
  infoAdicionais?: Array<{ nome: string; valor: string }>;
};

type Status = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';

export type ChargeRow = {
  txid: string;
  status: Status;
  revision: number;
  terms: Terms;
  created_at: Date;
  /** Null: the charge is detached from its location. */
  location_id: number | null;
  location: string | null;
  location_created_at: Date | null;
};

export type LocationAddress = { token: string; location: string };

const columns = sql`c.*, l.id as location_id, l.location, l.created_at as location_created_at`;
const tables = sql`psp_sim_charges c left join psp_sim_locations l on l.txid = c.txid`;

export async function findCharge(db: Queryable, txid: string): Promise<ChargeRow | undefined> {
  return db.row(sql`select ${columns} from ${tables} where c.txid = ${txid}`);
}

export async function findChargeByToken(db: Queryable, token: string): Promise<ChargeRow | undefined> {
  return db.row(sql`select ${columns} from ${tables} where l.token = ${token}`);
}

/** Changes and payments lock the charge, so that the second of two concurrent ones sees the result of the first. */
export async function lockCharge(tx: Tx, txid: string): Promise<ChargeRow | undefined> {
  return tx.row(sql`select ${columns} from ${tables} where c.txid = ${txid} for update of c`);
}

export type NewCharge = { txid: string; terms: Terms; now: Date };

/** Inserts charges with their locations in one statement. Undefined: the txid is in use. Throws if a txid occurs twice. */
export async function insertCharges(
  db: Queryable,
  charges: ReadonlyArray<NewCharge & LocationAddress>,
): Promise<Array<ChargeRow | undefined>> {
  const locations = await db.rows<{ txid: string | null; id: number }>(sql`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(charges)})
        as k (txid text, terms jsonb, now timestamptz, token text, location text)
    ), inserted as (
      insert into psp_sim_charges (txid, status, terms, created_at)
      select txid, 'ATIVA', terms, now from input order by txid on conflict (txid) do nothing returning txid
    )
    insert into psp_sim_locations (token, location, txid, created_at)
    select token, location, txid, now from input join inserted using (txid) returning txid, id`);
  const locationIds = new Map(locations.map(({ txid, id }) => [txid, id]));
  return charges.map(({ txid, terms, now, location }) => {
    const location_id = locationIds.get(txid);
    if (location_id === undefined) return undefined;
    const locationFields = { location_id, location, location_created_at: now };
    return { txid, status: 'ATIVA', revision: 0, terms, created_at: now, ...locationFields };
  });
}

/** Inserts a charge without a location, which the caller attaches. Returns false if the txid is in use. */
export async function insertChargeWithoutLocation(tx: Tx, { txid, terms, now }: NewCharge): Promise<boolean> {
  const insertedCount = await tx.run(sql`
    insert into psp_sim_charges (txid, status, terms, created_at)
    values (${txid}, 'ATIVA', ${JSON.stringify(terms)}, ${now}) on conflict (txid) do nothing`);
  return insertedCount === 1;
}

/** Stores the old terms and increments the revision, unless the terms are equal. */
export async function updateTerms(tx: Tx, txid: string, terms: Terms): Promise<void> {
  const text = JSON.stringify(terms);
  await tx.run(sql`
    with before as (
      select txid, revision, terms from psp_sim_charges where txid = ${txid} and terms <> ${text}::jsonb
    ), stored as (
      insert into psp_sim_past_terms (txid, revision, terms) select txid, revision, terms from before
    )
    update psp_sim_charges c set terms = ${text}::jsonb, revision = c.revision + 1
    from before where c.txid = before.txid`);
}

/** A removal increments the revision, like any change by the receiver. A payment does not. */
export async function markRemoved(tx: Tx, txid: string): Promise<void> {
  await tx.run(sql`
    with stored as (
      insert into psp_sim_past_terms (txid, revision, terms)
      select txid, revision, terms from psp_sim_charges where txid = ${txid}
    )
    update psp_sim_charges set status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1
    where txid = ${txid}`);
}

export async function markPaid(tx: Tx, txid: string): Promise<void> {
  await tx.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${txid}`);
}

export async function findPastTerms(db: Queryable, txid: string, revision: number) {
  const row = await db.row<{ terms: Terms }>(sql`
    select terms from psp_sim_past_terms where txid = ${txid} and revision = ${revision}`);
  return row?.terms;
}

type ChargeFilter = {
  from: Date;
  to: Date;
  cpf: string | null;
  cnpj: string | null;
  status: string | null;
  withLocation: boolean | null;
};

export const listCharges = (
  db: Queryable,
  { from, to, cpf, cnpj, status, withLocation }: ChargeFilter,
  page: Slice,
) =>
  readPageWithTotal(page, ({ offset, limit }) =>
    db.rows<ChargeRow & { total: number }>(sql`
      select ${columns}, count(*) over () as total from ${tables}
      where c.created_at between ${from} and ${to}
        and (${cpf}::text is null or c.terms -> 'devedor' ->> 'cpf' = ${cpf})
        and (${cnpj}::text is null or c.terms -> 'devedor' ->> 'cnpj' = ${cnpj})
        and (${status}::text is null or c.status = ${status})
        and (${withLocation}::boolean is null or (l.id is not null) = ${withLocation})
      order by c.created_at, c.txid offset ${offset} limit ${limit}`),
  );
