import type { Tx } from '#platform/database/db.ts';
import { createLocationAddress, newTxid } from '../bank.ts';
import { applyChargeFaults, renderCharge, renderLocation, renderPaymentsWithFaults } from '../render.ts';
import {
  attachLocation,
  type ChargeRow,
  detachLocation,
  findCharge,
  findLocation,
  findPastTerms,
  insertCharge,
  insertChargeWithoutLocation,
  insertLocation,
  listCharges,
  listLocations,
  lockCharge,
  lockLocation,
  setRemoved,
  type Terms,
  updateTerms,
} from '../store/charges.ts';
import { listPixByTxids } from '../store/pix.ts';
import {
  CNPJ_PATTERN,
  CPF_PATTERN,
  FLAG_PATTERN,
  isLocationId,
  isTxid,
  parseFlag,
  parseListQuery,
  renderParameters,
  toLimitOffset,
} from './list-query.ts';
import {
  type BankRequest,
  FIELD_INVALID,
  findOrThrow,
  type PspResponse,
  type Routes,
  throwViolation,
} from './protocol.ts';
import { asObject, parseTerms } from './terms.ts';

export const chargeRoutes: Routes = {
  'PUT /v2/cob/:txid': put,
  'PATCH /v2/cob/:txid': patch,
  'GET /v2/cob/:txid': get,
  'GET /v2/cob': list,
  'POST /v2/cob': (request) => put({ ...request, params: { txid: newTxid() } }),
};

async function put({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
  const txid = params.txid!;
  if (!isTxid(txid)) throwViolation('CobOperacaoInvalida', 'txid', FIELD_INVALID, txid);
  const terms = parseTerms(body, bank.ownsKey);
  const locationId = readLocationId(body);
  // A new charge without `loc` gets a location of its own. If the txid exists, nothing is inserted, and the charge is updated below.
  if (locationId === null) {
    const insertedCharge = await insertCharge(bank.db, { txid, terms, now, ...createLocationAddress(bank) });
    if (insertedCharge) return { status: 201, body: renderCharge(insertedCharge, bank.receiver) };
  }
  const charge = await bank.db.transaction(async (tx) => {
    const isNew = locationId !== null && (await insertChargeWithoutLocation(tx, { txid, terms, now }));
    if (!isNew) {
      requireActive((await lockCharge(tx, txid))!);
      await updateTerms(tx, txid, terms);
    }
    if (locationId !== null) await attachFreeLocation(tx, locationId, txid);
    return (await findCharge(tx, txid))!;
  });
  return { status: 201, body: renderCharge(charge, bank.receiver) };
}

async function patch({ bank, params, body }: BankRequest): Promise<PspResponse> {
  const { status, loc: _loc, ...changes } = asObject(body) ?? {};
  const locationId = readLocationId(body);
  const updated = await bank.db.transaction(async (tx) => {
    const charge = await findOrThrow(params.txid, isTxid, (txid) => lockCharge(tx, txid), 'CobNaoEncontrado');
    requireActive(charge);
    if (status !== undefined) {
      checkRemoval(status, Object.keys(changes).length > 0 || locationId !== null);
      await setRemoved(tx, charge.txid);
    } else {
      const terms = parseTerms(mergeTerms(charge.terms, changes), bank.ownsKey);
      await updateTerms(tx, charge.txid, terms);
      if (locationId !== null) await attachFreeLocation(tx, locationId, charge.txid);
    }
    return (await findCharge(tx, charge.txid))!;
  });
  return { status: 200, body: renderCharge(updated, bank.receiver) };
}

async function get({ bank, params, query }: BankRequest): Promise<PspResponse> {
  const find = (txid: string) => findCharge(bank.db, txid);
  const charge = await findOrThrow(params.txid, isTxid, find, 'CobNaoEncontrado');
  const { revisao } = query;
  if (revisao !== undefined && revisao !== String(charge.revision)) {
    const revision = Number(revisao);
    const isRevision = /^\d{1,9}$/.test(revisao);
    const terms = isRevision ? await findPastTerms(bank.db, charge.txid, revision) : undefined;
    const reason = 'O parâmetro revisao corresponde a uma revisão inexistente.';
    if (!terms) throwViolation('CobConsultaInvalida', 'revisao', reason, revisao);
    return { status: 200, body: renderCharge({ ...charge, revision, terms: terms! }, bank.receiver) };
  }
  // An active charge has no payments.
  const pix = charge.status === 'ATIVA' ? [] : await listPixByTxids(bank.db, [charge.txid]);
  const faults = await bank.faultSettings.current();
  const rendered = renderCharge(charge, bank.receiver, renderPaymentsWithFaults(faults, pix));
  return { status: 200, body: applyChargeFaults(faults, rendered) };
}

async function list({ bank, query }: BankRequest): Promise<PspResponse> {
  const { range, filters } = parseListQuery(query, 'CobConsultaInvalida', {
    cpf: CPF_PATTERN,
    cnpj: CNPJ_PATTERN,
    status: /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(USUARIO_RECEBEDOR|PSP))$/,
    locationPresente: FLAG_PATTERN,
  });
  const withLocation = parseFlag(filters.locationPresente);
  const { rows, total } = await listCharges(
    bank.db,
    { ...range, ...filters, withLocation },
    toLimitOffset(range),
  );
  const txids = rows.map((row) => row.txid);
  const pix = Map.groupBy(await listPixByTxids(bank.db, txids), (row) => row.txid);
  const faults = await bank.faultSettings.current();
  const cobs = rows.map((row) =>
    applyChargeFaults(
      faults,
      renderCharge(row, bank.receiver, renderPaymentsWithFaults(faults, pix.get(row.txid) ?? [])),
    ),
  );
  return { status: 200, body: { parametros: renderParameters(query, range, total), cobs } };
}

function requireActive({ status }: ChargeRow): void {
  const reason = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.';
  if (status !== 'ATIVA') throwViolation('CobOperacaoInvalida', 'status', reason, status);
}

function checkRemoval(status: unknown, hasChanges: boolean): void {
  if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    throwViolation('CobOperacaoInvalida', 'status', FIELD_INVALID, status);
  const reason = 'A presente requisição propõe remover a cobrança juntamente com outras alterações.';
  if (hasChanges) throwViolation('CobOperacaoInvalida', 'status', reason);
}

function readLocationId(body: unknown): number | null {
  const loc = asObject(body)?.loc;
  if (loc === undefined || loc === null) return null;
  const id = asObject(loc)?.id;
  if (!Number.isSafeInteger(id)) throwViolation('CobOperacaoInvalida', 'loc.id', FIELD_INVALID, id);
  return id as number;
}

async function attachFreeLocation(tx: Tx, id: number, txid: string): Promise<void> {
  const location = await lockLocation(tx, id);
  const throwLocationViolation = (reason: string) =>
    throwViolation(
      'CobOperacaoInvalida',
      'loc.id',
      (name) => `O location referenciado por ${name} ${reason}`,
      id,
    );
  if (!location) throwLocationViolation('inexiste.');
  if (location?.txid && location.txid !== txid)
    throwLocationViolation('já está sendo utilizado por outra cobrança.');
  await attachLocation(tx, id, txid);
}

/** Merges `calendario` and `valor` field by field, and replaces all other fields. */
function mergeTerms(previousTerms: Terms, changes: Record<string, unknown>): Record<string, unknown> {
  const mergeFields = (name: 'calendario' | 'valor') => {
    const fieldChanges = asObject(changes[name]);
    return fieldChanges ? { [name]: { ...previousTerms[name], ...fieldChanges } } : {};
  };
  return { ...previousTerms, ...changes, ...mergeFields('calendario'), ...mergeFields('valor') };
}

/** A location can be created before its charge, and detached from it. */
export const locationRoutes: Routes = {
  async 'POST /v2/loc'({ bank, body, now }) {
    const kind = asObject(body)?.tipoCob;
    if (kind !== 'cob') throwViolation('PayloadLocationOperacaoInvalida', 'tipoCob', FIELD_INVALID, kind);
    const row = await insertLocation(bank.db, createLocationAddress(bank), now);
    return { status: 201, body: renderLocation(row) };
  },

  async 'GET /v2/loc'({ bank, query }) {
    const patterns = { tipoCob: /^cob$/, txIdPresente: FLAG_PATTERN };
    const { range, filters } = parseListQuery(query, 'PayloadLocationConsultaInvalida', patterns);
    const withTxid = parseFlag(filters.txIdPresente);
    const { rows, total } = await listLocations(bank.db, { ...range, withTxid }, toLimitOffset(range));
    return {
      status: 200,
      body: { parametros: renderParameters(query, range, total), loc: rows.map(renderLocation) },
    };
  },

  async 'GET /v2/loc/:id'({ bank, params }) {
    const find = (id: string) => findLocation(bank.db, Number(id));
    const row = await findOrThrow(params.id, isLocationId, find, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },

  async 'DELETE /v2/loc/:id/txid'({ bank, params }) {
    const detach = (id: string) => detachLocation(bank.db, Number(id));
    const row = await findOrThrow(params.id, isLocationId, detach, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },
};
