import { saoPauloDay } from '#core/values/day.ts';
import { findCredit, renderOwnCredit, tokenInvalid } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { toPagination } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { listReceivedOffers } from '../offers/received-offers.ts';
import { WalletHome } from '../offers/schemas.ts';
import { listDuePayments, listOwnCheckouts } from '../purchases/own-checkouts.ts';
import { selectCreditUsed } from '../purchases/store.ts';

const PENDING_OFFERS = { page: 1, limit: 3, status: 'pending' } as const;
const NEWEST_CHECKOUTS = { page: 1, limit: 10 } as const;

export const getWalletHome = (deps: CreditDeps) =>
  endpoint('GET /wallet/home', {
    access: { scope: 'wallet', customer: true },
    id: 'getHome',
    summary: 'Get the overview of the wallet',
    description:
      'Returns the content of the first page of a wallet in one call: credit, cashback, due payments, the three newest pending offers and ' +
      'the ten newest purchases.',
    responses: { 200: { description: 'The overview.', schema: WalletHome } },
    async handler({ caller: { customerId } }) {
      const { db, clock, selectPurchaseBlock, findCashbackBalance } = deps;
      const now = clock.now();
      const [ownCredit, cashback, duePayments, offers, checkouts] = await Promise.all([
        findCredit(db.shared, customerId, { selectCreditUsed, selectPurchaseBlock }, now),
        findCashbackBalance(db.shared, customerId, saoPauloDay(now.getTime())),
        listDuePayments(deps, customerId),
        listReceivedOffers(deps, customerId, PENDING_OFFERS),
        listOwnCheckouts(deps, customerId, NEWEST_CHECKOUTS),
      ]);
      if (!ownCredit) throw tokenInvalid('customer_missing');
      return {
        credit: renderOwnCredit(ownCredit),
        cashback,
        due: duePayments,
        offers: offers.data,
        checkouts: { data: checkouts.data, pagination: toPagination(NEWEST_CHECKOUTS, checkouts.total) },
      };
    },
  });
