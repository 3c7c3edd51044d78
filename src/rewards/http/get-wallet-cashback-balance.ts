import { saoPauloDay } from '#core/day.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { findBalances } from '../reading-store.ts';
import { renderBalance } from '../render.ts';
import type { Rewards } from '../rewards.ts';
import { CashbackBalance } from '../schemas.ts';

export const getWalletCashbackBalance = ({ db, clock }: Rewards) =>
  endpoint('GET /wallet/cashback/balance', {
    access: { scope: 'wallet', customer: true },
    id: 'getCashbackBalance',
    summary: 'Show the cashback balance',
    description: 'What the customer has as of now, when it ends, and what is still to be earned.',
    answers: { 200: { description: 'The balance.', schema: CashbackBalance } },
    async handler(request) {
      const today = saoPauloDay(clock.now().getTime());
      return renderBalance(await findBalances(db.shared, request.caller.customerId, today));
    },
  });
