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
import type { recordWriteOffChange, reinstate, writeOff } from '../src/credit/purchases/write-off.ts';
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
  redeemCashback,
  writeDueExpiries,
} from '../src/rewards/cashback-account.ts';
import type { recordInvitation, updateInvitationReward } from '../src/rewards/invitations.ts';
import { PROJECT } from './project.ts';
import { readSources } from './source.ts';

/** Functions that change a customer's money, or lock the customer. */
type MoneyFunctions = {
  lockCustomerById: typeof customers.lockCustomerById;
  upsertDemoCustomer: typeof customers.upsertDemoCustomer;
  createCustomer: typeof createCustomer;
  post: typeof ledger.post;
  approvePurchase: typeof credit.approvePurchase;
  openCheckout: typeof credit.openCheckout;
  acceptOffer: typeof acceptOffer;
  declineOffer: typeof declineOffer;
  applyReceipt: typeof credit.applyReceipt;
  applyRefundChanges: typeof credit.applyRefundChanges;
  holdStrandedMoney: typeof credit.holdStrandedMoney;
  returnPurchase: typeof credit.returnPurchase;
  publishOverdue: typeof credit.publishOverdue;
  writeOff: typeof writeOff;
  reinstate: typeof reinstate;
  applyPayment: typeof applyPayment;
  assignOrphan: typeof assignOrphan;
  movePayment: typeof movePayment;
  detachPayment: typeof credit.detachPayment;
  requestRefunds: typeof requestRefunds;
  syncRefunds: typeof syncRefunds;
  failRefund: typeof failRefund;
  adjustCashback: typeof adjustCashback;
  redeemCashback: typeof redeemCashback;
  creditCashback: typeof creditCashback;
  debitCashback: typeof debitCashback;
  writeDueExpiries: typeof writeDueExpiries;
  recordInvitation: typeof recordInvitation;
  updateInvitationReward: typeof updateInvitationReward;
  recordWriteOffCallback: (tx: WriteOffTx) => void; // the callback that recordWriteOffChange calls
  emit: (tx: EventTx<'installment.paid'>) => void; // events.emit, for one type of event
};
type WriteOffTx = Parameters<Parameters<typeof recordWriteOffChange>[1]>[0];
/** The names of functions that would also accept a plain transaction. */
type FunctionsThatAcceptTx = {
  [Name in keyof MoneyFunctions]: Tx extends Parameters<MoneyFunctions[Name]>[0] ? Name : never;
}[keyof MoneyFunctions];
type FunctionsThatRefuseCustomerTx = {
  [Name in keyof MoneyFunctions]: CustomerTx extends Parameters<MoneyFunctions[Name]>[0] ? never : Name;
}[keyof MoneyFunctions];

test('every function that changes a customer’s money takes a CustomerTx, and no plain transaction', () => {
  // The compiler checks this: its error contains the name of the function.
  const acceptingTx: [FunctionsThatAcceptTx] extends [never] ? 'none' : FunctionsThatAcceptTx = 'none';
  const refusingCustomerTx: [FunctionsThatRefuseCustomerTx] extends [never]
    ? 'none'
    : FunctionsThatRefuseCustomerTx = 'none';
  assert.deepEqual([acceptingTx, refusingCustomerTx], ['none', 'none']);
});

const programFiles = readSources().filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
const LOCK_CLAUSE = /\bfor (?:no key )?update\b/;

test('rows of the wallet are locked only by functions that take a CustomerTx', () => {
  const schema = readFileSync(join(PROJECT, 'schema.sql'), 'utf8');
  const customerTables = schema.matchAll(/constraint (\w+)_pkey PRIMARY KEY \(customer_id\b/g);
  const tables = ['customers', ...Array.from(customerTables, ([, table]) => table!)];
  const readsCustomerTable = new RegExp(`\\b(?:from|join) (?:${tables.join('|')})\\b`);
  const lockingStatements = programFiles.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/sql`(?:[^`$]|\$\{[^}]*\})*`/g))
      .filter(([statement]) => LOCK_CLAUSE.test(statement) && readsCustomerTable.test(statement))
      .map(({ 0: statement, index }) => {
        // The type of the nearest preceding parameter `tx` or `db`, which normally is the one of the same function.
        const [, txType] = text.slice(0, index).match(/.*\b(?:tx|db): (\w+)/s) ?? [];
        return { location: `${path}: ${statement}`, txType };
      }),
  );
  const violations = lockingStatements.filter(({ txType }) => txType !== 'CustomerTx');
  assert.deepEqual(violations, []);
  assert.ok(
    lockingStatements.length >= 4,
    `only ${lockingStatements.length} statements that lock were found`,
  );
});

test('only customer-transaction.ts creates a CustomerTx', () => {
  const creatingFiles = programFiles.filter(({ text }) => /\bas (?:unknown as )?CustomerTx\b/.test(text));
  assert.deepEqual(
    creatingFiles.map(({ path }) => path),
    ['src/platform/database/customer-transaction.ts'],
  );
});

test('no two advisory locks have the same number, and numbers exist only in the registry', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  assert.equal(new Set(numbers).size, numbers.length);
  const hasLockNumber = (text: string) =>
    /advisory(?:_\w+)?\(\s*[\d']/.test(text) ||
    numbers.some((number) => text.replaceAll('_', '').includes(`${number}`));
  const filesWithLocks = programFiles
    .filter(({ text }) => /\bpg_(?:try_)?advisory/.test(text))
    .map(({ path }) => path);
  // Exceptions: nodes hold a lock for their jobs on a separate session, and migrations have no transaction yet.
  assert.deepEqual(filesWithLocks.toSorted(), [
    'src/platform/database/advisory-locks.ts',
    'src/platform/database/migrate.ts',
    'src/platform/jobs/job-presence.ts',
  ]);
  assert.deepEqual(
    programFiles.filter(({ text }) => hasLockNumber(text)).map(({ path }) => path),
    ['src/platform/database/advisory-locks.ts'],
  );
});
