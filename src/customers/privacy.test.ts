import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { day } from '#core/day.ts';
import { sql } from '#platform/db.ts';
import { type DataKey, SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { openService } from '../../test/harness.ts';
import { openBirthDate } from './create-customer.ts';
import { reencrypt } from './reencrypt.ts';
import { lockSealed } from './store.ts';
import {
  ANA,
  BRUNO,
  CARLA,
  logIn,
  logOut,
  me,
  newCode,
  newCustomer,
  newPhone,
  refresh,
  vault,
} from './testing.ts';

const service = await openService();

test('personal data and secrets never reach a log line, whatever happens', async () => {
  const strangers = newPhone();
  const { token, refresh_token } = await logIn(service, ANA);
  await me(service, token);
  const refreshed = (await refresh(service, refresh_token)).body;
  await refresh(service, refresh_token);
  await logOut(service, refreshed.refresh_token);
  await me(service, `${token}x`);
  for (const phone of [BRUNO.phone, strangers]) {
    await service.post('/wallet/auth/phone-check', { phone });
    for (let i = 0; i < 6; i++)
      await service.post('/wallet/auth/login', { phone, password: 'senha errada 42' });
  }
  const sent = await newCode(service, BRUNO.phone);
  await service.post('/wallet/auth/otp', { phone: BRUNO.phone });
  await service.post('/wallet/auth/otp/login', { ...sent, phone: strangers });
  await service.post('/wallet/auth/otp/login', await newCode(service, strangers));
  await service.post('/wallet/auth/password', { ...sent, password: 'Bruno-Lima42' });
  await service.post('/wallet/auth/password', { ...sent, password: 'nova senha 42' });
  await service.call('POST', '/wallet/auth/login', { raw: `{"phone":"${ANA.phone}","password":"senha` });
  await service.post('/wallet/auth/login', { phone: 'não é telefone', password: 'senha errada 42' });
  // A defect while a customer is being served: the error is logged whole, the customer is not in it.
  const carla = await service.db.row<{ id: string }>(
    sql`select id from customers where phone = ${CARLA.phone}`,
  );
  await service.db.run(sql`update customers set cpf_sealed = '\\x00' where phone = ${CARLA.phone}`);
  assert.equal((await service.post('/wallet/auth/login', CARLA)).status, 500);
  const { bytes } = vault.seal('11144477735', `cpf of ${carla!.id}`);
  await service.db.run(sql`update customers set cpf_sealed = ${bytes} where id = ${carla!.id}`);

  const logged = service.logged();
  assert.ok(logged.includes('/wallet/auth/login'), 'requests are logged');
  assert.ok(logged.includes('request failed'), 'the defect too');
  const secrets = {
    phone: [ANA, BRUNO, CARLA].map(({ phone }) => phone.slice(3)),
    stranger: [strangers.slice(3)],
    name: ['Ana Souza', 'Bruno Lima', 'Carla'],
    email: ['ana@', 'bruno@', 'carla@'],
    cpf: ['12345678909', '456.789', '52998224725', '11144477735'],
    password: [ANA.password, CARLA.password, 'senha errada', 'nova senha', 'Bruno-Lima42'],
    code: [sent.code],
    token: [token, refreshed.token, refresh_token, token.split('.')[2]!, refresh_token.split('.')[2]!],
  };
  for (const [what, texts] of Object.entries(secrets)) {
    for (const text of texts) assert.ok(!logged.includes(text), `a ${what} was logged: ${text}`);
  }
});

test('a CPF is nowhere in the database but sealed', async () => {
  const tables = await service.db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const statement = { text: `select t::text as text from ${name} t`, values: [], name: `dump ${name}` };
    for (const { text } of await service.db.rows<{ text: string }>(statement)) {
      assert.ok(!text.includes('12345678909') && !text.includes('123.456.789'), name);
    }
  }
});

test('one CPF, one customer, though nobody can read it', async () => {
  const hashes = await service.db.rows<{ cpf_hash: Buffer }>(
    sql`select cpf_hash from customer_cpfs natural join customer_phones where phone = ${ANA.phone}`,
  );
  assert.deepEqual(hashes[0]?.cpf_hash, vault.hash('cpf', '12345678909'));
});

test('re-encryption: beside the service, with the old key gone afterwards everything opens', async () => {
  const customer = await newCustomer(service, { birthDate: day('1990-05-31') });
  const {
    dataKeys: [oldKey],
    lookupKey,
  } = SANDBOX_SECRETS;
  const newKey = { version: 2, key: randomBytes(32) };
  const env = (...keys: DataKey[]) => ({
    DATA_KEYS: keys.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(','),
  });
  const rotated = await service.join(undefined, env(newKey, oldKey!));
  const progress: number[] = [];
  const both = new Vault({ dataKeys: [newKey, oldKey!], lookupKey });
  const total = (await service.db.rows(sql`select id from customers`)).length;
  const done = await reencrypt(service.db, both, { all: false, onProgress: (n) => progress.push(n) });
  assert.deepEqual(done, { customers: total, keys: 1 });
  assert.equal(progress.at(-1), total);
  assert.deepEqual(await reencrypt(service.db, both, { all: false, onProgress: () => undefined }), {
    customers: 0,
    keys: 0,
  });
  await rotated.stop();

  const withoutOld = await service.join(undefined, env(newKey));
  const { token } = await logIn(withoutOld, customer);
  assert.match((await me(withoutOld, token)).body.cpf, /^\*\*\*\.\d{3}\.\d{3}-\*\*$/);
  const row = await service.db.transaction((tx) => lockSealed(tx, customer.id));
  assert.equal(openBirthDate(new Vault({ dataKeys: [newKey], lookupKey }), row), '1990-05-31');
  await withoutOld.stop();
  await assert.rejects(service.join(undefined, env(oldKey!)), /version 2, which DATA_KEYS does not hold/);
});
