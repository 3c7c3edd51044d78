import { type Bank, newPlace } from '../bank.ts';
import { renderLocation } from '../render.ts';
import { detachLocation, findLocation, insertLocation, listLocations } from '../store/locations.ts';
import { PspProblem, Violations } from './problem.ts';
import type { Call, PspResponse, Route } from './route.ts';
import { object } from './terms.ts';
import { parameters, readFlag, readMatching, readWindow, slice } from './window.ts';

/** Locations, which can be created before their charge and detached from it. */
export function locationRoutes(bank: Bank): Route[] {
  const write = 'payloadlocation.write';
  const read = 'payloadlocation.read';
  return [
    { method: 'POST', url: '/v2/loc', scope: write, handle: (call) => post(bank, call) },
    { method: 'GET', url: '/v2/loc', scope: read, handle: (call) => list(bank, call) },
    { method: 'GET', url: '/v2/loc/:id', scope: read, handle: (call) => get(bank, call) },
    { method: 'DELETE', url: '/v2/loc/:id/txid', scope: write, handle: (call) => detach(bank, call) },
  ];
}

async function post(bank: Bank, { body, now }: Call): Promise<PspResponse> {
  const kind = object(body)?.tipoCob;
  const wrong = new Violations('');
  if (kind !== 'cob') wrong.schema('tipoCob', kind);
  wrong.throwIfAny('PayloadLocationOperacaoInvalida');
  const row = await insertLocation(bank.db, newPlace(bank), now);
  return { status: 201, body: renderLocation(row) };
}

async function list(bank: Bank, { query }: Call): Promise<PspResponse> {
  let withTxid: boolean | null = null;
  const window = readWindow(query, 'PayloadLocationConsultaInvalida', (wrong) => {
    readMatching(query, 'tipoCob', /^cob$/, wrong);
    withTxid = readFlag(query, 'txIdPresente', wrong);
  });
  const { rows, total } = await listLocations(bank.db, { ...window, withTxid }, slice(window));
  return {
    status: 200,
    body: { parametros: parameters(query, window, total), loc: rows.map(renderLocation) },
  };
}

async function get(bank: Bank, { params }: Call): Promise<PspResponse> {
  const row = await findLocation(bank.db, locationId(params.id));
  if (!row) throw new PspProblem('PayloadLocationNaoEncontrado');
  return { status: 200, body: renderLocation(row) };
}

/** The charge stays as it is, without a location. */
async function detach(bank: Bank, { params }: Call): Promise<PspResponse> {
  const row = await detachLocation(bank.db, locationId(params.id));
  if (!row) throw new PspProblem('PayloadLocationNaoEncontrado');
  return { status: 200, body: renderLocation(row) };
}

function locationId(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw new PspProblem('PayloadLocationNaoEncontrado');
  return Number(text);
}
