import { maxPlanRate, merchantCache } from '#catalog';
import { DAY_MS } from '#core/values/duration.ts';
import { toPercent } from '#core/values/percent.ts';
import { creditUsageService, messageLimits, overdueService, purchaseBlockService } from '#customers';
import { messagesService } from '#messages';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { acceptanceDecider } from './acceptance.ts';
import { creditAuditor } from './audit/audit.ts';
import { creditorSettingsService, toCreditor } from './documents/parties.ts';
import { createFiguresTasks, FIGURES_CRON } from './figures/figures.ts';
import * as endpoints from './http/index.ts';
import { createOfferMessagePreparer, createOfferTasks, OFFERS_CRON } from './offers/close-offer.ts';
import { payeeTaxIdsLister } from './offers/offer.ts';
import { purgeOffers } from './offers/store.ts';
import { creditPersonalData } from './privacy/personal-data.ts';
import { computeMaxPurchaseAgeMs } from './purchases/open-checkout.ts';
import { createOverdueTasks, OVERDUE_CRON } from './purchases/publish-overdue.ts';
import { autopayFinder } from './purchases/render-checkout.ts';
import { cashbackBalanceService, cashbackDebtService, selectCreditUsed } from './purchases/store.ts';
import { merchantBalancesService, refundRequester } from './returns/return-purchase.ts';
import { countWaitingReturns } from './returns/waiting-store.ts';
import { creditSettings } from './settings.ts';
import { createPurchaseSearcher, overdueLookup } from './staff/staff-store.ts';

/** How long offers that were not accepted are retained. */
const OFFER_RETENTION_MS = 90 * DAY_MS;

export const creditModule = defineModule({
  name: 'credit',
  settings: creditSettings,
  tags: {
    staff: [
      {
        name: 'Credit',
        paths: ['/admin/checkouts', '/admin/offers', '/admin/returns'],
        description: 'Purchases, offers and returns of all merchants and customers.',
      },
    ],
  },
  auditor: creditAuditor,
  personalData: creditPersonalData,
  provides: [bindService(creditUsageService, selectCreditUsed), bindService(overdueService, overdueLookup)],
  providesToCommands: (settings) => [bindService(maxPlanRate, () => toPercent(settings().maxWeeklyRate))],
  open(deps) {
    deps.provideService(maxPlanRate, () => toPercent(deps.settings.maxWeeklyRate));
    const creditDeps = {
      ...deps,
      mode: deps.config.mode,
      maxPurchaseAgeMs: computeMaxPurchaseAgeMs(deps.config.mode),
      ...deps.settings,
      merchants: deps.findService(merchantCache)!,
      requestRefunds: deps.findService(refundRequester)!,
      balances: deps.findService(merchantBalancesService)!,
      messageLimits: deps.findService(messageLimits)!,
      selectCashbackDebt: deps.findService(cashbackDebtService)!,
      findCashbackBalance: deps.findService(cashbackBalanceService)!,
      selectPurchaseBlock: deps.findService(purchaseBlockService)!,
      decideAcceptance: deps.findService(acceptanceDecider)!,
      findAutopay: deps.findService(autopayFinder)!,
      listPayeeTaxIds: deps.findService(payeeTaxIdsLister)!,
    };
    deps.provideService(creditorSettingsService, deps.settings);
    const messages = deps.findService(messagesService)!;
    messages.setCreditor(toCreditor(deps.settings));
    messages.onBeforeSend('offer', createOfferMessagePreparer(deps));
    return {
      ...buildEndpoints(endpoints, creditDeps),
      search: createPurchaseSearcher(deps.db),
      pendingWork: { returns: () => countWaitingReturns(deps.db) },
      tasks: { ...createOverdueTasks(deps), ...createOfferTasks(creditDeps), ...createFiguresTasks(deps) },
      cron: [...OVERDUE_CRON, ...OFFERS_CRON, ...FIGURES_CRON],
      housekeeping: (now) => purgeOffers(deps.db, new Date(now.getTime() - OFFER_RETENTION_MS)),
    };
  },
});
