import { encodeBrCode } from '#core/values/br-code.ts';
import { saoPauloDay } from '#core/values/day.ts';
import type { Receiver } from '../bank.ts';
import type { Faults } from '../faults.ts';
import { renderPaymentsWithFaults } from '../render.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { PixRow } from '../store/pix.ts';
import type { DebitRow, RecLocationRow, RecRow } from './store.ts';

/** The CNPJ of a company that does not exist. */
const RECEIVER_CNPJ = '11222333000181';

export const renderRecLocation = ({ id, location, created_at, rec_id }: RecLocationRow) => ({
  id,
  location,
  criacao: created_at.toISOString(),
  ...(rec_id !== null && { idRec: rec_id }),
});

export function renderRec(rec: RecRow, receiver: Receiver) {
  const { id, location_id, location, location_created_at: locationCreatedAt, terms, first_txid } = rec;
  return {
    ...terms,
    recebedor: { cnpj: RECEIVER_CNPJ, nome: receiver.name },
    ...renderRecState(rec),
    ...(location_id !== null &&
      location !== null &&
      locationCreatedAt !== null && {
        loc: { id: location_id, location, criacao: locationCreatedAt.toISOString(), idRec: id },
      }),
    // In journey 3 of the standard, the payment of a first charge also authorises the debits.
    ativacao:
      first_txid === null
        ? { tipoJornada: 'JORNADA_2' }
        : { tipoJornada: 'JORNADA_3', dadosJornada: { txid: first_txid } },
  };
}

export const renderRecState = ({ id, status, updates, ended }: RecRow) => ({
  idRec: id,
  status,
  atualizacao: updates,
  ...(ended !== null && { encerramento: ended }),
});

/** Renders the code with which the payer authorises debits. With a charge, the code also pays the charge. */
export function renderCode({ location }: RecRow, charge: ChargeRow | undefined, receiver: Receiver) {
  if (location === null) return {};
  const pixCopiaECola = encodeBrCode({
    target: charge ? { kind: 'dynamic', location: charge.location } : { kind: 'recurrence' },
    ...(charge && { initiation: '12' }), // can be paid once
    merchantName: receiver.name,
    merchantCity: receiver.city,
    recurrenceLocation: location,
  });
  return { dadosQR: { jornada: charge ? 'JORNADA_3' : 'JORNADA_2', pixCopiaECola } };
}

export function renderDebit(debit: DebitRow, receiver: Receiver, faults: Faults, pix: PixRow[] = []) {
  const { terms, created_at } = debit;
  const criacao = saoPauloDay(created_at.getTime());
  return {
    ...renderDebitState(debit, faults, pix),
    ...terms,
    calendario: { criacao, ...terms.calendario },
    recebedor: { ...terms.recebedor, cnpj: RECEIVER_CNPJ, nome: receiver.name },
    politicaRetentativa: 'PERMITE_3R_7D',
  };
}

export function renderDebitState(debit: DebitRow, faults: Faults, pix: PixRow[]) {
  const { txid, rec_id, status, updates, attempts, ended } = debit;
  const payments = renderPaymentsWithFaults(faults, pix);
  return {
    idRec: rec_id,
    txid: faults.txid === 'capitals' ? txid.toUpperCase() : txid,
    status,
    atualizacao: updates,
    tentativas: attempts,
    ...(ended !== null && { encerramento: ended }),
    ...(payments !== undefined && { pix: payments }),
  };
}
