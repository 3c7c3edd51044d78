import { createLocationAddress } from '../bank.ts';
import { renderLocation } from '../render.ts';
import { detachLocation, findLocation, insertLocation, listLocations } from '../store/locations.ts';
import { isLocationId } from './formats.ts';
import { FLAG, parseFlag, parseListQuery, renderParameters, toSlice } from './list-query.ts';
import { FIELD_INVALID, findOrThrow, throwViolation } from './problem.ts';
import type { Routes } from './route.ts';
import { asObject } from './terms.ts';

/** A location can be created before its charge, and detached from it. */
export const locationRoutes: Routes = {
  async 'POST /v2/loc'({ bank, body, now }) {
    const kind = asObject(body)?.tipoCob;
    if (kind !== 'cob') throwViolation('PayloadLocationOperacaoInvalida', 'tipoCob', FIELD_INVALID, kind);
    const row = await insertLocation(bank.db, createLocationAddress(bank), now);
    return { status: 201, body: renderLocation(row) };
  },

  async 'GET /v2/loc'({ bank, query }) {
    const patterns = { tipoCob: /^cob$/, txIdPresente: FLAG };
    const { window, filters } = parseListQuery(query, 'PayloadLocationConsultaInvalida', patterns);
    const withTxid = parseFlag(filters.txIdPresente);
    const { rows, total } = await listLocations(bank.db, { ...window, withTxid }, toSlice(window));
    return {
      status: 200,
      body: { parametros: renderParameters(query, window, total), loc: rows.map(renderLocation) },
    };
  },

  async 'GET /v2/loc/:id'({ bank, params }) {
    const find = (id: string) => findLocation(bank.db, Number(id));
    const row = await findOrThrow(params.id, isLocationId, find, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },

  /** Detaches the location. The charge stays active without a location. */
  async 'DELETE /v2/loc/:id/txid'({ bank, params }) {
    const detach = (id: string) => detachLocation(bank.db, Number(id));
    const row = await findOrThrow(params.id, isLocationId, detach, 'PayloadLocationNaoEncontrado');
    return { status: 200, body: renderLocation(row) };
  },
};
