import { findSellingMerchant } from '#catalog';
import { cents } from '#core/money.ts';
import { OFFER_LIFE_MS, payoutTerms, usualTerms, writeOffer } from '#credit';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Tx } from '#platform/database/db.ts';

/** A fresh offer of the bakery to Bruno. Skipped while an earlier one is pending or accepted. */
export async function seedOffer(tx: Tx, { clock, events }: { clock: Clock; events: Events }): Promise<void> {
  const merchant = (await findSellingMerchant(tx, 'padaria-flor-do-trigo'))!;
  await writeOffer(
    tx,
    {
      merchant,
      to: { phone: '+5511987650002' },
      lifeMs: OFFER_LIFE_MS,
      reference: 'DEMO-1',
      description: 'Bolo de casamento',
      items: [],
      returnUrl: null,
      amount: cents(180_00),
      installments: 4,
      terms: usualTerms(merchant),
      payout: payoutTerms(merchant),
    },
    { events, now: clock.now() },
  );
}
