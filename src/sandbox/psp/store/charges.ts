import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

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

const chargeColumns = sql`c.*, l.id as location_id, l.location, l.created_at as location_created_at`;
const chargeTables = sql`psp_sim_charges c left join psp_sim_locations l on l.txid = c.txid`;

export const findCharge = (db: Queryable, txid: string) =>
  db.row<ChargeRow>(sql`select ${chargeColumns} from ${chargeTables} where c.txid = ${txid}`);

export const findChargeByToken = (db: Queryable, token: string) =>
  db.row<ChargeRow>(sql`select ${chargeColumns} from ${chargeTables} where l.token = ${token}`);

/** Changes and payments lock the charge, so that the second of two concurrent ones sees the result of the first. */
export const lockCharge = (tx: Tx, txid: string) =>
  tx.row<ChargeRow>(sql`select ${chargeColumns} from ${chargeTables} where c.txid = ${txid} for update of c`);

type NewCharge = { txid: string; terms: Terms; now: Date };

/** Inserts a charge with its location. Undefined: the txid is in use. */
export async function insertCharge(
  db: Queryable,
  { txid, terms, now, token, location }: NewCharge & LocationAddress,
): Promise<ChargeRow | undefined> {
  const inserted = await db.row<{ id: number }>(sql`
    with inserted as (
      insert into psp_sim_charges (txid, status, terms, created_at)
      values (${txid}, 'ATIVA', ${JSON.stringify(terms)}, ${now}) on conflict (txid) do nothing returning txid
    )
    insert into psp_sim_locations (token, location, txid, created_at)
    select ${token}, ${location}, txid, ${now} from inserted returning id`);
  if (!inserted) return undefined;
  const locationFields = { location_id: inserted.id, location, location_created_at: now };
  return { txid, status: 'ATIVA', revision: 0, terms, created_at: now, ...locationFields };
}

/** Inserts a charge without a location, which the caller attaches. Returns false if the txid is in use. */
export const insertChargeWithoutLocation = async (tx: Tx, { txid, terms, now }: NewCharge) =>
  (await tx.run(sql`
    insert into psp_sim_charges (txid, status, terms, created_at)
    values (${txid}, 'ATIVA', ${JSON.stringify(terms)}, ${now}) on conflict (txid) do nothing`)) === 1;

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
export const setRemoved = (tx: Tx, txid: string) =>
  tx.run(sql`
    with stored as (
      insert into psp_sim_past_terms (txid, revision, terms)
      select txid, revision, terms from psp_sim_charges where txid = ${txid}
    )
    update psp_sim_charges set status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1
    where txid = ${txid}`);

export const setPaid = (tx: Tx, txid: string) =>
  tx.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${txid}`);

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
      select ${chargeColumns}, count(*) over () as total from ${chargeTables}
      where c.created_at between ${from} and ${to}
        and (${cpf}::text is null or c.terms -> 'devedor' ->> 'cpf' = ${cpf})
        and (${cnpj}::text is null or c.terms -> 'devedor' ->> 'cnpj' = ${cnpj})
        and (${status}::text is null or c.status = ${status})
        and (${withLocation}::boolean is null or (l.id is not null) = ${withLocation})
      order by c.created_at, c.txid offset ${offset} limit ${limit}`),
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

export type LocationRow = {
  id: number;
  location: string;
  txid: string | null;
  created_at: Date;
};

export async function insertLocation(db: Queryable, address: LocationAddress, now: Date) {
  const row = await db.row<LocationRow>(sql`
    insert into psp_sim_locations (token, location, created_at)
    values (${address.token}, ${address.location}, ${now}) returning *`);
  return row!;
}

export const findLocation = (db: Queryable, id: number) =>
  db.row<LocationRow>(sql`select * from psp_sim_locations where id = ${id}`);

export const lockLocation = (tx: Tx, id: number) =>
  tx.row<LocationRow>(sql`select * from psp_sim_locations where id = ${id} for update`);

/** Attaches the charge to this location, and detaches it from any other. */
export async function attachLocation(tx: Tx, id: number, txid: string): Promise<void> {
  await tx.run(sql`update psp_sim_locations set txid = null where txid = ${txid} and id <> ${id}`);
  await tx.run(sql`update psp_sim_locations set txid = ${txid} where id = ${id}`);
}

export const detachLocation = (db: Queryable, id: number) =>
  db.row<LocationRow>(sql`update psp_sim_locations set txid = null where id = ${id} returning *`);

export const listLocations = (
  db: Queryable,
  { from, to, withTxid }: { from: Date; to: Date; withTxid: boolean | null },
  page: Slice,
) =>
  readPageWithTotal(page, ({ offset, limit }) =>
    db.rows<LocationRow & { total: number }>(sql`
      select *, count(*) over () as total from psp_sim_locations
      where created_at between ${from} and ${to}
        and (${withTxid}::boolean is null or (txid is not null) = ${withTxid})
      order by created_at, id offset ${offset} limit ${limit}`),
  );
