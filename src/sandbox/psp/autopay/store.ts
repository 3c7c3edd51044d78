import type { Day } from '#core/values/day.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import type { LocationAddress } from '../store/charges.ts';

// The standard calls an authorisation `rec` (recorrência), a debit `cobr` (cobrança recorrente) and a charge `cob`.

export type RecStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';
type DebitStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA';
type AttemptStatus = 'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA';

/** With the names of the standard: `data` is the time of the change. */
type StatusChange = { status: string; data: string };
type TerminationReason = { solicitante?: string; codigo: string; descricao: string };
/** Why an authorisation or a debit ended. */
export type Termination = { rejeicao: TerminationReason } | { cancelamento: TerminationReason };

/** The terms of an authorisation, validated, with the standard's field names. */
export type RecTerms = {
  vinculo: { contrato: string; objeto?: string; devedor: { cpf?: string; cnpj?: string; nome: string } };
  calendario: { dataInicial: Day; dataFinal?: Day; periodicidade: string };
  valor?: { valorRec?: string; valorMinimoRecebedor?: string };
  politicaRetentativa: string;
};

export type RecRow = {
  id: string;
  status: RecStatus;
  terms: RecTerms;
  /** The charge whose payment also authorises the debits (journey 3 of the standard). Null if the payer authorises without paying (journey 2). */
  first_txid: string | null;
  ended: Termination | null;
  updates: StatusChange[];
  created_at: Date;
  location_id: number | null;
  location: string | null;
  location_created_at: Date | null;
};

export type RecLocationRow = { id: number; location: string; created_at: Date; rec_id: string | null };

export type DebitTerms = {
  calendario: { dataDeVencimento: Day };
  valor: { original: string };
  ajusteDiaUtil: boolean;
  recebedor: { conta: string; tipoConta: string; agencia?: string };
  infoAdicional?: string;
};

export type DebitAttempt = {
  dataLiquidacao: Day;
  /** AGND (agendamento) is the first attempt, NTAG (nova tentativa) a retry. */
  tipo: 'AGND' | 'NTAG';
  status: AttemptStatus;
  endToEndId: string;
  atualizacao: StatusChange[];
  rejeicao?: { codigo: string; descricao: string };
};

export const withAttemptStatus = (
  attempt: DebitAttempt,
  status: AttemptStatus,
  changedAt: Date,
  rejeicao?: DebitAttempt['rejeicao'],
): DebitAttempt => ({
  ...attempt,
  status,
  atualizacao: [...attempt.atualizacao, { status, data: changedAt.toISOString() }],
  ...(rejeicao && { rejeicao }),
});

export type DebitRow = {
  txid: string;
  rec_id: string;
  status: DebitStatus;
  /** The number of the week, counted from the start of the authorisation. */
  cycle: number;
  amount_cents: number;
  terms: DebitTerms;
  attempts: DebitAttempt[];
  ended: Termination | null;
  updates: StatusChange[];
  /** When the debit is attempted or, after its last attempt has failed, expires. Null if neither will happen. */
  next_try_at: Date | null;
  created_at: Date;
};

export async function insertRecLocation(db: Queryable, address: LocationAddress, now: Date) {
  const row = await db.row<RecLocationRow>(sql`
    insert into psp_sim_rec_locations (token, location, created_at)
    values (${address.token}, ${address.location}, ${now})
    returning id, location, created_at, null::text as rec_id`);
  return row!;
}

export const findRecLocation = (db: Queryable, id: number) =>
  db.row<RecLocationRow>(sql`
    select location.id, location.location, location.created_at, rec.id as rec_id
    from psp_sim_rec_locations location left join psp_sim_recs rec on rec.location_id = location.id where location.id = ${id}`);

/** Returns undefined if the location is used by another authorisation. */
export async function insertRec(
  tx: Tx,
  rec: Pick<RecRow, 'id' | 'terms' | 'first_txid' | 'location_id'>,
  now: Date,
): Promise<RecRow | undefined> {
  const updates = [{ status: 'CRIADA', data: now.toISOString() }];
  const insertedCount = await tx.run(sql`
    insert into psp_sim_recs (id, status, location_id, terms, first_txid, updates, created_at)
    values (${rec.id}, 'CRIADA', ${rec.location_id}, ${JSON.stringify(rec.terms)}, ${rec.first_txid},
            ${JSON.stringify(updates)}, ${now})
    on conflict (location_id) do nothing`);
  return insertedCount === 0 ? undefined : findRec(tx, rec.id);
}

const selectRecs = sql`
  select rec.*, location.location, location.created_at as location_created_at
  from psp_sim_recs rec left join psp_sim_rec_locations location on location.id = rec.location_id`;

export const findRec = (db: Queryable, id: string) => db.row<RecRow>(sql`${selectRecs} where rec.id = ${id}`);

export const lockRec = (tx: Tx, id: string) =>
  tx.row<RecRow>(sql`${selectRecs} where rec.id = ${id} for update of rec`);

export const findCreatedRecByFirstTxid = (db: Queryable, txid: string) =>
  db.row<RecRow>(sql`${selectRecs} where rec.first_txid = ${txid} and rec.status = 'CRIADA'`);

export const listRecIdsToExpire = (db: Queryable, today: Day) =>
  db.values<string>(sql`
    select id from psp_sim_recs
    where status in ('CRIADA', 'APROVADA') and terms -> 'calendario' ->> 'dataFinal' < ${today} order by id limit 100`);

export async function updateRecStatus(
  tx: Tx,
  rec: RecRow,
  { status, termination, now }: { status: RecStatus; termination?: Termination; now: Date },
): Promise<void> {
  const updates = [...rec.updates, { status, data: now.toISOString() }];
  await tx.run(sql`
    update psp_sim_recs set status = ${status}, updates = ${JSON.stringify(updates)},
      ended = ${termination === undefined ? null : JSON.stringify(termination)}
    where id = ${rec.id}`);
}

export const simulatedAuthorisationPersonalData: PersonalData = {
  tables: definePersonalTables({
    psp_sim_recs: {
      where: ({ cpf }) => sql`terms -> 'vinculo' -> 'devedor' ->> 'cpf' = ${cpf}`,
      orderBy: 'id',
      render: ({ id, status, terms }) => ({ id, status, terms }),
      // `erase` replaces whole columns; this replaces the payer within `terms`.
      async eraseRelated(tx, rows) {
        const ids = rows.map(({ id }) => id);
        await tx.run(sql`
          update psp_sim_recs set terms = jsonb_set(terms, '{vinculo,devedor}', ${JSON.stringify(ERASED_PAYER)})
          where id = any(${ids})`);
      },
    },
  }),
};

const ERASED_PAYER = { cpf: '00000000000', nome: ERASED };

/** An authorisation has at most one debit in a cycle, not counting rejected and cancelled debits. */
export async function insertDebit(
  tx: Tx,
  debit: DebitRow,
): Promise<'inserted' | 'txid_in_use' | 'cycle_in_use'> {
  const existingDebit = await tx.row(sql`select 1 from psp_sim_debits where txid = ${debit.txid}`);
  if (existingDebit) return 'txid_in_use';
  const insertedCount = await tx.run(sql`
    insert into psp_sim_debits (txid, rec_id, status, cycle, amount_cents, terms, attempts, updates, next_try_at, created_at)
    values (${debit.txid}, ${debit.rec_id}, ${debit.status}, ${debit.cycle}, ${debit.amount_cents},
            ${JSON.stringify(debit.terms)}, ${JSON.stringify(debit.attempts)}, ${JSON.stringify(debit.updates)},
            ${debit.next_try_at}, ${debit.created_at})
    on conflict do nothing`);
  return insertedCount === 1 ? 'inserted' : 'cycle_in_use';
}

export const findDebit = (db: Queryable, txid: string) =>
  db.row<DebitRow>(sql`select * from psp_sim_debits where txid = ${txid}`);

export const lockDebit = (tx: Tx, txid: string) =>
  tx.row<DebitRow>(sql`select * from psp_sim_debits where txid = ${txid} for update`);

export const listOpenDebitTxids = (db: Queryable, recId: string) =>
  db.values<string>(sql`
    select txid from psp_sim_debits where rec_id = ${recId} and status in ('CRIADA', 'ATIVA') order by txid`);

/** Saves the changed debit, and adds a status change to its updates. */
export async function updateDebit(tx: Tx, before: DebitRow, after: DebitRow, now: Date): Promise<void> {
  const { status, ended } = after;
  const newUpdate = status === before.status ? [] : [{ status, data: now.toISOString() }];
  const updates = [...after.updates, ...newUpdate];
  await tx.run(sql`
    update psp_sim_debits set status = ${status}, attempts = ${JSON.stringify(after.attempts)},
      ended = ${ended === null ? null : JSON.stringify(ended)}, updates = ${JSON.stringify(updates)},
      next_try_at = ${after.next_try_at}
    where txid = ${after.txid}`);
}

export const listDueDebitTxids = (db: Queryable, now: Date) =>
  db.values<string>(sql`
    select txid from psp_sim_debits where next_try_at <= ${now} order by next_try_at, txid limit 500`);
