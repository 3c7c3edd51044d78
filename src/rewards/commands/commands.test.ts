import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageFault } from '#platform/command-line/command.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { commandLine, commandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { newCpf, newPhone, OPERATOR_KEY } from '../../../test/shop.ts';
import { linesOf, openPurse } from '../../../test/support/rewards.ts';
import { eventsOf, readConfiguration } from '../../modules.ts';
import { adjustCashback } from '../adjust-cashback.ts';

const service = await openService();
const purse = openPurse(service);

/** As an operator would, on this database. */
async function semana(...words: string[]) {
  const { code, stdout, stderr } = await commandLine(words, { DATABASE_URL: service.databaseUrl });
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

const run = commandRunner(service);

test('cashback adjust: given and taken with a reason that the customer reads; the balance on standard output', async () => {
  const by = await purse.newShopper();
  const given = await semana(
    'cashback',
    'adjust',
    '--customer',
    by.phone,
    '--amount',
    'R$ 5,50',
    '--reason',
    'Desculpe',
  );
  assert.deepEqual([given.code, given.stdout], [0, '5.50'], given.stderr);
  const taken = await semana(
    'cashback',
    'adjust',
    '--customer',
    by.id,
    '--amount',
    '-2,25',
    '--reason',
    'Engano',
  );
  assert.deepEqual([taken.code, taken.stdout], [0, '3.25'], taken.stderr);
  const statement = await purse.statement(by);
  assert.deepEqual(linesOf(statement), [
    ['adjusted', -2.25, 3.25],
    ['adjusted', 5.5, 5.5],
  ]);
  assert.deepEqual(
    statement.data.map(({ description }: { description: string }) => description),
    ['Ajuste: Engano', 'Ajuste: Desculpe'],
  );
  assert.equal((await purse.balance(by)).lifetime_earned, 0, 'nothing of it was earned');
  assert.deepEqual(await purse.balances(by.id), { cashback_expense: 325, cashback_owed: -325 });
});

test('cashback adjust: no more is taken than there is, not even by two at once', async () => {
  const by = await purse.newShopper();
  await run('cashback adjust', '--customer', by.id, '--amount', '5', '--reason', 'x');
  const tooMuch = await semana('cashback', 'adjust', '--customer', by.id, '--amount=-5.01', '--reason', 'x');
  assert.deepEqual([tooMuch.code, tooMuch.stdout], [1, '']);
  assert.equal(tooMuch.stderr, 'The customer has 5.00, and no more can be taken.');
  assert.equal((await purse.balance(by)).available, 5);
  const given = { events: eventsOf(readConfiguration({})), now: service.clock.now() };
  const take = () =>
    customerTransaction(service.db, by.id, (tx) =>
      adjustCashback(tx, { customer: by.id, amountCents: -3_00, reason: 'x', reference: null }, given),
    );
  const tries = await Promise.allSettled([take(), take()]);
  assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await purse.balance(by)).available, 2);
});

test('cashback adjust: the same reference counts once for a customer', async () => {
  const by = await purse.newShopper();
  const words = ['--customer', by.id, '--amount', '5', '--reason', 'x', '--reference', 'T-1'];
  assert.equal(await run('cashback adjust', ...words), '5.00');
  assert.equal(await run('cashback adjust', ...words), '5.00', 'the same again prints the same');
  const other = words.map((word) => (word === '5' ? '6' : word));
  await assert.rejects(run('cashback adjust', ...other), /--reference 'T-1' was used for something else/);
  const byPhone = words.map((word) => (word === by.id ? by.phone : word));
  await assert.rejects(run('cashback adjust', ...byPhone), /'T-1' was adjusted for this customer already/);
  service.clock.advance(25 * 3_600_000);
  await assert.rejects(run('cashback adjust', ...words), /'T-1' was adjusted for this customer already/);
  assert.equal((await purse.balance(by)).available, 5);
});

test('cashback adjust: every fault at once, and nobody who does not exist', async () => {
  await assert.rejects(
    run('cashback adjust', '--amount', '5'),
    new UsageFault('--customer is missing; --reason is missing.'),
  );
  const wrong = ['--customer', 'x', '--amount', '5.001', '--reason', '  '];
  await assert.rejects(run('cashback adjust', ...wrong), (error: Error) => {
    assert.ok(error instanceof UsageFault);
    for (const fault of [/--amount is an amount in reais/, /--reason has 1 to 200/])
      assert.match(error.message, fault);
    return true;
  });
  const adjust = (customer: string, amount: string) =>
    run('cashback adjust', '--customer', customer, '--amount', amount, '--reason', 'x');
  for (const amount of ['0', '0.00', '-0', '1e3', '100000.01', 'NaN', '-'])
    await assert.rejects(adjust('x', amount), UsageFault, amount);
  await assert.rejects(adjust('+5511900000000', '5'), /There is no customer '\+5511900000000'/);
});

test('customer create --referral-code: invited by its owner; a code nobody has leaves no customer behind', async () => {
  const referrer = await purse.newShopper();
  const code = await purse.code(referrer);
  const create = (more: string[]) =>
    semana(
      ...[
        'customer',
        'create',
        '--name',
        'Fábio Rocha',
        '--phone',
        newPhone(),
        '--email',
        'fabio@example.com',
      ],
      ...['--cpf', newCpf(), ...more],
    );
  const created = await create(['--referral-code', code.toLowerCase()]);
  assert.equal(created.code, 0, created.stderr);
  const { invitations } = await purse.referral(referrer);
  assert.deepEqual([invitations[0].name, invitations[0].status], ['Fábio R***', 'registered']);
  const count = () => service.db.row(sql`select count(*) from customers`);
  const before = await count();
  const unknown = await create(['--referral-code', 'AAAAAAAA']);
  assert.deepEqual([unknown.code, unknown.stderr], [1, "Nobody has the referral code 'AAAAAAAA'."]);
  assert.deepEqual(await count(), before);
});

test('referral add: for those who forgot the code; refused with the reason when it cannot count', async () => {
  const referrer = await purse.newShopper();
  const customer = await purse.newShopper();
  const code = await purse.code(referrer);
  const add = (who: string, ...more: string[]) => run('referral add', '--customer', who, ...more);
  assert.equal(await add(customer.phone, '--code', code), 'The invitation is written down.');
  assert.equal((await purse.referral(referrer)).summary.invited, 1);
  await assert.rejects(add(customer.id, '--code', code), /Somebody has invited this customer already/);
  await assert.rejects(add('nobody', '--code', code), /There is no customer 'nobody'/);
  await assert.rejects(add(customer.phone), /--code is missing/);
  await assert.rejects(run('referral add'), /--customer is missing; --code is missing/);
});

test('cashback show: the balance and the newest lines, as the customer sees them', async () => {
  const by = await purse.newShopper();
  await purse.earn(by);
  const shown = await run('cashback show', by.phone);
  assert.match(shown, /Available 5\.00, pending 0\.00\./);
  assert.match(
    shown,
    /earned +5\.00 +5\.00 +\d{4}-\d\d-\d\d +Parcela 1 de 1 paga em dia: Padaria Flor do Trigo/,
  );
  await assert.rejects(run('cashback show', 'nobody'), /There is no customer 'nobody'/);
});

test('semana audit covers all of it', async () => {
  const { code, stdout, stderr } = await semana('audit');
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /cashback_owed/);
  assert.match(stdout, /everything agrees/);
});

test('at the staff door: what everybody has, adjusted once with a reason, and who invited whom', async () => {
  const staff = (method: string, path: string, body?: unknown, headers = {}) =>
    service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
  const by = await purse.newShopper();
  const adjust = (body: object, headers = {}) =>
    staff('POST', `/admin/cashback/${by.id}/adjust`, body, headers);
  const order = { amount: 7.5, reason: 'Desculpe' };
  const given = await adjust(order, { 'idempotency-key': 'adjust-1' });
  assert.deepEqual([given.status, given.body.available], [201, 7.5], given.text);
  assert.deepEqual((await adjust(order, { 'idempotency-key': 'adjust-1' })).body, given.body);
  const tooMuch = await adjust({ amount: -8, reason: 'x' });
  assert.deepEqual([tooMuch.status, tooMuch.body.code], [422, 'cashback_too_little']);
  assert.equal((await adjust({ amount: 0, reason: 'x' })).status, 400);
  service.clock.advance(1_000);
  assert.equal((await adjust({ amount: -2.5, reason: 'Engano' })).body.available, 5);
  const shown = await staff('GET', `/admin/cashback/${encodeURIComponent(by.phone)}`);
  assert.deepEqual([shown.body.customer_id, shown.body.available], [by.id, 5]);
  const { body: lines } = await staff('GET', `/admin/cashback?customer=${by.id}&kind=adjusted`);
  assert.deepEqual(
    lines.data.map(({ amount }: { amount: number }) => amount),
    [-2.5, 7.5],
  );
  assert.match(await run('cashback list', '--customer', by.phone), /Ajuste: Engano/);
  await run('cashback adjust', '--customer', by.id, '--amount', '1', '--reason', 'Por comando');
  const { body: trail } = await staff('GET', `/admin/audit-trail?subject=cashback:${by.id}`);
  assert.deepEqual(
    trail.data.map((entry: { action: string; reason: string; after: { available: number } }) => [
      ...[entry.action, entry.reason, entry.after.available],
    ]),
    [
      ['cashback adjust', 'Por comando', 6],
      ['adjustCashback', 'Engano', 5],
      ['adjustCashback', 'Desculpe', 7.5],
    ],
  );

  const invited = await purse.newShopper();
  const referral = { customer: invited.phone, code: await purse.code(by) };
  const added = await staff('POST', '/admin/referrals', referral);
  assert.deepEqual([added.status, added.body.referrer_id, added.body.status], [201, by.id, 'registered']);
  assert.equal((await staff('POST', '/admin/referrals', referral)).body.code, 'already_invited');
  assert.deepEqual((await staff('GET', `/admin/referrals/${invited.id}`)).body, added.body);
  await purse.earn(invited);
  const { body: rewarded } = await staff('GET', `/admin/referrals?referrer=${by.id}&status=rewarded`);
  assert.deepEqual([rewarded.data[0].invited_id, rewarded.data[0].reward], [invited.id, 20]);
  const third = await purse.newShopper();
  await run('referral add', '--customer', third.id, '--code', referral.code);
  assert.match(
    await run('referral list', '--customer', by.id, '--status', 'registered'),
    new RegExp(third.id),
  );
  const { body: told } = await staff('GET', `/admin/audit-trail?subject=referral:${third.id}`);
  assert.equal(told.data[0].action, 'referral add');

  const { body: events } = await staff('GET', `/admin/events?customer=${by.id}&type=referral.rewarded`);
  assert.deepEqual([events.pagination.total, events.data[0].customer_id], [1, by.id]);
  const { hash } = await purse.earn(by);
  const { body: ofPurchase } = await staff('GET', `/admin/events?checkout=${hash}&sort=oldest`);
  assert.equal(ofPurchase.data[0].type, 'checkout.created');
  const csv = await staff('GET', `/admin/events?checkout=${hash}`, undefined, { accept: 'text/csv' });
  assert.equal(csv.text.trimEnd().split('\r\n').length, ofPurchase.pagination.total + 1);
  assert.match(await run('event list', '--checkout', hash), /checkout\.created/);
});
