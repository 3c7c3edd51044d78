import { newPlace } from '../bank.ts';
import { renderLocation } from '../render.ts';
import { detachLocation, findLocation, insertLocation, listLocations } from '../store/locations.ts';
import { isLocationId } from './names.ts';
import { AGAINST_SCHEMA, found, refuse } from './problem.ts';
import type { Routes } from './route.ts';
import { object } from './terms.ts';
import { FLAG, flag, parameters, readList, slice } from './window.ts';

/** Locations, which can be created before their charge and detached from it. */
export const locationRoutes: Routes = {
  async 'POST /v2/loc'({ bank, body, now }) {
    const kind = object(body)?.tipoCob;
    if (kind !== 'cob') refuse('PayloadLocationOperacaoInvalida', 'tipoCob', AGAINST_SCHEMA, kind);
    const row = await insertLocation(bank.db, newPlace(bank), now);
    return { status: 201, body: renderLocation(row) };
  },

  async 'GET /v2/loc'({ bank, query }) {
    const forms = { tipoCob: /^cob$/, txIdPresente: FLAG };
    const { window, asked } = readList(query, 'PayloadLocationConsultaInvalida', forms);
    const withTxid = flag(asked.txIdPresente);
    const { rows, total } = await listLocations(bank.db, { ...window, withTxid }, slice(window));
    return {
      status: 200,
      body: { parametros: parameters(query, window, total), loc: rows.map(renderLocation) },
    };
  },

  async 'GET /v2/loc/:id'({ bank, params }) {
    const find = (id: string) => findLocation(bank.db, Number(id));
    const row = await found(params.id, isLocationId, find, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },

  /** The charge stays as it is, without a location. */
  async 'DELETE /v2/loc/:id/txid'({ bank, params }) {
    const detach = (id: string) => detachLocation(bank.db, Number(id));
    const row = await found(params.id, isLocationId, detach, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },
};
