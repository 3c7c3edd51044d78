import type { Facts } from '#core/finance/decision.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { limitWithProblem, recordAndCountAttempts } from '#platform/http/attempt-limits.ts';
import { type Policies, usesFacts } from './policy.ts';

/** An account is young for a week. */
export const YOUNG_ACCOUNT_MS = 7 * DAY_MS;

/** Never reached with a policy that reviews, because a purchase that is not approved is not counted. */
const MAX_YOUNG_BUYERS = 100_000;

const YOUNG_BUYERS_PER_MERCHANT = limitWithProblem(
  { kind: 'young_buyer', maxAttempts: MAX_YOUNG_BUYERS, windowMs: DAY_MS },
  rateLimited,
  {
    en: 'Too many new customers bought at this merchant today.',
    pt: 'Clientes novos demais compraram nesta loja hoje.',
  },
);

/**
 * Counts this purchase and the other first purchases of young accounts at the merchant within a day. The count locks a row of the
 * merchant until the transaction ends, so concurrent purchases cannot all be the fifth. It is therefore taken only if a policy uses it.
 * A rollback undoes it: purchases that are not approved do not count.
 */
export async function countYoungBuyers(
  tx: CustomerTx,
  { merchantId, policies, now }: { merchantId: number; policies: Policies; now: Date },
): Promise<Pick<Facts, 'young_buyers_day'>> {
  if (!usesFacts(policies, ['young_buyers_day'])) return {};
  const subject = tx.vault.hash('young_buyer', String(merchantId));
  const counts = await recordAndCountAttempts(tx, [{ ...YOUNG_BUYERS_PER_MERCHANT, subject }], now);
  return { young_buyers_day: counts[YOUNG_BUYERS_PER_MERCHANT.limit.kind]! };
}
