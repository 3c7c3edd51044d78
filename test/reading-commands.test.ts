import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtInPolicy } from '#core/decision.ts';
import { cents } from '#core/money.ts';
import { sql } from '#platform/database/db.ts';
import { commandRunner, commands } from './commands.ts';
import { openService } from './harness.ts';

const service = await openService();
const run = commandRunner(service);

const READING =
  /(^| )(list|show|failures|payments|charges|orphans|refunds|discrepancies|deliveries|story|audit|report|try|templates|debits)$/;
/** Commands that call somebody and show the result. */
const CALLING = ['webhook test', 'webhook listen'];

test('every command that shows something takes --json, and with it prints JSON and nothing else', async () => {
  const reading = commands.filter(({ name, options = {} }) => options.json && !CALLING.includes(name));
  assert.deepEqual(
    commands.filter(({ name }) => READING.test(name)).map(({ name }) => name),
    reading.map(({ name }) => name),
  );
  const printed: Record<string, number> = {};
  const payout = (await service.db.row<{ id: string }>(sql`select id from payouts`))!;
  const purchase = (await service.db.row<{ hash: string }>(sql`select hash from checkouts`))!;
  const wish = ['--partner', 'Demo partner', '--url', 'http://127.0.0.1:9/hook'];
  const [webhook] = (await run('webhook create', ...wish)).split('\n');
  const lead = await service.post('/public/leads', { kind: 'x', name: 'Zé', email: 'ze@example.com' });
  const policy = join(await mkdtemp(join(tmpdir(), 'policy-')), 'policy.json');
  await writeFile(policy, JSON.stringify(builtInPolicy('open', cents(50_000))));
  const given: Record<string, string> = {
    LEAD: lead.body.id,
    CUSTOMER: '11 98765-0001',
    PAYOUT_ID: payout.id,
    WEBHOOK_ID: webhook!,
    REPORT: 'portfolio',
    HASH: purchase.hash,
    MERCHANT: 'padaria-flor-do-trigo',
    FILE: policy,
    KIND: 'terms',
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
    'checkout show',
    'audit-trail list',
  ])
    assert.ok(printed[name]! > 0, name);
  assert.equal(printed['message failures'], 0, 'nothing to show is no line');
  await rm(policy);
});

test('a list of one customer knows whom it is asked for, by id or phone', async () => {
  const lists = commands.filter(({ options = {} }) => options.json && options.customer?.value);
  assert.ok(lists.length >= 7);
  for (const { name } of lists) {
    await assert.rejects(run(name, '--customer', 'nobody'), /no such customer|write the id/, name);
    await assert.rejects(run(name, '--customer', '11 98765-9999'), /no such customer|write the id/, name);
  }
  await run('checkout list', '--customer', '11 98765-0001');
});

test('a list shows nothing of before what is there, and refuses what is no day', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'agreement-'));
  const file = join(directory, 'terms.md');
  await writeFile(file, '## Um\nTexto.\n');
  await run('agreement publish', 'terms', file, '--version', '2030-01');
  const lists = commands.filter(({ options = {} }) => options.json && options.to);
  assert.ok(lists.length >= 15);
  for (const { name } of lists) {
    assert.equal(await run(name, '--json', '--to', '2020-01-01'), '', name);
    await assert.rejects(run(name, '--from', 'ontem'), /--from is 'ontem'; write a day/, name);
  }
  assert.notEqual(await run('agreement list', '--json'), '');
  await rm(directory, { recursive: true });
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

/** Commands that change something and leave no trail, with the reason. */
const NO_TRAIL: Record<string, string> = {
  demo: 'of the sandbox: it may empty the trail itself',
  'webhook listen': 'it only reads, and forwards to a program of the developer’s',
  'export categories': 'it only reads',
  'export merchants': 'it only reads',
  'export faq': 'it only reads',
  'export posts': 'it only reads',
};
/** Commands that show something and can also change something. */
const BOTH = ['webhook test', 'pix refunds'];

test('every command that changes something leaves a trail, or says why it leaves none', async () => {
  const changing = commands.filter(
    ({ name, options = {} }) => (!options.json || BOTH.includes(name)) && !NO_TRAIL[name],
  );
  const sources = globSync('src/**/commands/*.ts').map((path) => readFileSync(path, 'utf8'));
  const silent = changing.filter(({ name }) => {
    const [verb] = name.split(' ');
    const own = sources.filter(
      (text) => text.includes(`name: '${name}'`) || text.includes(`name: \`${verb} \${`),
    );
    return own.length === 0 || !own.every((text) => /chang(?:eBy|ing)Command\(/.test(text));
  });
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
    'write it with changingCommand, or changeByCommand and recordChange or recordCreation, or say in NO_TRAIL why there is none',
  );

  const count = async () =>
    (await service.db.row<{ n: number }>(sql`select count(*) as n from audit_trail`))!.n;
  const ran = new Set<string>();
  const changed = async (name: string, ...words: string[]): Promise<string> => {
    const before = await count();
    const printed = await run(name, ...words);
    assert.ok((await count()) > before, `${name} left no trail`);
    ran.add(name);
    return printed;
  };
  const directory = await mkdtemp(join(tmpdir(), 'semana-trails-'));
  const file = async (name: string, text: string) => {
    const path = join(directory, name);
    await writeFile(path, text);
    return path;
  };
  await changed('partner create', 'Trilha');
  const partner = 'Trilha';
  await changed('key create', '--partner', partner, '--scopes', 'public');
  const made = (await service.db.row<{ id: string }>(
    sql`select id from api_keys order by created_at desc, id desc limit 1`,
  ))!;
  await changed('key rotate', made.id, '--yes');
  await changed('key revoke', made.id, '--yes');
  await changed('staff add', '--name', 'Rita', '--role', 'viewer');
  const rita = (await run('staff list', '--json'))
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ name }) => name === 'Rita');
  await changed('staff role', rita.id, 'content');
  await changed('staff remove', rita.id, '--yes');
  const person = ['--name', 'Téo', '--email', 'teo@example.com', '--cpf', '390.533.447-05'];
  const customer = await changed('customer create', ...person, '--phone', '+5511987651111');
  await changed('customer change', customer, '--credit-limit', '200');
  await changed('customer lock', customer);
  await changed('customer unlock', customer);
  await changed('customer export', customer);
  await changed('customer erase', customer, '--reason', 'Pedido', '--yes');
  await changed('customer reencrypt');
  await changed('token-key rotate');
  await changed('import categories', await file('c.jsonl', '{"slug":"trilha","name":"Trilha"}'));
  await changed(
    'import merchants',
    await file('m.jsonl', '{"slug":"trilha","name":"T","category":"trilha"}'),
  );
  await changed(
    'import faq',
    await file('f.jsonl', '{"id":"trilha","topic":"t","question":"?","answer":"!"}'),
  );
  await changed(
    'import posts',
    await file('p.jsonl', '{"slug":"trilha","title":"t","summary":"s","author":"a","body":"b"}'),
  );
  // A category goes after the merchants that belong to it.
  for (const kind of ['merchants', 'categories', 'faq', 'posts'])
    await changed(`remove ${kind}`, 'trilha', '--yes');
  const picture = await changed('media add', await file('a.svg', '<svg width="1" height="1"/>'));
  await changed('media remove', picture.split('/').at(-1)!, '--yes');
  const { body } = await service.post('/public/leads', { kind: 'x', name: 'Zoé', email: 'zoe@example.com' });
  await changed('lead change', body.id, '--status', 'handled');
  await changed('lead remove', body.id, '--yes');
  const wish = ['--partner', 'Demo partner', '--url', 'http://127.0.0.1:9/trail'];
  const [webhook] = (await changed('webhook create', ...wish)).split('\n');
  await changed('webhook rotate', webhook!, '--yes');
  await changed('webhook disable', webhook!);
  await changed('webhook enable', webhook!);
  await changed('webhook replay', webhook!, '--since', '2020-01-01T00:00:00Z');
  await rm(directory, { recursive: true });
  assert.ok(ran.size > 25);
});
