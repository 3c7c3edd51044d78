import type { Bilingual } from '#core/bilingual.ts';
import { inReais, spokenReais } from '#core/money.ts';
import type { LineOutcome } from '../schemas.ts';
import type { PayoutRow } from '../store.ts';
import type { ReturnLine, Says } from './return-line.ts';

type Closing = Extract<Says, { status: 'paid' | 'failed' }>;

/** `closing`: the payout is to be marked so. */
export type Verdict = { outcome: LineOutcome; message: Bilingual; closing?: Closing };

const bad = (en: string, pt: string): Verdict => ({ outcome: 'bad', message: { en, pt } });

/** What a line is worth, given the payouts that it names. Nothing is guessed: what does not fit exactly is for a person. */
export function judge(line: ReturnLine, payouts: readonly PayoutRow[]): Verdict {
  if ('fault' in line) return { outcome: 'bad', message: line.fault };
  const { name, amountCents, says } = line;
  const [payout, ...others] = payouts;
  if (!payout)
    return bad(
      `No payout has the id or bank number '${name}'. Look whether the file is of another company.`,
      `Nenhum repasse tem o id ou número '${name}'. Veja se o arquivo é de outra empresa.`,
    );
  if (others.length > 0)
    return bad(
      'More than one payout has this bank number. Mark it by hand.',
      'Mais de um repasse tem este número. Marque à mão.',
    );
  if (says.status === 'unclear') return { outcome: 'bad', message: says.why };
  if (amountCents !== undefined && amountCents !== payout.amount_cents)
    return bad(
      `The file says ${inReais(amountCents)}, the payout is of ${inReais(payout.amount_cents)}. Ask the bank, and mark it by hand.`,
      `O arquivo diz ${spokenReais(amountCents)}, o repasse é de ${spokenReais(payout.amount_cents)}. Pergunte ao banco e marque à mão.`,
    );
  if (says.status === 'pending') return { outcome: 'waiting', message: says.note };
  if (payout.status === 'pending') return { outcome: says.status, message: told(says), closing: says };
  return isRecorded(says, payout)
    ? { outcome: 'already', message: { en: 'Recorded already.', pt: 'Já estava registrado.' } }
    : { outcome: 'bad', message: contradiction(says, payout) };
}

const told = (says: Closing): Bilingual =>
  says.status === 'paid'
    ? { en: `Paid by the bank as '${says.reference}'.`, pt: `Pago pelo banco como '${says.reference}'.` }
    : {
        en: `Not paid by the bank: ${says.reason}. It is owed again.`,
        pt: `Não pago pelo banco: ${says.reason}. O valor volta a ser devido.`,
      };

/** Two references may be two payments; two reasons are not. */
const isRecorded = (says: Closing, payout: PayoutRow): boolean =>
  says.status === payout.status && (says.status === 'failed' || says.reference === payout.reference);

function contradiction(says: Closing, { status, reference, reason }: PayoutRow): Bilingual {
  if (status === 'failed')
    return {
      en: `It is recorded as failed (${reason}), and the file says that it was paid. It is owed again: ask the bank before it is paid twice.`,
      pt: `Está registrado que falhou (${reason}), e o arquivo diz que foi pago. O valor voltou a ser devido: pergunte ao banco antes que se pague duas vezes.`,
    };
  return says.status === 'paid'
    ? {
        en: `It is recorded as paid as '${reference}', the file says '${says.reference}'. Ask the bank whether it was paid twice.`,
        pt: `Está registrado como pago com '${reference}', o arquivo diz '${says.reference}'. Pergunte ao banco se foi pago duas vezes.`,
      }
    : {
        en: `It is recorded as paid as '${reference}', and the file says that it failed (${says.reason}). Ask the bank.`,
        pt: `Está registrado como pago com '${reference}', e o arquivo diz que falhou (${says.reason}). Pergunte ao banco.`,
      };
}
