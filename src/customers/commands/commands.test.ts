import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner, runCli } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  BRUNO,
  getMe,
  logIn,
  newCpf,
  newPhone,
} from '../../../test/support/customers.ts';

const service = await openService();

const run = createCommandRunner(service);

const buildOptions = (phone: string, cpf: string = newCpf()) =>
  ['--name', 'Davi Melo', '--phone', phone, '--email', 'Davi@Example.com', '--cpf', cpf] as const;

const runCreate = (args: readonly string[], input: string) =>
  runCli(['customers', 'create', ...args], { SEMANA_URL: service.staffUrl }, { input });

test('customers create prints the id, and the customer can log in with the password read from standard input', async () => {
  const phone = newPhone();
  const args = [...buildOptions(phone), '--credit-limit', 'R$ 1.234,50', '--password', '@-'];
  const { code, stdout, stderr } = await runCreate(args, 'uma senha qualquer\n');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^cus_[0-9a-z]{26}\n$/);
  const { token } = await logIn(service, { phone, password: 'uma senha qualquer' });
  const { body } = await getMe(service, token);
  assert.equal(body.id, stdout.trim());
  assert.equal(body.email, 'davi@example.com');
  assert.deepEqual(body.credit, { limit: 1234.5, used: 0, available: 1234.5, blocked_by: null });
});

test('customers create without a password allows login by code only, and refuses a short or common password', async () => {
  const phone = newPhone();
  await run('customers create', ...buildOptions(phone));
  const phoneCheck = await service.post('/wallet/auth/phone-check', { phone });
  assert.deepEqual(phoneCheck.body.login_methods, ['otp']);
  const args = [...buildOptions(newPhone()), '--password', '@-'];
  const shortOutcome = await runCreate(args, 'seven77');
  assert.equal(shortOutcome.code, 2);
  assert.match(shortOutcome.stderr, /--password/);
  const commonOutcome = await runCreate(args, 'senha123');
  assert.deepEqual([commonOutcome.code, commonOutcome.stdout], [1, '']);
  assert.match(commonOutcome.stderr, /one of the most common passwords/);
});

test('customers create repeated with the same --idempotency-key prints the same id; other data with this key is refused', async () => {
  const args = [...buildOptions(newPhone()), '--idempotency-key', 'ficha-7'];
  const id = await run('customers create', ...args);
  assert.equal(await run('customers create', ...args), id);
  const conflictingRun = run('customers create', ...buildOptions(newPhone()), '--idempotency-key', 'ficha-7');
  await assert.rejects(conflictingRun, /idempotency/i);
});

test('commands accept phones in any common format', async () => {
  const phone = newPhone();
  const [, areaCode, prefix, suffix] = /^\+55(\d\d)(\d{5})(\d{4})$/.exec(phone)!;
  const id = await run('customers create', ...buildOptions(`(${areaCode}) ${prefix}-${suffix}`));
  const listOutput = await run('customers list', '--json', '--limit', '1000');
  assert.ok(listOutput.includes(`"id":"${id}"`) && listOutput.includes(`"phone":"${phone}"`));
  assert.match(await run('customers lock', `${areaCode} ${prefix}-${suffix}`), /Davi Melo is locked/);
  assert.match(await run('customers unlock', phone), /Davi Melo is unlocked/);
});

test('all invalid options are reported together, including a CPF with wrong check digits', async () => {
  const invalidOptions = [
    '--phone',
    '11987',
    '--email',
    'x',
    '--cpf',
    '123.456.789-00',
    '--credit-limit',
    '1,5',
  ];
  await assert.rejects(run('customers create', ...invalidOptions), /^Error: --name is missing\./);
  await assert.rejects(run('customers create', '--name', ' ', ...invalidOptions), (error: Error) => {
    for (const name of ['--name', '--phone', '--email', '--cpf'])
      assert.ok(error.message.includes(name), `${name}: ${error.message}`);
    return true;
  });
});

test('customers lock ends all sessions immediately and refuses logins; customers unlock allows them again', async () => {
  const { token } = await logIn(service, ANA);
  assert.equal((await getMe(service, token)).status, 200);
  assert.match(await run('customers lock', ANA.phone), /is locked, and all sessions have ended/);
  await assertSoonRefused(() => getMe(service, token), 401, 'token_invalid');
  assertRefused(await service.post('/wallet/auth/login', ANA), 401, 'invalid_credentials');
  await run('customers unlock', ANA.phone);
  await logIn(service, ANA);
  await assert.rejects(run('customers lock', newPhone()), /No customer has this id or phone/);
  await assert.rejects(run('customers unlock', 'cus_x'), /No customer has this id or phone/);
});

test('token-key rotate: the new key signs a minute later, --now retires the old keys, and list shows no private key', async () => {
  const listBefore = await run('token-key list');
  assert.match(listBefore, /signs$/m);
  await run('token-key rotate');
  assert.match(await run('token-key list'), /pending$/m);
  service.clock.advance(MINUTE_MS);
  assert.match(await run('token-key list'), /accepted$[\s\S]*signs$/m);
  await assert.rejects(
    run('token-key rotate', '--now'),
    /Every token in use stops working immediately\. Use --yes/,
  );
  await run('token-key rotate', '--now', '--yes');
  const listAfter = await run('token-key list');
  assert.equal(listAfter.match(/retired$/gm)?.length, 2);
  const keys = (await run('token-key list', '--json')).split('\n').map((line) => JSON.parse(line));
  assert.equal(keys.length, 3);
  assert.ok(keys.every((key) => key.private_sealed === undefined && key.public_jwk.d === undefined));
});

test('messages that could not be sent are listed with the reason', async () => {
  const listFailures = () => run('messages list', '--status', 'failed');
  assert.match(await listFailures(), /^No messages|^There are none/);
  const customer = JSON.parse(await run('customers list', '--json', '--limit', '1'));
  const failedAt = service.clock.now();
  await service.db.run(sql`
    insert into messages (customer_id, id, template, status, attempts, channel, reason, created_at, updated_at)
    values (${customer.id}, 'msg_00000000000000000000000001', 'login_code', 'failed', 6, 'sms', 'timeout', ${failedAt}, ${failedAt})`);
  assert.match(await listFailures(), /msg_0+1 .*login_code .*sms .*timeout/);
});

test('reencrypt prints the number of reencrypted rows', async () => {
  assert.equal(await run('reencrypt'), 'Reencrypted nothing: everything uses this key.');
  assert.match(await run('reencrypt', '--all'), /^Reencrypted .*\b[1-9]\d* customers\b/);
  const { body } = await service.post('/wallet/auth/phone-check', { phone: BRUNO.phone });
  assert.equal(body.registered, true, 'customers are still found by phone');
});
