import { type Day, parseDay, saoPauloDay } from '#core/day.ts';
import { parseReaisText } from '#core/money.ts';
import { isLine } from '../api/names.ts';
import { PspProblem, Violations } from '../api/problem.ts';
import type { Call, PspResponse, Route } from '../api/route.ts';
import { object } from '../api/terms.ts';
import { isCallable } from '../api/webhooks.ts';
import { type Bank, newPlace, newRecId, REC_PLACE_PATH } from '../bank.ts';
import { DEBIT_WEBHOOK, REC_WEBHOOK } from '../notices.ts';
import { findCharge } from '../store/charges.ts';
import { deleteWebhook, findWebhook, putWebhook } from '../store/webhooks.ts';
import { endRec } from './answers.ts';
import { renderCode, renderRec, renderRecLocation } from './render.ts';
import { findRec, findRecLocation, insertRec, insertRecLocation, lockRec, type RecTerms } from './store.ts';

const PERIODS = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'];
const POLICIES = ['NAO_PERMITE', 'PERMITE_3R_7D'];

/** Authorisations of Pix Automático, their locations, and where notices of them and of debits go. */
export function recRoutes(bank: Bank): Route[] {
  const locations = 'payloadlocationrec';
  const hooks = [
    { url: '/v2/webhookrec', scope: 'webhookrec', key: REC_WEBHOOK },
    { url: '/v2/webhookcobr', scope: 'webhookcobr', key: DEBIT_WEBHOOK },
  ];
  return [
    {
      method: 'POST',
      url: '/v2/locrec',
      scope: `${locations}.write`,
      handle: (call) => postLocation(bank, call),
    },
    {
      method: 'GET',
      url: '/v2/locrec/:id',
      scope: `${locations}.read`,
      handle: (call) => getLocation(bank, call),
    },
    { method: 'POST', url: '/v2/rec', scope: 'rec.write', handle: (call) => post(bank, call) },
    { method: 'GET', url: '/v2/rec/:idRec', scope: 'rec.read', handle: (call) => get(bank, call) },
    { method: 'PATCH', url: '/v2/rec/:idRec', scope: 'rec.write', handle: (call) => patch(bank, call) },
    ...hooks.flatMap(({ url, scope, key }): Route[] => [
      { method: 'PUT', url, scope: `${scope}.write`, handle: (call) => putHook(bank, key, call) },
      { method: 'GET', url, scope: `${scope}.read`, handle: () => getHook(bank, key) },
      { method: 'DELETE', url, scope: `${scope}.write`, handle: () => removeHook(bank, key) },
    ]),
  ];
}

async function postLocation(bank: Bank, { now }: Call): Promise<PspResponse> {
  const row = await insertRecLocation(bank.db, newPlace(bank, REC_PLACE_PATH), now);
  return { status: 201, body: renderRecLocation(row) };
}

async function getLocation(bank: Bank, { params }: Call): Promise<PspResponse> {
  const row = /^\d{1,15}$/.test(params.id!) ? await findRecLocation(bank.db, Number(params.id)) : undefined;
  if (!row) throw new PspProblem('PayloadLocationRecNaoEncontrado');
  return { status: 200, body: renderRecLocation(row) };
}

async function post(bank: Bank, { body, now }: Call): Promise<PspResponse> {
  const asked = object(body) ?? {};
  const terms = checkTerms(asked, saoPauloDay(now.getTime()));
  const { loc } = asked;
  const first = object(object(object(asked.ativacao)?.dadosJornada) ?? {})?.txid;
  const wrong = new Violations('rec');
  if (loc !== undefined && !Number.isSafeInteger(loc)) wrong.schema('loc', loc);
  if (first !== undefined && !isLine(first, 26, 35)) wrong.schema('ativacao.dadosJornada.txid', first);
  wrong.throwIfAny('RecOperacaoInvalida');
  const rec = await bank.db.transaction(async (tx) => {
    const refuse = (what: string) =>
      wrong.add('loc', (name) => `O location referenciado por ${name} ${what}`, loc);
    if (loc !== undefined && !(await findRecLocation(tx, loc as number))) refuse('inexiste.');
    wrong.throwIfAny('RecOperacaoInvalida');
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
    if (!made) refuse('já está sendo utilizado por outra recorrência.');
    wrong.throwIfAny('RecOperacaoInvalida');
    return made!;
  });
  return { status: 201, body: renderRec(rec, bank.receiver) };
}

function checkTerms(asked: Record<string, unknown>, today: Day): RecTerms {
  const wrong = new Violations('rec');
  const { contrato, objeto, devedor } = object(asked.vinculo) ?? {};
  const { cpf, cnpj, nome } = object(devedor) ?? {};
  const isDocumented =
    (cpf === undefined) !== (cnpj === undefined) &&
    (cpf === undefined || /^\d{11}$/.test(String(cpf))) &&
    (cnpj === undefined || /^[0-9A-Z]{14}$/.test(String(cnpj)));
  if (!isLine(contrato, 1, 35) || (objeto !== undefined && !isLine(objeto, 0, 35)))
    wrong.add('vinculo', (name) => `O objeto ${name} não respeita o _schema_.`);
  if (!isDocumented || !isLine(nome, 1, 140))
    wrong.add('vinculo.devedor', (name) => `O objeto ${name} não respeita o _schema_.`);
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
      () => 'Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.',
    );
  wrong.throwIfAny('RecOperacaoInvalida');
  return {
    vinculo: {
      contrato: contrato as string,
      ...(objeto !== undefined && { objeto: objeto as string }),
      devedor: { ...(cpf !== undefined ? { cpf } : { cnpj }), nome } as RecTerms['vinculo']['devedor'],
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

async function get(bank: Bank, { params, query }: Call): Promise<PspResponse> {
  const rec = /^[a-zA-Z0-9]{29}$/.test(params.idRec!) ? await findRec(bank.db, params.idRec!) : undefined;
  if (!rec) throw new PspProblem('RecNaoEncontrada');
  const { txid } = query;
  const wrong = new Violations('');
  if (txid !== undefined && txid !== rec.first_txid)
    wrong.add(
      'txid',
      () => 'O parâmetro txid corresponde a uma cobrança imediata diferente da informada na recorrência.',
      txid,
    );
  wrong.throwIfAny('RecConsultaInvalida');
  // Without the txid of its charge, a code of journey 3 cannot be written.
  const charge = rec.first_txid === null ? null : txid && (await findCharge(bank.db, txid));
  const code = charge === undefined || charge === '' ? {} : renderCode(rec, charge, bank.receiver);
  return { status: 200, body: { ...renderRec(rec, bank.receiver), ...code } };
}

/** Only to end it: what else the standard lets a receiver change is not offered. */
async function patch(bank: Bank, { params, body }: Call): Promise<PspResponse> {
  const { status, ...changes } = object(body) ?? {};
  const faults = await bank.faultSettings.current();
  const rec = await bank.db.transaction(async (tx) => {
    const old = /^[a-zA-Z0-9]{29}$/.test(params.idRec!) ? await lockRec(tx, params.idRec!) : undefined;
    if (!old) throw new PspProblem('RecNaoEncontrada');
    const wrong = new Violations('rec');
    if (status !== 'CANCELADA' || Object.keys(changes).length > 0) wrong.schema('status', status);
    else if (old.status !== 'CRIADA' && old.status !== 'APROVADA')
      wrong.add('status', () => 'A recorrência encontra-se expirada, cancelada ou rejeitada.', old.status);
    wrong.throwIfAny('RecOperacaoInvalida');
    await endRec(tx, bank, faults, old, 'receiver');
    return (await findRec(tx, old.id))!;
  });
  bank.wake();
  return { status: 200, body: renderRec(rec, bank.receiver) };
}

async function putHook(bank: Bank, key: string, { body, now }: Call): Promise<PspResponse> {
  const url = object(body)?.webhookUrl;
  const wrong = new Violations('webhook');
  if (!isCallable(url)) wrong.schema('webhookUrl', url);
  wrong.throwIfAny('WebhookOperacaoInvalida');
  await putWebhook(bank.db, key, url as string, now);
  return { status: 200 };
}

async function getHook(bank: Bank, key: string): Promise<PspResponse> {
  const webhook = await findWebhook(bank.db, key);
  if (!webhook) throw new PspProblem('WebhookNaoEncontrado');
  return { status: 200, body: { webhookUrl: webhook.url, criacao: webhook.created_at.toISOString() } };
}

async function removeHook(bank: Bank, key: string): Promise<PspResponse> {
  if (!(await deleteWebhook(bank.db, key))) throw new PspProblem('WebhookNaoEncontrado');
  return { status: 204 };
}
