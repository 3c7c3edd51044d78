import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { commandRunner, commands } from './commands.ts';
import { openService } from './harness.ts';

const service = await openService();
const run = commandRunner(service);

const READING =
  /(^| )(list|show|failures|payments|charges|orphans|refunds|discrepancies|deliveries|story|audit|report)$/;
/** They call somebody, and show what comes of it. */
const CALLING = ['webhook test', 'webhook listen'];

test('every command that shows something takes --json, and with it prints JSON and nothing else', async () => {
  const reading = commands.filter(({ name, options = {} }) => options.json && !CALLING.includes(name));
  assert.deepEqual(
    commands.filter(({ name }) => READING.test(name)).map(({ name }) => name),
    reading.map(({ name }) => name),
  );
  const printed: Record<string, number> = {};
  const payout = (await service.db.row<{ id: string }>(sql`select id from payouts`))!;
  const wish = ['--partner', 'Demo partner', '--url', 'http://127.0.0.1:9/hook'];
  const [webhook] = (await run('webhook create', ...wish)).split('\n');
  const given: Record<string, string> = {
    ...{ CUSTOMER: '11 98765-0001', PAYOUT_ID: payout.id, WEBHOOK_ID: webhook!, REPORT: 'portfolio' },
  };
  for (const { name, positionals = [] } of reading) {
    const text = await run(name, ...positionals.map((one) => given[one.name]!), '--json');
    const lines = text.split('\n').filter(Boolean);
    for (const line of lines) assert.equal(typeof JSON.parse(line), 'object', `${name}: ${line}`);
    printed[name] = lines.length;
  }
  for (const name of [
    'partner list',
    'key list',
    'customer list',
    'token-key list',
    'audit',
    'cashback show',
    'payout list',
    'payout show',
  ])
    assert.ok(printed[name]! > 0, name);
  assert.equal(printed['message failures'], 0, 'nothing to show is no line');
});

test('audit --json: figures of every account, the same as without', async () => {
  const { customers, disagreements, balances } = JSON.parse(await run('audit', '--json'));
  assert.equal(disagreements, 0);
  assert.ok(customers >= 3);
  const shown = await run('audit');
  for (const [account, amount] of Object.entries(balances))
    assert.match(shown, new RegExp(`^${account} +${amount}$`, 'm'));
});

test('cashback show --json: balance and lines as the wallet shows them', async () => {
  const { customer, available, lines } = JSON.parse(await run('cashback show', '11 98765-0001', '--json'));
  assert.match(customer, /^cus_/);
  assert.ok(available > 0);
  assert.ok(lines.length > 0 && typeof lines[0].amount === 'number');
});
