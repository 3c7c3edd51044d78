import type { Tx } from '#platform/database/db.ts';
import { type Bank, newPlace, newTxid } from '../bank.ts';
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
import { isTxid } from './names.ts';
import { PspProblem, Violations } from './problem.ts';
import type { Call, PspResponse, Route } from './route.ts';
import { checkTerms, object } from './terms.ts';
import { parameters, readFlag, readMatching, readWindow, slice } from './window.ts';

const URL = '/v2/cob';
const ONE = `${URL}/:txid`;

export function chargeRoutes(bank: Bank): Route[] {
  const write = 'cob.write';
  const read = 'cob.read';
  return [
    { method: 'PUT', url: ONE, scope: write, handle: (call) => put(bank, call) },
    { method: 'PATCH', url: ONE, scope: write, handle: (call) => patch(bank, call) },
    { method: 'GET', url: ONE, scope: read, handle: (call) => get(bank, call) },
    { method: 'GET', url: URL, scope: read, handle: (call) => list(bank, call) },
    {
      method: 'POST',
      url: URL,
      scope: write,
      handle: (call) => put(bank, { ...call, params: { txid: newTxid() } }),
    },
  ];
}

/** Creates the charge, or replaces the terms of an active one. */
async function put(bank: Bank, { params, body, now }: Call): Promise<PspResponse> {
  const txid = params.txid!;
  if (!isTxid(txid)) {
    const wrong = new Violations('cob');
    wrong.schema('txid', txid);
    wrong.throwIfAny('CobOperacaoInvalida');
  }
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
async function patch(bank: Bank, { params, body }: Call): Promise<PspResponse> {
  const { status, loc: _loc, ...changes } = object(body) ?? {};
  const locationId = wishedLocation(body);
  const charge = await bank.db.transaction(async (tx) => {
    const old = isTxid(params.txid!) ? await lockCharge(tx, params.txid!) : undefined;
    if (!old) throw new PspProblem('CobNaoEncontrado');
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

async function get(bank: Bank, { params, query }: Call): Promise<PspResponse> {
  const charge = isTxid(params.txid!) ? await findCharge(bank.db, params.txid!) : undefined;
  if (!charge) throw new PspProblem('CobNaoEncontrado');
  const { revisao } = query;
  if (revisao !== undefined && revisao !== String(charge.revision)) {
    const terms = /^\d{1,9}$/.test(revisao)
      ? await findPastTerms(bank.db, charge.txid, Number(revisao))
      : undefined;
    const wrong = new Violations('');
    if (!terms)
      wrong.add('revisao', () => 'O parâmetro revisao corresponde a uma revisão inexistente.', revisao);
    wrong.throwIfAny('CobConsultaInvalida');
    return {
      status: 200,
      body: renderCharge({ ...charge, revision: Number(revisao), terms: terms! }, bank.receiver),
    };
  }
  // Only a paid charge has payments.
  const pix = charge.status === 'ATIVA' ? [] : await listPixOf(bank.db, [charge.txid]);
  const faults = await bank.faultSettings.current();
  const shown = renderCharge(charge, bank.receiver, writePayments(faults, pix));
  return { status: 200, body: writeCharge(faults, shown) };
}

async function list(bank: Bank, { query }: Call): Promise<PspResponse> {
  const filter = { cpf: null, cnpj: null, status: null, withLocation: null } as {
    cpf: string | null;
    cnpj: string | null;
    status: string | null;
    withLocation: boolean | null;
  };
  const window = readWindow(query, 'CobConsultaInvalida', (wrong) => {
    filter.cpf = readMatching(query, 'cpf', /^\d{11}$/, wrong);
    filter.cnpj = readMatching(query, 'cnpj', /^[0-9A-Z]{14}$/, wrong);
    filter.status = readMatching(
      query,
      'status',
      /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(USUARIO_RECEBEDOR|PSP))$/,
      wrong,
    );
    filter.withLocation = readFlag(query, 'locationPresente', wrong);
  });
  const { rows, total } = await listCharges(bank.db, { ...window, ...filter }, slice(window));
  const pix = Map.groupBy(
    await listPixOf(
      bank.db,
      rows.map((row) => row.txid),
    ),
    (row) => row.txid,
  );
  const faults = await bank.faultSettings.current();
  const cobs = rows.map((row) =>
    writeCharge(faults, renderCharge(row, bank.receiver, writePayments(faults, pix.get(row.txid) ?? []))),
  );
  return { status: 200, body: { parametros: parameters(query, window, total), cobs } };
}

function mustBeActive(charge: ChargeRow): void {
  const wrong = new Violations('cob');
  if (charge.status !== 'ATIVA')
    wrong.add(
      'status',
      () => 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.',
      charge.status,
    );
  wrong.throwIfAny('CobOperacaoInvalida');
}

function checkRemoval(status: unknown, hasChanges: boolean): void {
  const wrong = new Violations('cob');
  if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR') wrong.schema('status', status);
  else if (hasChanges)
    wrong.add(
      'status',
      () => 'A presente requisição propõe remover a cobrança juntamente com outras alterações.',
    );
  wrong.throwIfAny('CobOperacaoInvalida');
}

function wishedLocation(body: unknown): number | null {
  const loc = object(body)?.loc;
  if (loc === undefined || loc === null) return null;
  const id = object(loc)?.id;
  const wrong = new Violations('cob');
  if (!Number.isSafeInteger(id)) wrong.schema('loc.id', id);
  wrong.throwIfAny('CobOperacaoInvalida');
  return id as number;
}

async function place(tx: Tx, id: number, txid: string): Promise<void> {
  const location = await lockLocation(tx, id);
  const wrong = new Violations('cob');
  const refuse = (what: string) =>
    wrong.add('loc.id', (name) => `O location referenciado por ${name} ${what}`, id);
  if (!location) refuse('inexiste.');
  else if (location.txid !== null && location.txid !== txid)
    refuse('já está sendo utilizado por outra cobrança.');
  wrong.throwIfAny('CobOperacaoInvalida');
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
