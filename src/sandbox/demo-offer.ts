import { findMerchantWithPlan } from '#catalog';
import { cents } from '#core/values/money.ts';
import { OFFER_TTL_MS, recordOffer, toDefaultTerms, toPayoutTerms } from '#credit';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Tx } from '#platform/database/db.ts';

/** Writes a new offer of the bakery to Bruno, unless an earlier one is pending or accepted. */
export async function seedOffer(tx: Tx, { clock, events }: { clock: Clock; events: Events }): Promise<void> {
  const merchant = (await findMerchantWithPlan(tx, 'padaria-flor-do-trigo'))!;
  await recordOffer(
    tx,
    {
      merchant,
      recipient: { phone: '+5511987650002' },
      ttlMs: OFFER_TTL_MS,
      reference: 'DEMO-1',
      description: 'Bolo de casamento',
      items: [],
      returnUrl: null,
      amount: cents(180_00),
      installments: 4,
      terms: toDefaultTerms(merchant),
      payout: toPayoutTerms(merchant),
    },
    { events, now: clock.now() },
  );
}
