import type { Tx } from '#platform/database/db.ts';
import { newPlace, newTxid } from '../bank.ts';
import { writeCharge, writePayments } from '../dialect.ts';
import { renderCharge } from '../render.ts';
import {
  type ChargeRow,
  findCharge,
  findPastTerms,
  insertBareCharge,
  listCharges,
  lockCharge,
  markRemoved,
  type Terms,
  updateTerms,
} from '../store/charges.ts';
import { attachLocation, lockLocation } from '../store/locations.ts';
import { listPixOf } from '../store/pix.ts';
import { CNPJ, CPF, isTxid } from './names.ts';
import { AGAINST_SCHEMA, found, refuse } from './problem.ts';
import type { Call, PspResponse, Routes } from './route.ts';
import { checkTerms, object } from './terms.ts';
import { FLAG, flag, parameters, readList, slice } from './window.ts';

export const chargeRoutes: Routes = {
  'PUT /v2/cob/:txid': put,
  'PATCH /v2/cob/:txid': patch,
  'GET /v2/cob/:txid': get,
  'GET /v2/cob': list,
  'POST /v2/cob': (call) => put({ ...call, params: { txid: newTxid() } }),
};

/** Creates the charge, or replaces the terms of an active one. */
async function put({ bank, params, body, now }: Call): Promise<PspResponse> {
  const txid = params.txid!;
  if (!isTxid(txid)) refuse('CobOperacaoInvalida', 'txid', AGAINST_SCHEMA, txid);
  const terms = checkTerms(body, bank.ownsKey);
  const locationId = wishedLocation(body);
  if (locationId === null) {
    const made = await bank.newCharges.add({ txid, terms, now, ...newPlace(bank) });
    if (made) return { status: 201, body: renderCharge(made, bank.receiver) };
  }
  const charge = await bank.db.transaction(async (tx) => {
    const isNew = locationId !== null && (await insertBareCharge(tx, { txid, terms, now }));
    if (!isNew) {
      mustBeActive((await lockCharge(tx, txid))!);
      await updateTerms(tx, txid, terms);
    }
    if (locationId !== null) await place(tx, locationId, txid);
    return (await findCharge(tx, txid))!;
  });
  return { status: 201, body: renderCharge(charge, bank.receiver) };
}

/** Changes the fields given, or removes the charge; never both. */
async function patch({ bank, params, body }: Call): Promise<PspResponse> {
  const { status, loc: _loc, ...changes } = object(body) ?? {};
  const locationId = wishedLocation(body);
  const charge = await bank.db.transaction(async (tx) => {
    const old = await found(params.txid, isTxid, (txid) => lockCharge(tx, txid), 'CobNaoEncontrado');
    mustBeActive(old);
    if (status !== undefined) {
      checkRemoval(status, Object.keys(changes).length > 0 || locationId !== null);
      await markRemoved(tx, old.txid);
    } else {
      const terms = checkTerms(merge(old.terms, changes), bank.ownsKey);
      await updateTerms(tx, old.txid, terms);
      if (locationId !== null) await place(tx, locationId, old.txid);
    }
    return (await findCharge(tx, old.txid))!;
  });
  return { status: 200, body: renderCharge(charge, bank.receiver) };
}

async function get({ bank, params, query }: Call): Promise<PspResponse> {
  const charge = await found(params.txid, isTxid, (txid) => findCharge(bank.db, txid), 'CobNaoEncontrado');
  const { revisao } = query;
  if (revisao !== undefined && revisao !== String(charge.revision)) {
    const revision = Number(revisao);
    const isRevision = /^\d{1,9}$/.test(revisao);
    const terms = isRevision ? await findPastTerms(bank.db, charge.txid, revision) : undefined;
    const reason = 'O parâmetro revisao corresponde a uma revisão inexistente.';
    if (!terms) refuse('CobConsultaInvalida', 'revisao', reason, revisao);
    return { status: 200, body: renderCharge({ ...charge, revision, terms: terms! }, bank.receiver) };
  }
  // Only a paid charge has payments.
  const pix = charge.status === 'ATIVA' ? [] : await listPixOf(bank.db, [charge.txid]);
  const faults = await bank.faultSettings.current();
  const shown = renderCharge(charge, bank.receiver, writePayments(faults, pix));
  return { status: 200, body: writeCharge(faults, shown) };
}

async function list({ bank, query }: Call): Promise<PspResponse> {
  const { window, asked } = readList(query, 'CobConsultaInvalida', {
    cpf: CPF,
    cnpj: CNPJ,
    status: /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(USUARIO_RECEBEDOR|PSP))$/,
    locationPresente: FLAG,
  });
  const withLocation = flag(asked.locationPresente);
  const { rows, total } = await listCharges(bank.db, { ...window, ...asked, withLocation }, slice(window));
  const txids = rows.map((row) => row.txid);
  const pix = Map.groupBy(await listPixOf(bank.db, txids), (row) => row.txid);
  const faults = await bank.faultSettings.current();
  const cobs = rows.map((row) =>
    writeCharge(faults, renderCharge(row, bank.receiver, writePayments(faults, pix.get(row.txid) ?? []))),
  );
  return { status: 200, body: { parametros: parameters(query, window, total), cobs } };
}

function mustBeActive({ status }: ChargeRow): void {
  const reason = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.';
  if (status !== 'ATIVA') refuse('CobOperacaoInvalida', 'status', reason, status);
}

function checkRemoval(status: unknown, hasChanges: boolean): void {
  if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    refuse('CobOperacaoInvalida', 'status', AGAINST_SCHEMA, status);
  const reason = 'A presente requisição propõe remover a cobrança juntamente com outras alterações.';
  if (hasChanges) refuse('CobOperacaoInvalida', 'status', reason);
}

function wishedLocation(body: unknown): number | null {
  const loc = object(body)?.loc;
  if (loc === undefined || loc === null) return null;
  const id = object(loc)?.id;
  if (!Number.isSafeInteger(id)) refuse('CobOperacaoInvalida', 'loc.id', AGAINST_SCHEMA, id);
  return id as number;
}

async function place(tx: Tx, id: number, txid: string): Promise<void> {
  const location = await lockLocation(tx, id);
  const refuseLocation = (what: string) =>
    refuse('CobOperacaoInvalida', 'loc.id', (name) => `O location referenciado por ${name} ${what}`, id);
  if (!location) refuseLocation('inexiste.');
  if (location?.txid && location.txid !== txid) refuseLocation('já está sendo utilizado por outra cobrança.');
  await attachLocation(tx, id, txid);
}

/** `calendario` and `valor` field by field, the rest whole. */
function merge(old: Terms, changes: Record<string, unknown>): Record<string, unknown> {
  const inner = (name: 'calendario' | 'valor') => {
    const change = object(changes[name]);
    return change ? { [name]: { ...old[name], ...change } } : {};
  };
  return { ...old, ...changes, ...inner('calendario'), ...inner('valor') };
}
