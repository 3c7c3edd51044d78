import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

/** A charge's terms, validated, with the standard's field names. */
export type ChargeTerms = {
  calendario: { expiracao: number };
  devedor?: { cpf?: string; cnpj?: string; nome: string };
  valor: { original: string; modalidadeAlteracao?: number };
  chave: string;
  solicitacaoPagador?: string;
  infoAdicionais?: Array<{ nome: string; valor: string }>;
};

type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';

export type ChargeRow = {
  txid: string;
  status: ChargeStatus;
  revision: number;
  terms: ChargeTerms;
  created_at: Date;
  location_id: number;
  location: string;
};

export type LocationAddress = { token: string; location: string };

const chargeColumns = sql`charge.*, location.id as location_id, location.location`;
const chargeTables = sql`psp_sim_charges charge join psp_sim_locations location on location.txid = charge.txid`;

export const findCharge = (db: Queryable, txid: string) =>
  db.row<ChargeRow>(sql`select ${chargeColumns} from ${chargeTables} where charge.txid = ${txid}`);

export const findChargeByToken = (db: Queryable, token: string) =>
  db.row<ChargeRow>(sql`select ${chargeColumns} from ${chargeTables} where location.token = ${token}`);

/** Changes and payments lock the charge, so that of two concurrent transactions the second sees the result of the first. */
export const lockCharge = (tx: Tx, txid: string) =>
  tx.row<ChargeRow>(
    sql`select ${chargeColumns} from ${chargeTables} where charge.txid = ${txid} for update of charge`,
  );

/** Inserts a charge with its location. Returns undefined if the txid is in use. */
export async function insertCharge(
  db: Queryable,
  { txid, terms, now, token, location }: { txid: string; terms: ChargeTerms; now: Date } & LocationAddress,
): Promise<ChargeRow | undefined> {
  const insertedLocation = await db.row<{ id: number }>(sql`
    with inserted as (
      insert into psp_sim_charges (txid, status, terms, created_at)
      values (${txid}, 'ATIVA', ${JSON.stringify(terms)}, ${now}) on conflict (txid) do nothing returning txid
    )
    insert into psp_sim_locations (token, location, txid, created_at)
    select ${token}, ${location}, txid, ${now} from inserted returning id`);
  if (!insertedLocation) return undefined;
  return {
    txid,
    status: 'ATIVA',
    revision: 0,
    terms,
    created_at: now,
    location_id: insertedLocation.id,
    location,
  };
}

/** Replaces the terms. Equal terms do not increment the revision. */
export const updateTerms = (tx: Tx, txid: string, terms: ChargeTerms) =>
  tx.run(sql`
    update psp_sim_charges set terms = ${JSON.stringify(terms)}, revision = revision + 1
    where txid = ${txid} and terms <> ${JSON.stringify(terms)}::jsonb`);

/** A removal increments the revision, like any change by the receiver. A payment does not. */
export const markChargeRemoved = (tx: Tx, txid: string) =>
  tx.run(sql`
    update psp_sim_charges set status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1
    where txid = ${txid}`);

export const markChargePaid = (tx: Tx, txid: string) =>
  tx.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${txid}`);

type ChargeFilter = {
  from: Date;
  to: Date;
  cpf: string | null;
  cnpj: string | null;
  status: string | null;
  hasLocation: boolean | null;
};

export const listCharges = (
  db: Queryable,
  { from, to, cpf, cnpj, status, hasLocation }: ChargeFilter,
  slice: Slice,
) =>
  readPageWithTotal(slice, ({ offset, limit }) =>
    db.rows<ChargeRow & { total: number }>(sql`
      select ${chargeColumns}, count(*) over () as total from ${chargeTables}
      where charge.created_at between ${from} and ${to}
        and (${cpf}::text is null or charge.terms -> 'devedor' ->> 'cpf' = ${cpf})
        and (${cnpj}::text is null or charge.terms -> 'devedor' ->> 'cnpj' = ${cnpj})
        and (${status}::text is null or charge.status = ${status})
        and ${hasLocation ?? true}::boolean -- every charge has a location
      order by charge.created_at, charge.txid offset ${offset} limit ${limit}`),
  );

export type Slice = { offset: number; limit: number };

/** Reads a page of rows, each of which has the total. A page past the end has no row, so the total is read from the first page. */
export async function readPageWithTotal<Row extends { total: number }>(
  slice: Slice,
  read: (slice: Slice) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await read(slice);
  const [anyRow] = rows.length > 0 || slice.offset === 0 ? rows : await read({ offset: 0, limit: 1 });
  return { rows, total: anyRow?.total ?? 0 };
}
