import type { Static } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import { reasonWords } from '#core/decision-words.ts';
import { inReais, reaisOf, spokenReais } from '#core/money.ts';
import { creditUsed } from '#credit';
import { findOwnCredit, lockCustomerById, markLimit } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { nothingOffered } from './problems.ts';
import type { WalletCredit } from './schemas.ts';
import {
  type DecisionRow,
  findStanding,
  listLatestDecisions,
  type Standing,
  writeStanding,
} from './store.ts';

/** The higher limit that is offered to the customer. None if somebody has set another limit by hand since. */
const offeredOf = (standing: Standing | undefined, limitCents: number): number | null =>
  standing?.limit_cents === limitCents ? standing.offered_cents : null;

/** What a customer may owe, why, and what they can do about it. */
export async function showCredit(
  db: Queryable,
  customerId: string,
  language: 'en' | 'pt',
): Promise<Static<typeof WalletCredit>> {
  const [own, standing, decisions] = await Promise.all([
    findOwnCredit(db, customerId, creditUsed),
    findStanding(db, customerId),
    listLatestDecisions(db, customerId),
  ]);
  const limit = own?.limitCents ?? 0;
  const used = own?.usedCents ?? 0;
  const available = Math.max(0, limit - used);
  const offered = offeredOf(standing, limit);
  const waiting = decisions.find(({ outcome }) => outcome === 'review');
  const isByHand = standing?.limit_cents !== limit;
  const answer = answerOf(decisions[0]);
  const reasons = isByHand ? ['set_by_hand'] : answer ? [] : (decisions[0]?.reasons ?? []);
  return {
    limit: reaisOf(limit),
    used: reaisOf(used),
    available: reaisOf(available),
    offered: offered === null ? null : reaisOf(offered),
    reasons: [...(answer ?? []), ...reasons].map((code) => reasonWords(code)[language]),
    next_step: nextStep({ offered, isWaiting: waiting !== undefined, available, reasons })[language],
    review: waiting?.decided_at.toISOString() ?? null,
  };
}

/** A person's answer. A refusal has its reason, which was written for the customer. */
function answerOf(decision: DecisionRow | undefined): string[] | undefined {
  if (!decision?.answered_at) return undefined;
  const { outcome, answer_reason } = decision;
  return [`${outcome}_by_person`, ...(outcome === 'declined' && answer_reason ? [answer_reason] : [])];
}

function nextStep(of: {
  offered: number | null;
  isWaiting: boolean;
  available: number;
  reasons: readonly string[];
}): Bilingual {
  const { offered, isWaiting, available, reasons } = of;
  if (offered !== null)
    return {
      en: `Say yes to the limit of ${inReais(offered)} that is offered to you.`,
      pt: `Aceite o limite de ${spokenReais(offered)} que oferecemos a você.`,
    };
  if (isWaiting)
    return {
      en: 'A person is looking at it. The answer comes as a message.',
      pt: 'Uma pessoa está analisando. A resposta chega por mensagem.',
    };
  if (reasons.includes('days_late'))
    return {
      en: 'Pay what is late. Purchases paid on time raise the limit again.',
      pt: 'Pague o que está em atraso. Compras pagas em dia voltam a aumentar o limite.',
    };
  if (available === 0 && reasons.some((code) => code !== 'set_by_hand' && code !== 'first_limit'))
    return {
      en: 'You may ask for a person to look at it.',
      pt: 'Você pode pedir a análise de uma pessoa.',
    };
  return {
    en: 'Purchases paid on time raise the limit.',
    pt: 'Compras pagas em dia aumentam o limite.',
  };
}

/** The customer accepts the offered limit. */
export async function acceptGrowth(
  tx: CustomerTx,
  customerId: string,
  { events, now }: EventContext,
): Promise<void> {
  const customer = await lockCustomerById(tx, customerId);
  const offered = offeredOf(await findStanding(tx, customerId), customer?.credit_limit_cents ?? -1);
  if (offered === null) throw nothingOffered();
  await markLimit(tx, customerId, offered);
  writeStanding(tx, customerId, { limit_cents: offered, offered_cents: null });
  const data = { limit: reaisOf(offered), offered: null };
  await events.emit(tx, { type: 'credit.limit_changed', customerId, data }, now);
}
