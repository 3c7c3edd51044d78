import type { MessageLimits, PurchaseBlockSql } from '#customers';
import type { Deps } from '#module';
import type { Mode } from '#platform/settings.ts';
import type { DecideAcceptance } from './acceptance.ts';
import type { ListPayeeTaxIds } from './offers/offer.ts';
import type { Merchants } from './purchases/checkout-record.ts';
import type { FindAutopay } from './purchases/render-checkout.ts';
import type { CashbackDebt, FindCashbackBalance } from './purchases/store.ts';
import type { MerchantBalances, RequestRefunds } from './returns/return-purchase.ts';
import type { CreditSettings } from './settings.ts';

export type CreditDeps = Deps<CreditSettings> &
  CreditSettings & {
    merchants: Merchants;
    requestRefunds: RequestRefunds;
    balances: MerchantBalances;
    messageLimits: MessageLimits;
    selectCashbackDebt: CashbackDebt;
    findCashbackBalance: FindCashbackBalance;
    selectPurchaseBlock: PurchaseBlockSql;
    decideAcceptance: DecideAcceptance;
    findAutopay: FindAutopay;
    listPayeeTaxIds: ListPayeeTaxIds;
    mode: Mode;
    /** How old a purchase may be when it is recorded. */
    maxPurchaseAgeMs: number;
  };
