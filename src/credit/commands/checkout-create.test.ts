import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { CARLA, openShop } from '../../../test/shop.ts';

const service = await openService();
const shop = openShop(service);

const create = (...words: string[]) =>
  commandLine(['checkout', 'create', '--customer', CARLA.phone, '--merchant', 'otica-lume', ...words], {
    DATABASE_URL: service.databaseUrl,
  });
const total = async () => (await shop.ask(CARLA, '/wallet/checkouts')).body.pagination.total;

test('--dry-run prints the schedule, the cost and the CET, and writes nothing', async () => {
  const { code, stdout } = await create(
    '--amount',
    '100',
    '--installments',
    '2',
    '--weekly-rate',
    '1',
    '--dry-run',
  );
  assert.equal(code, 0);
  // 100 × 0.01 × 1.01² / (1.01² − 1) = 50.7512…, twice 101.5025: 50.75 and 50.75. Interest of the first week: 1.00.
  assert.match(
    stdout,
    /1 +\d{4}-\d\d-\d\d +50\.75 +49\.75 +1\.00\n2 +\d{4}-\d\d-\d\d +50\.75 +50\.25 +0\.50\n/,
  );
  assert.match(stdout, /Ótica Lume: financed 100\.00, interest 1\.50, total 101\.50\./);
  // 1.01^(365/84) = 1.044185, 1.01^(365/7) = 1.680075
  assert.match(stdout, /CET: 4\.41 % a month, 67\.86 % a year\./);
  assert.match(stdout, /Nothing was written/);
  assert.equal(await total(), 0);
});

test('the hash goes to standard output, the schedule to standard error', async () => {
  const { code, stdout, stderr } = await create(
    '--amount',
    '49.90',
    '--installments',
    '1',
    '--description',
    'Lentes',
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /1 +\d{4}-\d\d-\d\d +49\.90/);
  const { amounts, description } = await shop.look(stdout.trim());
  assert.deepEqual([amounts.outstanding, description], [49.9, 'Lentes']);
});

test('--reference: the same again sells nothing and prints the same hash; amounts as people write them', async () => {
  const before = await total();
  const words = ['--amount', 'R$ 10,50', '--installments', '1', '--reference', 'PEDIDO-1'];
  const first = await create(...words);
  assert.equal(first.code, 0, first.stderr);
  const again = await create(...words);
  assert.deepEqual(
    [again.code, again.stdout, again.stderr],
    [0, first.stdout, "'PEDIDO-1' was done already: nothing was changed.\n"],
  );
  const other = await create('--amount', '11', '--installments', '1', '--reference', 'PEDIDO-1');
  assert.equal(other.code, 1);
  assert.match(other.stderr, /--reference 'PEDIDO-1' was used for something else within 24 hours/);
  assert.equal(await total(), before + 1);
  const { amounts } = await shop.look(first.stdout.trim());
  assert.equal(amounts.outstanding, 10.5);
});

test('a refusal is explained: exit code 1; wrong usage: 2', async () => {
  const unlawful = await create('--amount', '10', '--installments', '1', '--fine', '5');
  assert.equal(unlawful.code, 1);
  assert.match(unlawful.stderr, /terms\/fine_percent: .*CDC art\. 52 §1/);
  const over = await create('--amount', '5000', '--installments', '1');
  assert.equal(over.code, 1);
  assert.match(over.stderr, /comes to 5000 in all, and 939\.6 are available/);
  const missing = await create('--amount', '10');
  assert.deepEqual([missing.code, /--installments is missing/.test(missing.stderr)], [2, true]);
  const typo = await create('--amount', '1.500', '--installments', '1');
  assert.deepEqual([typo.code, /--amount is '1\.500'/.test(typo.stderr)], [2, true]);
  assert.equal(await total(), 2);
});
