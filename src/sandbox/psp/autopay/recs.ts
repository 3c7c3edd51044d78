import { type Day, parseDay, saoPauloDay } from '#core/values/day.ts';
import { parseReaisText } from '#core/values/money.ts';
import { parsePayer } from '../api/charges.ts';
import { isLineOfLength, isRecId, isRecLocationId } from '../api/list-query.ts';
import {
  asObject,
  type BankRequest,
  findOrThrow,
  type JsonObject,
  OBJECT_INVALID,
  type PspResponse,
  type Routes,
  throwViolation,
  Violations,
} from '../api/protocol.ts';
import { createLocationAddress, newRecId, REC_LOCATION_PATH, withBankTransaction } from '../bank.ts';
import { findCharge } from '../store/charges.ts';
import { endRec } from './payer.ts';
import { renderCode, renderRec, renderRecLocation } from './render.ts';
import { findRec, findRecLocation, insertRec, insertRecLocation, lockRec, type RecTerms } from './store.ts';

const PERIODS = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'];
const RETRY_POLICIES = ['NAO_PERMITE', 'PERMITE_3R_7D'];

export const recRoutes: Routes = {
  async 'POST /v2/locrec'({ bank, now }) {
    const row = await insertRecLocation(bank.db, createLocationAddress(bank, REC_LOCATION_PATH), now);
    return { status: 201, body: renderRecLocation(row) };
  },

  async 'GET /v2/locrec/:id'({ bank, params }) {
    const find = (id: string) => findRecLocation(bank.db, Number(id));
    const row = await findOrThrow(params.id, isRecLocationId, find, 'PayloadLocationRecNaoEncontrado');
    return { status: 200, body: renderRecLocation(row) };
  },

  'POST /v2/rec': postRec,
  'GET /v2/rec/:idRec': getRec,
  'PATCH /v2/rec/:idRec': patchRec,
};

async function postRec({ bank, body, now }: BankRequest): Promise<PspResponse> {
  const input = asObject(body) ?? {};
  const terms = parseTerms(input, saoPauloDay(now.getTime()));
  const { loc } = input;
  const firstTxid = asObject(asObject(input.ativacao)?.dadosJornada)?.txid;
  const violations = new Violations('RecOperacaoInvalida');
  if (loc !== undefined && !Number.isSafeInteger(loc)) violations.addInvalidField('loc', loc);
  if (firstTxid !== undefined && !isLineOfLength(firstTxid, 26, 35))
    violations.addInvalidField('ativacao.dadosJornada.txid', firstTxid);
  violations.throwIfAny();
  const rec = await bank.db.transaction(async (tx) => {
    const throwLocationViolation: (reason: string) => never = (reason) =>
      throwViolation(
        'RecOperacaoInvalida',
        'loc',
        (name) => `O location referenciado por ${name} ${reason}`,
        loc,
      );
    if (loc !== undefined && !(await findRecLocation(tx, loc as number))) throwLocationViolation('inexiste.');
    const newRec = {
      id: newRecId(now),
      terms,
      first_txid: (firstTxid as string | undefined) ?? null,
      location_id: (loc as number | undefined) ?? null,
    };
    const insertedRec = await insertRec(tx, newRec, now);
    if (!insertedRec) throwLocationViolation('já está sendo utilizado por outra recorrência.');
    return insertedRec;
  });
  return { status: 201, body: renderRec(rec, bank.receiver) };
}

function parseTerms(input: JsonObject, today: Day): RecTerms {
  const violations = new Violations('RecOperacaoInvalida');
  const { contrato, objeto, devedor } = asObject(input.vinculo) ?? {};
  const payer = parsePayer(devedor, { maxNameLength: 140 });
  if (!isLineOfLength(contrato, 1, 35) || (objeto !== undefined && !isLineOfLength(objeto, 0, 35)))
    violations.add('vinculo', OBJECT_INVALID);
  if (!payer) violations.add('vinculo.devedor', OBJECT_INVALID);
  const { dataInicial, dataFinal, periodicidade } = asObject(input.calendario) ?? {};
  const firstDay = parseDay(dataInicial);
  const lastDay = dataFinal === undefined ? undefined : parseDay(dataFinal);
  if (firstDay === null) violations.addInvalidField('calendario.dataInicial', dataInicial);
  else if (firstDay < today)
    violations.add(
      'calendario.dataInicial',
      (name) => `O campo ${name} é anterior à data de criação da recorrência.`,
    );
  if (lastDay === null) violations.addInvalidField('calendario.dataFinal', dataFinal);
  else if (lastDay !== undefined && firstDay !== null && lastDay < firstDay)
    violations.add(
      'calendario.dataFinal',
      (name) => `O campo ${name} é anterior ao campo rec.calendario.dataInicial.`,
    );
  if (!PERIODS.includes(periodicidade as string))
    violations.addInvalidField('calendario.periodicidade', periodicidade);
  const { politicaRetentativa } = input;
  if (!RETRY_POLICIES.includes(politicaRetentativa as string))
    violations.addInvalidField('politicaRetentativa', politicaRetentativa);
  const valor = asObject(input.valor) ?? {};
  for (const name of ['valorRec', 'valorMinimoRecebedor'])
    if (valor[name] !== undefined && parseReaisText(String(valor[name])) === null)
      violations.addInvalidField(`valor.${name}`, valor[name]);
  if (valor.valorRec !== undefined && valor.valorMinimoRecebedor !== undefined)
    violations.add(
      'valor',
      'Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.',
    );
  violations.throwIfAny();
  return {
    vinculo: {
      contrato: contrato as string,
      ...(objeto !== undefined && { objeto: objeto as string }),
      devedor: payer!,
    },
    calendario: {
      dataInicial: firstDay!,
      ...(lastDay && { dataFinal: lastDay }),
      periodicidade: periodicidade as string,
    },
    ...(Object.keys(valor).length > 0 && { valor: valor as RecTerms['valor'] & object }),
    politicaRetentativa: politicaRetentativa as string,
  };
}

async function getRec({ bank, params, query }: BankRequest): Promise<PspResponse> {
  const rec = await findOrThrow(params.idRec, isRecId, (id) => findRec(bank.db, id), 'RecNaoEncontrada');
  const { txid } = query;
  if (txid !== undefined && txid !== rec.first_txid)
    throwViolation(
      'RecConsultaInvalida',
      'txid',
      'O parâmetro txid corresponde a uma cobrança imediata diferente da informada na recorrência.',
      txid,
    );
  const charge = txid === undefined ? undefined : await findCharge(bank.db, txid);
  // The code of an authorisation with a first charge contains that charge's location, so it needs the txid.
  const hasCode = rec.first_txid === null || charge !== undefined;
  const codeFields = hasCode ? renderCode(rec, charge, bank.receiver) : {};
  return { status: 200, body: { ...renderRec(rec, bank.receiver), ...codeFields } };
}

/** Ends an authorisation. The simulator does not support the other changes that the standard allows. */
async function patchRec({ bank, params, body }: BankRequest): Promise<PspResponse> {
  const { status, ...changes } = asObject(body) ?? {};
  return withBankTransaction(bank, async (context) => {
    const { tx } = context;
    const rec = await findOrThrow(params.idRec, isRecId, (id) => lockRec(tx, id), 'RecNaoEncontrada');
    const violations = new Violations('RecOperacaoInvalida');
    if (status !== 'CANCELADA' || Object.keys(changes).length > 0)
      violations.addInvalidField('status', status);
    else if (rec.status !== 'CRIADA' && rec.status !== 'APROVADA')
      violations.add('status', 'A recorrência encontra-se expirada, cancelada ou rejeitada.', rec.status);
    violations.throwIfAny();
    await endRec(context, rec, 'cancel_by_receiver');
    return { status: 200, body: renderRec((await findRec(tx, rec.id))!, bank.receiver) };
  });
}
