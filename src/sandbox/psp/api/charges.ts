import type { Tx } from '#platform/database/db.ts';
import { type Bank, newPlace, newTxid } from '../bank.ts';
import { writeCharge, writePayments } from '../dialect.ts';
import { renderCharge } from '../render.ts';
import {
  type ChargeRow,
  findCharge,
  findPastTerms,
  insertBareCharge,
  type Kind,
  listCharges,
  lockCharge,
  markRemoved,
  updateTerms,
} from '../store/charges.ts';
import { attachLocation, lockLocation } from '../store/locations.ts';
import { listPixOf } from '../store/pix.ts';
import { isTxid } from './names.ts';
import { type ErrorKind, PspProblem, Violations } from './problem.ts';
import type { Answer, Call, Route } from './route.ts';
import { checkTerms, object, type Terms } from './terms.ts';
import { parameters, readFlag, readMatching, readWindow, slice } from './window.ts';

const ERRORS: Record<Kind, { notFound: ErrorKind; invalid: ErrorKind; badQuery: ErrorKind }> = {
  cob: {
    notFound: 'CobNaoEncontrado',
    invalid: 'CobOperacaoInvalida',
    badQuery: 'CobConsultaInvalida',
  },
  cobv: {
    notFound: 'CobVNaoEncontrada',
    invalid: 'CobVOperacaoInvalida',
    badQuery: 'CobVConsultaInvalida',
  },
};

/** Charges to be paid at once (cob) or by a due date (cobv). Only the first kind can be made with a txid of the PSP's. */
export function chargeRoutes(bank: Bank, kind: Kind): Route[] {
  const one = `/v2/${kind}/:txid`;
  const write = `${kind}.write`;
  const read = `${kind}.read`;
  return [
    { method: 'PUT', url: one, scope: write, handle: (call) => put(bank, kind, call) },
    { method: 'PATCH', url: one, scope: write, handle: (call) => patch(bank, kind, call) },
    { method: 'GET', url: one, scope: read, handle: (call) => get(bank, kind, call) },
    { method: 'GET', url: `/v2/${kind}`, scope: read, handle: (call) => list(bank, kind, call) },
    ...(kind === 'cob'
      ? [
          {
            method: 'POST' as const,
            url: '/v2/cob',
            scope: write,
            handle: (call: Call) => put(bank, kind, { ...call, params: { txid: newTxid() } }),
          },
        ]
      : []),
  ];
}

/** Makes the charge, or replaces what an active one asks for. */
async function put(bank: Bank, kind: Kind, { params, body, now }: Call): Promise<Answer> {
  const txid = params.txid!;
  if (!isTxid(txid)) {
    const wrong = new Violations(kind);
    wrong.schema('txid', txid);
    wrong.throwIfAny(ERRORS[kind].invalid);
  }
  const terms = checkTerms(body, { kind, now, ownsKey: bank.ownsKey });
  const locationId = wishedLocation(body, kind);
  if (locationId === null) {
    const made = await bank.newCharges.add({ txid, kind, terms, now, ...newPlace(bank, kind) });
    if (made) return { status: 201, body: renderCharge(made, bank.receiver) };
  }
  const charge = await bank.db.transaction(async (tx) => {
    const isNew = locationId !== null && (await insertBareCharge(tx, { txid, kind, terms, now }));
    if (!isNew) {
      const old = await lockCharge(tx, txid);
      mustBeActive(old, kind);
      await updateTerms(tx, txid, terms);
    }
    if (locationId !== null) await place(tx, kind, locationId, txid);
    return (await findCharge(tx, txid))!;
  });
  return { status: 201, body: renderCharge(charge, bank.receiver) };
}

/** Changes what is named, or removes the charge; never both. */
async function patch(bank: Bank, kind: Kind, { params, body }: Call): Promise<Answer> {
  const { status, loc: _loc, ...changes } = object(body) ?? {};
  const locationId = wishedLocation(body, kind);
  const charge = await bank.db.transaction(async (tx) => {
    const old = isTxid(params.txid!) ? await lockCharge(tx, params.txid!) : undefined;
    if (old?.kind !== kind) throw new PspProblem(ERRORS[kind].notFound);
    mustBeActive(old, kind);
    if (status !== undefined) {
      checkRemoval(kind, status, Object.keys(changes).length > 0 || locationId !== null);
      await markRemoved(tx, old.txid);
    } else {
      const context = { kind, now: old.created_at, ownsKey: bank.ownsKey };
      const terms = checkTerms(merge(old.terms, changes), context);
      await updateTerms(tx, old.txid, terms);
      if (locationId !== null) await place(tx, kind, locationId, old.txid);
    }
    return (await findCharge(tx, old.txid))!;
  });
  return { status: 200, body: renderCharge(charge, bank.receiver) };
}

async function get(bank: Bank, kind: Kind, { params, query }: Call): Promise<Answer> {
  const charge = isTxid(params.txid!) ? await findCharge(bank.db, params.txid!) : undefined;
  if (charge?.kind !== kind) throw new PspProblem(ERRORS[kind].notFound);
  const { revisao } = query;
  if (revisao !== undefined && revisao !== String(charge.revision)) {
    const terms = /^\d{1,9}$/.test(revisao)
      ? await findPastTerms(bank.db, charge.txid, Number(revisao))
      : undefined;
    const wrong = new Violations('');
    if (!terms)
      wrong.add('revisao', () => 'O parâmetro revisao corresponde a uma revisão inexistente.', revisao);
    wrong.throwIfAny(ERRORS[kind].badQuery);
    return {
      status: 200,
      body: renderCharge({ ...charge, revision: Number(revisao), terms: terms! }, bank.receiver),
    };
  }
  // Only a charge that was paid has anything to show.
  const pix = charge.status === 'ATIVA' ? [] : await listPixOf(bank.db, [charge.txid]);
  const faults = await bank.faultSettings.current();
  const shown = renderCharge(charge, bank.receiver, writePayments(faults, pix));
  return { status: 200, body: writeCharge(faults, shown) };
}

async function list(bank: Bank, kind: Kind, { query }: Call): Promise<Answer> {
  const filter = { cpf: null, cnpj: null, status: null, withLocation: null } as {
    cpf: string | null;
    cnpj: string | null;
    status: string | null;
    withLocation: boolean | null;
  };
  const window = readWindow(query, ERRORS[kind].badQuery, (wrong) => {
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
  const { rows, total } = await listCharges(bank.db, { kind, ...window, ...filter }, slice(window));
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

function mustBeActive(charge: ChargeRow | undefined, kind: Kind): asserts charge is ChargeRow {
  const wrong = new Violations(kind);
  if (charge?.kind !== kind) wrong.add('txid', (name) => `O campo ${name} encontra-se em uso.`);
  else if (charge.status !== 'ATIVA')
    wrong.add(
      'status',
      () => 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.',
      charge.status,
    );
  wrong.throwIfAny(ERRORS[kind].invalid);
}

function checkRemoval(kind: Kind, status: unknown, hasChanges: boolean): void {
  const wrong = new Violations(kind);
  if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR') wrong.schema('status', status);
  else if (hasChanges)
    wrong.add(
      'status',
      () => 'A presente requisição propõe remover a cobrança juntamente com outras alterações.',
    );
  wrong.throwIfAny(ERRORS[kind].invalid);
}

function wishedLocation(body: unknown, kind: Kind): number | null {
  const loc = object(body)?.loc;
  if (loc === undefined || loc === null) return null;
  const id = object(loc)?.id;
  const wrong = new Violations(kind);
  if (!Number.isSafeInteger(id)) wrong.schema('loc.id', id);
  wrong.throwIfAny(ERRORS[kind].invalid);
  return id as number;
}

async function place(tx: Tx, kind: Kind, id: number, txid: string): Promise<void> {
  const location = await lockLocation(tx, id);
  const wrong = new Violations(kind);
  const refuse = (what: string) =>
    wrong.add('loc.id', (name) => `O location referenciado por ${name} ${what}`, id);
  if (!location) refuse('inexiste.');
  else if (location.txid !== null && location.txid !== txid)
    refuse('já está sendo utilizado por outra cobrança.');
  else if (location.kind !== kind) refuse(`apresenta tipo "${location.kind}" (deveria ser "${kind}").`);
  wrong.throwIfAny(ERRORS[kind].invalid);
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
