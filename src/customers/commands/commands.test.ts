import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { commandLine, commandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  BRUNO,
  logIn,
  me,
  newCpf,
  newPhone,
} from '../../../test/support/customers.ts';

const service = await openService();

const run = commandRunner(service);

/** The whole command line, for what is read from standard input. */
const semana = (words: string[], input: string) =>
  commandLine(words, { DATABASE_URL: service.databaseUrl }, input);

const form = (phone: string, cpf: string = newCpf()) =>
  ['--name', 'Davi Melo', '--phone', phone, '--email', 'Davi@Example.com', '--cpf', cpf] as const;

test('customer create: the id on standard output, a password from standard input, and they can log in', async () => {
  const phone = newPhone();
  const words = ['customer', 'create', ...form(phone), '--credit-limit', 'R$ 1.234,50', '--password-stdin'];
  const { code, stdout, stderr } = await semana(words, 'uma senha qualquer\n');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^cus_[0-9a-z]{26}\n$/);
  const { token } = await logIn(service, { phone, password: 'uma senha qualquer' });
  const { body } = await me(service, token);
  assert.equal(body.id, stdout.trim());
  assert.equal(body.email, 'davi@example.com');
  assert.deepEqual(body.credit, { limit: 1234.5, used: 0, available: 1234.5 });
});

test('customer create: without a password, by code only; with a short or a common one, refused', async () => {
  const phone = newPhone();
  await run('customer create', ...form(phone));
  const check = await service.post('/wallet/auth/phone-check', { phone });
  assert.deepEqual(check.body.login_methods, ['otp']);
  const words = ['customer', 'create', ...form(newPhone()), '--password-stdin'];
  const { code, stderr } = await semana(words, 'seven77');
  assert.equal(code, 2);
  assert.match(stderr, /8 to 200 characters/);
  const common = await semana(words, 'senha123');
  assert.equal(common.code, 2);
  assert.match(common.stderr, /too easy to guess/);
});

test('customer create --reference: the same again registers nobody and prints the same id; another is refused', async () => {
  const words = [...form(newPhone()), '--reference', 'FICHA-7'];
  const id = await run('customer create', ...words);
  assert.equal(await run('customer create', ...words), id);
  await assert.rejects(
    run('customer create', ...form(newPhone()), '--reference', 'FICHA-7'),
    /--reference 'FICHA-7' was used for something else within 24 hours/,
  );
  const kept = await service.db.rows(sql`select * from idempotent_answers`);
  assert.ok(!JSON.stringify(kept).includes(words[words.indexOf('--cpf') + 1]!), 'nothing of it can be read');
});

test('customers are named by phones as people write them', async () => {
  const phone = newPhone();
  const [, area, first, last] = /^\+55(\d\d)(\d{5})(\d{4})$/.exec(phone)!;
  const id = await run('customer create', ...form(`(${area}) ${first}-${last}`));
  const listed = await run('customer list', '--json', '--limit', '1000');
  assert.ok(listed.includes(`"id":"${id}"`) && listed.includes(`"phone":"${phone}"`));
  assert.match(
    await run('customer lock', `${area} ${first}-${last}`),
    new RegExp(`Customer ${id} is locked`),
  );
  assert.match(await run('customer unlock', phone), new RegExp(id));
});

test('customer create: a phone or CPF that is taken is refused, in any notation', async () => {
  await assert.rejects(run('customer create', ...form(ANA.phone)), /with this phone already/);
  await assert.rejects(run('customer create', ...form(newPhone(), '12345678909')), /with this CPF already/);
  await assert.rejects(
    run('customer create', ...form(newPhone(), '123.456.789-09')),
    /with this CPF already/,
  );
});

test('customer create: every fault of the arguments at once, the CPF by its check digits', async () => {
  const wrong = ['--phone', '11987', '--email', 'x', '--cpf', '123.456.789-00', '--credit-limit', '1.234'];
  await assert.rejects(run('customer create', ...wrong), /^Error: --name is missing\.$/);
  await assert.rejects(run('customer create', '--name', ' ', ...wrong), (error: Error) => {
    for (const name of ['--name', '--phone', '--email', '--cpf', '--credit-limit'])
      assert.ok(error.message.includes(name), `${name}: ${error.message}`);
    return true;
  });
});

test('customer list: in pages, oldest first, the CPF masked', async () => {
  const page = async (number: number) => {
    const text = await run('customer list', '--json', '--limit', '2', '--page', String(number));
    return text.split('\n').map((line) => JSON.parse(line));
  };
  const listed = [...(await page(1)), ...(await page(2))];
  assert.deepEqual(
    listed
      .slice(0, 3)
      .map(({ name, cpf, login }) => [name, cpf, login])
      .sort(),
    [
      ['Ana Souza', '***.456.789-**', 'password'],
      ['Bruno Lima', '***.982.247-**', 'code'],
      ['Carla Nunes', '***.444.777-**', 'password'],
    ],
  );
  assert.equal(listed[3].name, 'Davi Melo');
  assert.match(listed[0].referral_code, /^[2345789AFHJKMPRUWXY]{8}$/);
  const shown = await run('customer list');
  assert.match(shown, /Ana Souza .*\*\*\*\.456\.789-\*\*/);
  assert.doesNotMatch(shown, /123\.456|12345678909/);
  await assert.rejects(run('customer list', '--page', '0'), /whole number from 1/);
});

test('customer lock ends every session at once and lets none begin; unlock lets them log in again', async () => {
  const { token } = await logIn(service, ANA);
  assert.equal((await me(service, token)).status, 200);
  assert.match(await run('customer lock', ANA.phone), /is locked; 1 sessions were ended/);
  await assertSoonRefused(() => me(service, token), 401, 'token_invalid');
  assertRefused(await service.post('/wallet/auth/login', ANA), 401, 'invalid_credentials');
  const id = /cus_\w+/.exec(await run('customer unlock', ANA.phone))![0];
  await logIn(service, ANA);
  assert.match(await run('customer lock', id), /1 sessions/);
  await run('customer unlock', id);
  await assert.rejects(run('customer lock', newPhone()), /no such customer/);
  await assert.rejects(run('customer unlock', 'cus_x'), /no such customer/);
});

test('token-key rotate: the new key signs a minute later, --now retires the old ones, list shows no private key', async () => {
  const before = await run('token-key list');
  assert.match(before, /signs$/m);
  await run('token-key rotate');
  assert.match(await run('token-key list'), /to come$/m);
  service.clock.advance(60_000);
  assert.match(await run('token-key list'), /accepted$[\s\S]*signs$/m);
  await assert.rejects(run('token-key rotate', '--now'), /Every token in use stops working, now\. Say --yes/);
  await run('token-key rotate', '--now', '--yes');
  const after = await run('token-key list');
  assert.equal(after.match(/retired$/gm)?.length, 2);
  const json = (await run('token-key list', '--json')).split('\n').map((line) => JSON.parse(line));
  assert.equal(json.length, 3);
  assert.ok(json.every((key) => key.private_sealed === undefined && key.public_jwk.d === undefined));
});

test('message failures: none, or what could not be sent', async () => {
  assert.match(await run('message failures'), /^None/);
  const customer = JSON.parse(await run('customer list', '--json', '--limit', '1'));
  const at = service.clock.now();
  await service.db.run(sql`
    insert into messages (customer_id, id, template, status, attempts, channel, reason, created_at, updated_at)
    values (${customer.id}, 'msg_1', 'login_code', 'failed', 6, 'sms', 'timeout', ${at}, ${at})`);
  assert.match(await run('message failures'), /msg_1 .*login_code .*sms .*timeout .*6/);
  const [line] = (await run('message failures', '--json')).split('\n');
  assert.equal(JSON.parse(line!).reason, 'timeout');
});

test('customer reencrypt says what it did', async () => {
  assert.equal(
    await run('customer reencrypt'),
    'Encrypted anew: 0 customers, 0 signing keys, 0 leads, offers and invitations.',
  );
  assert.match(
    await run('customer reencrypt', '--all'),
    /^Encrypted anew: [1-9]\d* customers, 0 signing keys/,
  );
  const { body } = await service.post('/wallet/auth/phone-check', { phone: BRUNO.phone });
  assert.equal(body.registered, true);
});
