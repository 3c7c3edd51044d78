import type { Static } from 'typebox';
import { describeReason } from '#core/finance/decision-reasons.ts';
import type { Bilingual } from '#core/values/bilingual.ts';
import { centsToReais, formatPlainReais, formatReais } from '#core/values/money.ts';
import { selectCreditUsed } from '#credit';
import { findCredit, lockCustomerById, type PurchaseBlock } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { changeLimit } from './adjust-limit.ts';
import { nothingOffered } from './problems.ts';
import type { WalletCredit } from './schemas.ts';
import {
  buildStanding,
  type DecisionRow,
  findStanding,
  listLatestDecisions,
  type Standing,
  selectPurchaseBlock,
} from './store.ts';

/** Returns the higher limit that is offered to the customer. Returns null if there is none, or if staff have set another limit since. */
const getOfferedLimit = (standing: Standing | undefined, limitCents: number): number | null =>
  standing?.limit_cents === limitCents ? standing.offered_cents : null;

export async function readWalletCredit(
  db: Queryable,
  customerId: string,
  { language, now }: { language: 'en' | 'pt'; now: Date },
): Promise<Static<typeof WalletCredit>> {
  const [credit, standing, decisions] = await Promise.all([
    findCredit(db, customerId, { selectCreditUsed, selectPurchaseBlock }, now),
    findStanding(db, customerId),
    listLatestDecisions(db, customerId),
  ]);
  const limit = credit?.credit_limit_cents ?? 0;
  const used = credit?.credit_used_cents ?? 0;
  const blockedBy = credit?.blocked_by ?? null;
  const available = blockedBy === null ? Math.max(0, limit - used) : 0;
  const offeredLimit = getOfferedLimit(standing, limit);
  const pendingReview = decisions.find(({ outcome }) => outcome === 'review');
  const [limitDecision] = decisions; // the one that set the limit; if none has, the pending one
  const reviewerReasons = listReviewerReasons(limitDecision);
  // The reasons of a reviewer replace those of the policy.
  const policyReasons = reviewerReasons.length > 0 ? [] : listPolicyReasons(limitDecision, blockedBy);
  const limitReasons = standing?.limit_cents === limit ? policyReasons : ['set_by_hand'];
  return {
    limit: centsToReais(limit),
    used: centsToReais(used),
    available: centsToReais(available),
    blocked_by: blockedBy,
    offered: offeredLimit === null ? null : centsToReais(offeredLimit),
    reasons: [...reviewerReasons, ...limitReasons].map((code) => describeReason(code)[language]),
    next_step: describeNextStep({
      offeredLimit,
      blockedBy,
      isReviewPending: pendingReview !== undefined,
      available,
      limitReasons,
    })[language],
    review: pendingReview?.decided_at.toISOString() ?? null, // when it was requested
  };
}

/** Lists the reason codes of the policy. Replaces `days_late` by lateness in the past once no installment is late any more. */
const listPolicyReasons = (decision: DecisionRow | undefined, blockedBy: PurchaseBlock | null): string[] =>
  (decision?.reasons ?? []).map((code) =>
    code === 'days_late' && blockedBy !== 'overdue' ? 'worst_days_late' : code,
  );

/** Lists the reason code of a reviewer's answer, and for a refusal the reviewer's own words, which `describeReason` returns unchanged. */
function listReviewerReasons(decision: DecisionRow | undefined): string[] {
  if (!decision?.answered_at) return [];
  const { outcome, answer_reason } = decision;
  return [`${outcome}_by_person`, ...(outcome === 'declined' && answer_reason ? [answer_reason] : [])];
}

function describeNextStep(state: {
  offeredLimit: number | null;
  blockedBy: PurchaseBlock | null;
  isReviewPending: boolean;
  available: number;
  limitReasons: readonly string[];
}): Bilingual {
  const { offeredLimit, blockedBy, isReviewPending, available, limitReasons } = state;
  if (blockedBy === 'overdue')
    return {
      en: 'Pay the overdue amount. The limit then returns to what your purchases have earned.',
      pt: 'Pague o que está em atraso. O limite então volta ao que as suas compras renderam.',
    };
  if (blockedBy === 'cashback_owed')
    return {
      en: 'Your cashback balance is negative. The cashback that installments earn when paid on time makes up for it.',
      pt: 'O seu saldo de cashback está negativo. Pague as parcelas em dia: o cashback delas cobre o que falta.',
    };
  if (offeredLimit !== null)
    return {
      en: `Accept the limit of ${formatPlainReais(offeredLimit)} that is offered to you.`,
      pt: `Aceite o limite de ${formatReais(offeredLimit)} que oferecemos a você.`,
    };
  if (isReviewPending)
    return {
      en: 'A person is reviewing your limit. You will get the result as a message.',
      pt: 'Uma pessoa está analisando. A resposta chega por mensagem.',
    };
  if (available === 0 && limitReasons.some((code) => code !== 'set_by_hand' && code !== 'first_limit'))
    return {
      en: 'You may request a review by a person.',
      pt: 'Você pode pedir a análise de uma pessoa.',
    };
  return {
    en: 'Purchases paid on time raise the limit.',
    pt: 'Compras pagas em dia aumentam o limite.',
  };
}

export async function acceptOfferedLimit(tx: CustomerTx, customerId: string, context: EventContext) {
  const customer = await lockCustomerById(tx, customerId);
  const standing = await findStanding(tx, customerId);
  const offeredLimit = customer ? getOfferedLimit(standing, customer.credit_limit_cents) : null;
  if (offeredLimit === null) throw nothingOffered();
  await changeLimit(tx, customerId, buildStanding(offeredLimit), context);
}
