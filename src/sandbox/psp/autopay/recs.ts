import { type Day, parseDay, saoPauloDay } from '#core/day.ts';
import { parseReaisText } from '#core/money.ts';
import { isLine, isLocationId, isRecId } from '../api/names.ts';
import { found, OBJECT_AGAINST_SCHEMA, refuse, Violations } from '../api/problem.ts';
import type { Call, PspResponse, Routes } from '../api/route.ts';
import { object, readPayer } from '../api/terms.ts';
import { newPlace, newRecId, REC_PLACE_PATH } from '../bank.ts';
import { changeBank } from '../bank-change.ts';
import { findCharge } from '../store/charges.ts';
import { endRec } from './answers.ts';
import { renderCode, renderRec, renderRecLocation } from './render.ts';
import { findRec, findRecLocation, insertRec, insertRecLocation, lockRec, type RecTerms } from './store.ts';

const PERIODS = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'];
const POLICIES = ['NAO_PERMITE', 'PERMITE_3R_7D'];

/** Authorisations of Pix Automático, and their locations. */
export const recRoutes: Routes = {
  async 'POST /v2/locrec'({ bank, now }) {
    const row = await insertRecLocation(bank.db, newPlace(bank, REC_PLACE_PATH), now);
    return { status: 201, body: renderRecLocation(row) };
  },

  async 'GET /v2/locrec/:id'({ bank, params }) {
    const find = (id: string) => findRecLocation(bank.db, Number(id));
    const row = await found(params.id, isLocationId, find, 'PayloadLocationRecNaoEncontrado');
    return { status: 200, body: renderRecLocation(row) };
  },

  'POST /v2/rec': post,
  'GET /v2/rec/:idRec': get,
  'PATCH /v2/rec/:idRec': patch,
};

async function post({ bank, body, now }: Call): Promise<PspResponse> {
  const asked = object(body) ?? {};
  const terms = checkTerms(asked, saoPauloDay(now.getTime()));
  const { loc } = asked;
  const first = object(object(object(asked.ativacao)?.dadosJornada) ?? {})?.txid;
  const wrong = new Violations('RecOperacaoInvalida');
  if (loc !== undefined && !Number.isSafeInteger(loc)) wrong.schema('loc', loc);
  if (first !== undefined && !isLine(first, 26, 35)) wrong.schema('ativacao.dadosJornada.txid', first);
  wrong.throwIfAny();
  const rec = await bank.db.transaction(async (tx) => {
    const refuseLocation = (what: string) =>
      refuse('RecOperacaoInvalida', 'loc', (name) => `O location referenciado por ${name} ${what}`, loc);
    if (loc !== undefined && !(await findRecLocation(tx, loc as number))) refuseLocation('inexiste.');
    const made = await insertRec(
      tx,
      {
        id: newRecId(now),
        terms,
        first_txid: (first as string | undefined) ?? null,
        location_id: (loc as number | undefined) ?? null,
      },
      now,
    );
    return made ?? refuseLocation('já está sendo utilizado por outra recorrência.');
  });
  return { status: 201, body: renderRec(rec, bank.receiver) };
}

function checkTerms(asked: Record<string, unknown>, today: Day): RecTerms {
  const wrong = new Violations('RecOperacaoInvalida');
  const { contrato, objeto, devedor } = object(asked.vinculo) ?? {};
  const payer = readPayer(devedor, 140);
  if (!isLine(contrato, 1, 35) || (objeto !== undefined && !isLine(objeto, 0, 35)))
    wrong.add('vinculo', OBJECT_AGAINST_SCHEMA);
  if (!payer) wrong.add('vinculo.devedor', OBJECT_AGAINST_SCHEMA);
  const { dataInicial, dataFinal, periodicidade } = object(asked.calendario) ?? {};
  const from = parseDay(dataInicial);
  const until = dataFinal === undefined ? undefined : parseDay(dataFinal);
  if (from === null) wrong.schema('calendario.dataInicial', dataInicial);
  else if (from < today)
    wrong.add(
      'calendario.dataInicial',
      (name) => `O campo ${name} é anterior à data de criação da recorrência.`,
    );
  if (until === null) wrong.schema('calendario.dataFinal', dataFinal);
  else if (until !== undefined && from !== null && until < from)
    wrong.add(
      'calendario.dataFinal',
      (name) => `O campo ${name} é anterior ao campo rec.calendario.dataInicial.`,
    );
  if (!PERIODS.includes(periodicidade as string)) wrong.schema('calendario.periodicidade', periodicidade);
  const { politicaRetentativa } = asked;
  if (!POLICIES.includes(politicaRetentativa as string))
    wrong.schema('politicaRetentativa', politicaRetentativa);
  const valor = object(asked.valor) ?? {};
  for (const name of ['valorRec', 'valorMinimoRecebedor'])
    if (valor[name] !== undefined && parseReaisText(String(valor[name])) === null)
      wrong.schema(`valor.${name}`, valor[name]);
  if (valor.valorRec !== undefined && valor.valorMinimoRecebedor !== undefined)
    wrong.add(
      'valor',
      'Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.',
    );
  wrong.throwIfAny();
  return {
    vinculo: {
      contrato: contrato as string,
      ...(objeto !== undefined && { objeto: objeto as string }),
      devedor: payer!,
    },
    calendario: {
      dataInicial: from!,
      ...(until && { dataFinal: until }),
      periodicidade: periodicidade as string,
    },
    ...(Object.keys(valor).length > 0 && { valor: valor as RecTerms['valor'] & object }),
    politicaRetentativa: politicaRetentativa as string,
  };
}

async function get({ bank, params, query }: Call): Promise<PspResponse> {
  const rec = await found(params.idRec, isRecId, (id) => findRec(bank.db, id), 'RecNaoEncontrada');
  const { txid } = query;
  if (txid !== undefined && txid !== rec.first_txid)
    refuse(
      'RecConsultaInvalida',
      'txid',
      'O parâmetro txid corresponde a uma cobrança imediata diferente da informada na recorrência.',
      txid,
    );
  // Without the txid of its charge, a code of journey 3 cannot be written.
  const charge = rec.first_txid === null ? null : txid && (await findCharge(bank.db, txid));
  const code = charge === undefined || charge === '' ? {} : renderCode(rec, charge, bank.receiver);
  return { status: 200, body: { ...renderRec(rec, bank.receiver), ...code } };
}

/** Only to end it: what else the standard lets a receiver change is not offered. */
async function patch({ bank, params, body }: Call): Promise<PspResponse> {
  const { status, ...changes } = object(body) ?? {};
  return changeBank(bank, async (change) => {
    const { tx } = change;
    const old = await found(params.idRec, isRecId, (id) => lockRec(tx, id), 'RecNaoEncontrada');
    const wrong = new Violations('RecOperacaoInvalida');
    if (status !== 'CANCELADA' || Object.keys(changes).length > 0) wrong.schema('status', status);
    else if (old.status !== 'CRIADA' && old.status !== 'APROVADA')
      wrong.add('status', 'A recorrência encontra-se expirada, cancelada ou rejeitada.', old.status);
    wrong.throwIfAny();
    await endRec(change, old, 'receiver');
    return { status: 200, body: renderRec((await findRec(tx, old.id))!, bank.receiver) };
  });
}
