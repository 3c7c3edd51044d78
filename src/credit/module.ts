import { merchantCache } from '#catalog';
import { formatCnpj } from '#core/cnpj.ts';
import { DAY_MS } from '#core/duration.ts';
import { canReach, creditUsage, messageCounter, messenger, overdueCustomers } from '#customers';
import { messagesService } from '#messages';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { acceptance } from './acceptance.ts';
import { checkoutCreate } from './commands/checkout-create.ts';
import { checkoutReturn } from './commands/checkout-return.ts';
import { checkoutShow } from './commands/checkout-show.ts';
import { checkoutReinstate, checkoutWriteOff } from './commands/checkout-write-off.ts';
import { offerCreate } from './commands/offer-create.ts';
import { checkoutList, offerCancel, offerList } from './commands/staff-lists.ts';
import { returnApprove, returnList, returnRefuse } from './commands/waiting-returns.ts';
import * as endpoints from './http/index.ts';
import { OFFERS_CRON, offerTasks, prepareOffer, sweepOffersSoon } from './offers/jobs.ts';
import { purgeOffers } from './offers/store.ts';
import { lenderService } from './papers/contract.ts';
import { lateEntryMs } from './purchases/approve-purchase.ts';
import { autopay } from './purchases/autopay-view.ts';
import { cashbackDebt, creditUsed } from './purchases/store.ts';
import { OVERDUE_CRON, overdueTasks, tellOverdueSoon } from './purchases/tell-overdue.ts';
import { creditAuditor } from './reports/audit.ts';
import { FIGURES_CRON, figuresTasks } from './reports/figures.ts';
import { findPurchases } from './reports/find-purchases.ts';
import { creditData } from './reports/personal-data.ts';
import { overdueIn } from './reports/staff-store.ts';
import { merchantBalances } from './returns/merchant-floor.ts';
import { refunds } from './returns/return-purchase.ts';
import { countWaitingReturns } from './returns/waiting-store.ts';
import { creditSettings } from './settings.ts';

/** Offers that were not accepted. */
const OFFERS_KEPT_MS = 90 * DAY_MS;

export const creditModule = defineModule({
  name: 'credit',
  settings: creditSettings,
  tags: {
    front: [
      {
        name: 'Selling',
        paths: ['/merchant'],
        description: 'What a merchant’s till does and sees. Needs a key with the scope `merchant`.',
      },
    ],
    staff: [
      {
        name: 'Credit',
        paths: ['/admin/checkouts', '/admin/offers', '/admin/returns'],
        description: 'Purchases, as the operator makes and sees them.',
      },
    ],
  },
  auditor: creditAuditor,
  personalData: creditData,
  provides: [provided(creditUsage, creditUsed), provided(overdueCustomers, overdueIn)],
  commands: ({ events, settings, find }) => [
    checkoutCreate(events, settings, find(cashbackDebt)!),
    checkoutReturn(events, (...of) => find(refunds)!(...of)),
    offerCreate({
      events,
      settings,
      canReach: () => find(canReach)!,
      countMessage: () => find(messageCounter)!,
      balances: () => find(merchantBalances)!,
    }),
    returnApprove(events, (...of) => find(refunds)!(...of)),
    ...[returnList, returnRefuse],
    offerCancel(events),
    ...[checkoutList, checkoutShow, checkoutWriteOff, checkoutReinstate, offerList],
  ],
  open(deps) {
    const credit = {
      ...deps,
      mode: deps.config.mode,
      lateEntryMs: lateEntryMs(deps.config.mode),
      ...deps.settings,
      merchants: deps.find(merchantCache)!,
      requestRefunds: deps.find(refunds)!,
      balances: deps.find(merchantBalances)!,
      messenger: deps.find(messenger)!,
      cashbackDebt: deps.find(cashbackDebt)!,
      acceptance: deps.find(acceptance)!,
      autopay: deps.find(autopay)!,
    };
    const {
      creditorName: name,
      creditorCnpj,
      creditorAddress: address,
      creditorEmail: email,
    } = deps.settings;
    deps.provide(lenderService, deps.settings);
    const messages = deps.find(messagesService)!;
    messages.signAs({ name, cnpj: formatCnpj(creditorCnpj), address, email });
    messages.prepare('offer', prepareOffer(deps));
    const catchUp = async () => {
      await tellOverdueSoon(deps);
      await sweepOffersSoon(deps);
    };
    deps.clock.onMove?.(() => void catchUp());
    return {
      ...openEndpoints(endpoints, credit),
      search: findPurchases(deps.db),
      waiting: { returns: () => countWaitingReturns(deps.db) },
      tasks: { ...overdueTasks(deps), ...offerTasks(credit), ...figuresTasks(deps) },
      cron: [...OVERDUE_CRON, ...OFFERS_CRON, ...FIGURES_CRON],
      housekeeping: (now) => purgeOffers(deps.db, new Date(now.getTime() - OFFERS_KEPT_MS)),
      start: catchUp,
    };
  },
});
