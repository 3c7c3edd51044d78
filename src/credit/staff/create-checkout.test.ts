import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { CARLA, createPurchaseDriver } from '../../../test/purchase-driver.ts';

const service = await openService();
const driver = createPurchaseDriver(service);

const runCreate = (...args: string[]) =>
  runCli(['checkouts', 'create', '--customer', CARLA.phone, '--merchant', 'otica-lume', ...args], {
    SEMANA_URL: service.staffUrl,
  });
const countCheckouts = async () =>
  (await driver.getAsCustomer(CARLA, '/wallet/checkouts')).body.pagination.total;

test('--dry-run prints the schedule, the cost and the CET, and writes nothing', async () => {
  const args = ['--amount', '100', '--installments', '2', '--terms-weekly-rate-percent', '1', '--dry-run'];
  const { code, stdout, stderr } = await runCreate(...args);
  assert.equal(code, 0, stderr);
  // 100 × 0.01 × 1.01² / (1.01² − 1) = 50.7512…, twice 101.5025: 50.75 and 50.75. Interest of the first week: 1.00.
  assert.match(stdout, /1 .*\d{4}-\d\d-\d\d .*50\.75 .*\n2 .*\d{4}-\d\d-\d\d .*50\.75 /);
  assert.match(stdout, /cost\.interest +1\.50\n[\s\S]*cost\.total +101\.50\n/);
  // A month of 365/12 days has 365/84 weeks, and a year 365/7: 1.01^(365/84) = 1.044185, 1.01^(365/7) = 1.680075.
  assert.match(stdout, /cet_percent_month +4\.41\n.*cet_percent_year +67\.86\n/);
  assert.match(stdout, /Nothing was changed \(--dry-run\)/);
  assert.equal(await countCheckouts(), 0);
});

test('without --yes nothing is sold; with --yes the hash is printed to standard output, and other text to standard error', async () => {
  const args = ['--amount', '49.90', '--installments', '1', '--description', 'Lentes'];
  const refusedOutcome = await runCreate(...args);
  assert.deepEqual([refusedOutcome.code, refusedOutcome.stdout], [2, '']);
  assert.match(
    refusedOutcome.stderr,
    /^This creates a purchase of 49\.90 on credit for \+\d+\. Use --yes to confirm\./,
  );
  assert.equal(await countCheckouts(), 0);
  const { code, stdout, stderr } = await runCreate(...args, '--yes');
  assert.equal(code, 0, stderr);
  assert.equal(stderr, 'Ótica Lume: financed 49.90, total 49.90.\n');
  const { amounts, description } = await driver.getCheckout(stdout.trim());
  assert.deepEqual([amounts.outstanding, description], [49.9, 'Lentes']);
});

test('repeating --idempotency-key creates nothing and prints the same hash; amounts in Brazilian format are accepted', async () => {
  const totalBefore = await countCheckouts();
  const idempotentOptions = ['--installments', '1', '--idempotency-key', 'pedido-1', '--yes'];
  const firstOutcome = await runCreate('--amount', 'R$ 10,50', ...idempotentOptions);
  assert.equal(firstOutcome.code, 0, firstOutcome.stderr);
  assert.deepEqual(await runCreate('--amount', 'R$ 10,50', ...idempotentOptions), firstOutcome);
  const otherOutcome = await runCreate('--amount', '11', ...idempotentOptions);
  assert.equal(otherOutcome.code, 1);
  assert.match(otherOutcome.stderr, /idempotency/i);
  assert.equal(await countCheckouts(), totalBefore + 1);
  const { amounts } = await driver.getCheckout(firstOutcome.stdout.trim());
  assert.equal(amounts.outstanding, 10.5);
});

test('a problem is explained with exit code 1; wrong usage exits with 2', async () => {
  const totalBefore = await countCheckouts();
  const unlawfulTerms = ['--terms-fine-percent', '5', '--yes'];
  const unlawfulOutcome = await runCreate('--amount', '10', '--installments', '1', ...unlawfulTerms);
  assert.equal(unlawfulOutcome.code, 1);
  assert.match(unlawfulOutcome.stderr, /--terms-fine-percent: .*CDC art\. 52 §1/);
  const overLimitOutcome = await runCreate('--amount', '5000', '--installments', '1', '--yes');
  assert.equal(overLimitOutcome.code, 1);
  // 1000.00 less the 49.90 and 10.50 of the tests above
  assert.match(overLimitOutcome.stderr, /is 5000, but only 939\.6 is available/);
  const missingOptionOutcome = await runCreate('--amount', '10');
  assert.equal(missingOptionOutcome.code, 2);
  assert.match(missingOptionOutcome.stderr, /--installments is missing/);
  const typoOutcome = await runCreate('--amount', '1.500', '--installments', '1', '--yes');
  assert.equal(typoOutcome.code, 2);
  assert.match(typoOutcome.stderr, /--amount is '1\.500'/);
  assert.equal(await countCheckouts(), totalBefore);
});
