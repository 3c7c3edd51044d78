import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type * as credit from '#credit';
import type * as customers from '#customers';
import type * as ledger from '#ledger';
import { ADVISORY_LOCKS } from '#platform/database/advisory-locks.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import type { acceptOffer } from '../src/credit/offers/accept-offer.ts';
import type { declineOffer } from '../src/credit/offers/close-offer.ts';
import type { recordWriteOff, reinstate, writeOff } from '../src/credit/purchases/write-off.ts';
import type { createCustomer } from '../src/customers/create-customer.ts';
import type { EventTx } from '../src/events/event.ts';
import type { assignOrphan } from '../src/pix/orphans/orphans.ts';
import type { requestRefunds } from '../src/pix/refunds/request-refunds.ts';
import type { failRefund, syncRefunds } from '../src/pix/refunds/sync-refunds.ts';
import type { movePayment } from '../src/pix/settlement/move-payment.ts';
import type { applyPayment } from '../src/pix/settlement/settle-payment.ts';
import type {
  adjustCashback,
  creditCashback,
  debitCashback,
  loadAccount,
  redeemCashback,
} from '../src/rewards/cashback-account.ts';
import type { recordInvitation, rewardInvitation } from '../src/rewards/invitations.ts';
import { PROJECT } from './project.ts';
import { readSources } from './source.ts';

/** What moves a customer's money, or locks the customer. */
type Verbs = {
  lockCustomerById: typeof customers.lockCustomerById;
  restoreCustomer: typeof customers.upsertDemoCustomer;
  createCustomer: typeof createCustomer;
  post: typeof ledger.post;
  approvePurchase: typeof credit.approvePurchase;
  openCheckout: typeof credit.openCheckout;
  acceptOffer: typeof acceptOffer;
  declineOffer: typeof declineOffer;
  applyReceipt: typeof credit.applyReceipt;
  applyRefunds: typeof credit.applyRefundChanges;
  holdStranded: typeof credit.refundStranded;
  returnPurchase: typeof credit.returnPurchase;
  tellOverdue: typeof credit.publishOverdue;
  writeOff: typeof writeOff;
  reinstate: typeof reinstate;
  applyPayment: typeof applyPayment;
  assignOrphan: typeof assignOrphan;
  movePayment: typeof movePayment;
  takeReceipt: typeof credit.detachPayment;
  requestRefunds: typeof requestRefunds;
  syncRefunds: typeof syncRefunds;
  failRefund: typeof failRefund;
  adjustCashback: typeof adjustCashback;
  redeemCashback: typeof redeemCashback;
  creditCashback: typeof creditCashback;
  debitCashback: typeof debitCashback;
  expireCashback: typeof loadAccount;
  recordInvitation: typeof recordInvitation;
  rewardInvitation: typeof rewardInvitation;
  writeOffVerb: (tx: WriteOffTx) => void;
  emit: (tx: EventTx<'installment.paid'>) => void;
};
type WriteOffTx = Parameters<Parameters<typeof recordWriteOff>[1]>[0];
/** The names of verbs that would also accept a plain transaction. */
type Unlocked = {
  [Name in keyof Verbs]: Tx extends Parameters<Verbs[Name]>[0] ? Name : never;
}[keyof Verbs];
type Refused = {
  [Name in keyof Verbs]: CustomerTx extends Parameters<Verbs[Name]>[0] ? never : Name;
}[keyof Verbs];

test('every function that changes a customer’s money takes a CustomerTx, and no plain transaction', () => {
  // Checked by the compiler: the error contains the verb's name.
  const unlocked: [Unlocked] extends [never] ? 'none' : Unlocked = 'none';
  const refused: [Refused] extends [never] ? 'none' : Refused = 'none';
  assert.deepEqual([unlocked, refused], ['none', 'none']);
});

const program = readSources().filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
const LOCKING = /\bfor (?:no key )?update\b/;

test('rows of the wallet are locked only by functions that take a CustomerTx', () => {
  const schema = readFileSync(join(PROJECT, 'schema.sql'), 'utf8');
  const keyed = schema.matchAll(/constraint (\w+)_pkey PRIMARY KEY \(customer_id\b/g);
  const tables = ['customers', ...Array.from(keyed, ([, table]) => table!)];
  const named = new RegExp(`\\b(?:from|join) (?:${tables.join('|')})\\b`);
  let found = 0;
  const offenders = program.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/sql`(?:[^`$]|\$\{[^}]*\})*`/g))
      .filter(([statement]) => LOCKING.test(statement) && named.test(statement))
      .filter(({ index }) => {
        found += 1;
        const [, type] = text.slice(0, index).match(/.*\b(?:tx|db): (\w+)/s) ?? [];
        return type !== 'CustomerTx';
      })
      .map(([statement]) => `${path}: ${statement}`),
  );
  assert.deepEqual(offenders, []);
  assert.ok(found >= 4, `${found} statements were looked at`);
});

test('only customer-transaction.ts creates a CustomerTx', () => {
  const makers = program.filter(({ text }) => /\bas (?:unknown as )?CustomerTx\b/.test(text));
  assert.deepEqual(
    makers.map(({ path }) => path),
    ['src/platform/database/customer-transaction.ts'],
  );
});

test('no two advisory locks have the same number, and numbers exist only in the registry', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  assert.equal(new Set(numbers).size, numbers.length);
  const isNumbered = (text: string) =>
    /advisory(?:_\w+)?\(\s*[\d']/.test(text) ||
    numbers.some((n) => text.replaceAll('_', '').includes(`${n}`));
  const users = program.filter(({ text }) => /\bpg_(?:try_)?advisory/.test(text)).map(({ path }) => path);
  // Exceptions: nodes hold a lock for their jobs on a session of their own, and migrations have no transaction yet.
  assert.deepEqual(users.toSorted(), [
    'src/platform/database/advisory-locks.ts',
    'src/platform/database/migrate.ts',
    'src/platform/jobs/job-presence.ts',
  ]);
  assert.deepEqual(
    program.filter(({ text }) => isNumbered(text)).map(({ path }) => path),
    ['src/platform/database/advisory-locks.ts'],
  );
});
