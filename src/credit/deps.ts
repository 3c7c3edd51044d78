import type { Messenger } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { ResolveSearch } from '#platform/http/search.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import type { Mode } from '#platform/settings.ts';
import type { DecideAcceptance } from './offers/acceptance.ts';
import type { FindAutopay } from './purchases/autopay-view.ts';
import type { Merchants } from './purchases/current-merchant.ts';
import type { CashbackDebt } from './purchases/store.ts';
import type { MerchantBalances } from './returns/merchant-floor.ts';
import type { RequestRefunds } from './returns/return-purchase.ts';
import type { CreditSettings } from './settings.ts';

export type CreditDeps = {
  db: Db;
  clock: Clock;
  events: Events;
  resolveSearch: ResolveSearch;
  publicUrl: () => string;
  merchants: Merchants;
  requestRefunds: RequestRefunds;
  balances: MerchantBalances;
  messenger: Messenger;
  cashbackDebt: CashbackDebt;
  acceptance: DecideAcceptance;
  autopay: FindAutopay;
  vault: Vault;
  mode: Mode;
  /** How old a purchase may be when it is recorded. */
  lateEntryMs: number;
} & CreditSettings;
