import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { day } from '#core/day.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { type DataKey, SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { type Answer, eventually, openService } from '../../test/harness.ts';
import { MERCHANT_KEY } from '../../test/stall.ts';
import {
  ANA,
  BRUNO,
  CARLA,
  logIn,
  logOut,
  me,
  newCode,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  refresh,
  vault,
} from '../../test/support/customers.ts';
import { personalDataIn } from '../modules.ts';
import { openIdentity } from './people.ts';
import { reencrypt } from './reencrypt.ts';
import { findCustomerId, lockPerson } from './store.ts';

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
  // A bug during a customer's request: the error is logged in full, without the customer.
  const carla = await findCustomerId(service.db, CARLA.phone);
  const { sealed } = (await service.db.row<{ sealed: Buffer }>(
    sql`select person_sealed as sealed from customers where id = ${carla}`,
  ))!;
  await service.db.run(sql`update customers set person_sealed = '\\x0000000100' where id = ${carla}`);
  assert.equal((await service.post('/wallet/auth/login', CARLA)).status, 500);
  await service.db.run(sql`update customers set person_sealed = ${sealed} where id = ${carla}`);

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

/** A customer with a unique name, known to every module. */
const person = {
  name: 'Xiomara Quaresma',
  phone: newPhone(),
  email: 'Xiomara.Quaresma@Example.com',
  cpf: newCpf(),
  referrer: '',
};

test('who somebody is is nowhere in the database but sealed, whatever they have done', async () => {
  const { name, phone, email, cpf } = person;
  let calls = 0;
  const keyed = () => ({ headers: { 'idempotency-key': `privacy ${calls++}` } });
  const staff = (method: string, path: string, body?: object) =>
    service.staff(method, path, { key: OPERATOR_KEY, ...keyed(), ...(body && { body }) });
  const ok = (answer: Answer) => {
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    return answer.body;
  };
  person.referrer = (await logIn(service, ANA)).token;
  const { code } = ok(await service.get('/wallet/referral', { token: person.referrer }));
  ok(await service.post('/public/leads', { kind: 'contact', name, email, phone, message: name }, keyed()));
  const offer = { phone, amount: 100, installments: 2 };
  const { id: offerId } = ok(
    await service.post('/merchant/offers', offer, { key: MERCHANT_KEY, ...keyed() }),
  );
  const form = { name, cpf, email, birth_date: '1990-05-31', terms: '2026-11', referral_code: code };
  const signUp = { ...(await newCode(service, phone)), ...form };
  const { token, customer } = ok(await service.post('/wallet/auth/signup', signUp, keyed()));
  const { hash } = ok(await service.post(`/wallet/offers/${offerId}/accept`, {}, { token, ...keyed() }));
  const checkout = ok(await service.get(`/wallet/checkouts/${hash}`, { token }));
  const pay = `/wallet/installments/${checkout.installments[0].id}/pix`;
  const { txid } = ok(await service.post(pay, { type: 'settle' }, { token, ...keyed() }));
  ok(await staff('POST', `/sandbox/pix/${txid}/pay`));
  await eventually('the reward is there', async () => {
    const { body } = await service.get('/wallet/referral', { token: person.referrer });
    return body.invitations[0].status === 'rewarded';
  });
  const path = `/admin/customers/${customer.id}`;
  ok(await staff('PATCH', path, { name: `${name} Filha`, email: `filha.${email}`, phone: newPhone() }));
  ok(await staff('PATCH', path, { name, email, phone }));
  ok(await staff('GET', `${path}/export`));
  const other = { name: `${name} Filha`, phone: newPhone(), email: `filha.${email}`, cpf: newCpf() };
  service.clock.advance(1_000); // lists are in the order of time
  ok(await staff('POST', '/admin/customers', other));

  // The sandbox's tables stand for what is not ours: the customers' phones, and a bank.
  const tables = await service.db.rows<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'
      and table_name !~ '^(sandbox_messages|psp_sim_.*)$'`);
  assert.ok(tables.length > 40, 'all of them');
  const texts = [
    'xiomara',
    'quaresma',
    phone.slice(3),
    other.phone.slice(3),
    cpf,
    '12345678909',
    '123.456.789',
  ];
  const asBytes = texts.map((text) => Buffer.from(text).toString('hex'));
  for (const { name: table } of tables) {
    const statement = { text: `select t::text as text from ${table} t`, values: [], name: `dump ${table}` };
    for (const { text } of await service.db.rows<{ text: string }>(statement)) {
      const found = [...texts, ...asBytes].filter((one) => text.toLowerCase().includes(one));
      assert.deepEqual(found, [], `${table}: ${text}`);
    }
  }
});

test('one CPF, one customer, though nobody can read it', async () => {
  const hashes = await service.db.rows<{ cpf_hash: Buffer }>(
    sql`select cpf_hash from customer_cpfs where customer_id = ${await findCustomerId(service.db, ANA.phone)}`,
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
  const order = { amount: 50, installments: 1 };
  const { body: open } = await service.post('/merchant/offers', order, { key: MERCHANT_KEY });
  const progress: number[] = [];
  const both = new Vault({ dataKeys: [newKey, oldKey!], lookupKey });
  const total = (await service.db.rows(sql`select id from customers`)).length;
  const personalData = personalDataIn('sandbox');
  const others = (await service.db.row<{ n: number }>(sql`
    select (select count(*) from leads) + (select count(*) from offers) + (select count(*) from invitations) +
      (select count(*) from phone_changes) + (select count(*) from members) +
      (select count(*) from messages where text is not null) + (select count(*) from contracts) as n`))!.n;
  assert.ok(others >= 3, 'of each at least one');
  const done = await reencrypt(service.db, both, {
    all: false,
    personalData,
    onProgress: (n) => progress.push(n),
  });
  assert.deepEqual(done, { customers: total, keys: 1, others });
  assert.equal(progress.at(-1), total);
  const again = await reencrypt(service.db, both, {
    all: false,
    personalData,
    onProgress: () => undefined,
  });
  assert.deepEqual(again, { customers: 0, keys: 0, others: 0 });
  await rotated.stop();

  const withoutOld = await service.join(undefined, env(newKey));
  const { token } = await logIn(withoutOld, customer);
  assert.match((await me(withoutOld, token)).body.cpf, /^\*\*\*\.\d{3}\.\d{3}-\*\*$/);
  const row = await customerTransaction(service.db, customer.id, (tx) => lockPerson(tx, customer.id));
  assert.equal(openIdentity(new Vault({ dataKeys: [newKey], lookupKey }), row!).birth_date, '1990-05-31');
  assert.equal(
    (await withoutOld.get('/wallet/referral', { token: person.referrer })).body.invitations[0].name,
    'Xiomara Q***',
  );
  const { body: offers } = await withoutOld.get('/merchant/offers?limit=100', { key: MERCHANT_KEY });
  assert.ok(offers.data.some(({ phone }: { phone: string }) => phone === person.phone));
  const reread = await withoutOld.get(`/merchant/offers/${open.id}`, { key: MERCHANT_KEY });
  assert.deepEqual([reread.body.code, reread.body.link], [open.code, open.link]);
  await withoutOld.stop();

  // Another LOOKUP_KEY: all keyed hashes are recomputed.
  const lookup = { dataKeys: [newKey], lookupKey: randomBytes(32) };
  await reencrypt(service.db, new Vault(lookup), { all: true, personalData, onProgress: () => undefined });
  const found = await service.join(undefined, {
    ...env(newKey),
    LOOKUP_KEY: lookup.lookupKey.toString('base64'),
  });
  const staff = { key: OPERATOR_KEY };
  const byName = await found.staff('GET', '/admin/customers?name=xiom+quar', staff);
  // And her daughter, registered at the same instant.
  assert.ok(byName.body.data.some(({ phone }: { phone: string }) => phone === person.phone));
  const byPhone = await found.staff(
    'GET',
    `/admin/customers?phone=${encodeURIComponent(person.phone)}`,
    staff,
  );
  assert.equal(byPhone.body.data[0].name, person.name);
  const entered = await found.post('/wallet/auth/login', {
    phone: customer.phone,
    password: customer.password,
  });
  assert.equal(entered.status, 200, entered.text);
  for (const key of [{ code: open.code }, { token: open.link.split('/').at(-1) }]) {
    const claimed = await found.post('/wallet/offers/claim', key, { token: entered.body.token });
    assert.equal(claimed.body.id, open.id, claimed.text);
  }
  await found.stop();
  await assert.rejects(service.join(undefined, env(oldKey!)), /DATA_KEYS lacks version 2/);
});
