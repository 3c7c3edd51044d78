import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { day } from '#core/values/day.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { type DataKey, SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { type ApiResponse, eventually, openService } from '../../test/harness.ts';
import { MERCHANT_KEY } from '../../test/offer-driver.ts';
import {
  ANA,
  BRUNO,
  CARLA,
  getMe,
  logIn,
  logOut,
  newCode,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  refresh,
  vault,
} from '../../test/support/customers.ts';
import { listPersonalData } from '../modules.ts';
import { reencrypt } from './commands/reencrypt.ts';
import { decryptIdentity } from './identity.ts';
import { findCustomerId, lockIdentity } from './store.ts';

const service = await openService();

test('personal data and secrets are never logged', async () => {
  const unregisteredPhone = newPhone();
  const { token, refresh_token } = await logIn(service, ANA);
  await getMe(service, token);
  const refreshedSession = (await refresh(service, refresh_token)).body;
  await refresh(service, refresh_token);
  await logOut(service, refreshedSession.refresh_token);
  await getMe(service, `${token}x`);
  for (const phone of [BRUNO.phone, unregisteredPhone]) {
    await service.post('/wallet/auth/phone-check', { phone });
    for (let i = 0; i < 6; i++)
      await service.post('/wallet/auth/login', { phone, password: 'senha errada 42' });
  }
  const sentCode = await newCode(service, BRUNO.phone);
  await service.post('/wallet/auth/otp', { phone: BRUNO.phone });
  await service.post('/wallet/auth/otp/login', { ...sentCode, phone: unregisteredPhone });
  await service.post('/wallet/auth/otp/login', await newCode(service, unregisteredPhone));
  await service.post('/wallet/auth/password', { ...sentCode, password: 'Bruno-Lima42' });
  await service.post('/wallet/auth/password', { ...sentCode, password: 'nova senha 42' });
  await service.call('POST', '/wallet/auth/login', { raw: `{"phone":"${ANA.phone}","password":"senha` });
  await service.post('/wallet/auth/login', { phone: 'não é telefone', password: 'senha errada 42' });
  // A corrupt row makes the request fail: the error is logged in full, but without data of the customer.
  const carlaId = await findCustomerId(service.db, CARLA.phone);
  const { sealed } = (await service.db.row<{ sealed: Buffer }>(
    sql`select person_sealed as sealed from customers where id = ${carlaId}`,
  ))!;
  await service.db.run(sql`update customers set person_sealed = '\\x0000000100' where id = ${carlaId}`);
  assert.equal((await service.post('/wallet/auth/login', CARLA)).status, 500);
  await service.db.run(sql`update customers set person_sealed = ${sealed} where id = ${carlaId}`);

  const logText = service.readLog();
  assert.ok(logText.includes('/wallet/auth/login'), 'requests are logged');
  assert.ok(logText.includes('request failed'), 'the failure is logged too');
  const secrets = {
    phone: [ANA, BRUNO, CARLA].map(({ phone }) => phone.slice(3)),
    stranger: [unregisteredPhone.slice(3)],
    name: ['Ana Souza', 'Bruno Lima', 'Carla'],
    email: ['ana@', 'bruno@', 'carla@'],
    cpf: ['12345678909', '456.789', '52998224725', '11144477735'],
    password: [ANA.password, CARLA.password, 'senha errada', 'nova senha', 'Bruno-Lima42'],
    code: [sentCode.code],
    token: [token, refreshedSession.token, refresh_token, token.split('.')[2]!, refresh_token.split('.')[2]!],
  };
  for (const [kind, texts] of Object.entries(secrets)) {
    for (const text of texts) assert.ok(!logText.includes(text), `a ${kind} was logged: ${text}`);
  }
});

/** A customer with a unique name and data in every module. The next test signs up and sets `referrerToken`, the token of Ana. */
const person = {
  name: 'Xiomara Quaresma',
  phone: newPhone(),
  email: 'Xiomara.Quaresma@Example.com',
  cpf: newCpf(),
  referrerToken: '',
};

test('the database contains identities only in encrypted form', async () => {
  const { name, phone, email, cpf } = person;
  let requestCount = 0;
  const withNewIdempotencyKey = () => ({ headers: { 'idempotency-key': `privacy ${requestCount++}` } });
  const callStaffApi = (method: string, path: string, body?: object) =>
    service.staff(method, path, { key: OPERATOR_KEY, ...withNewIdempotencyKey(), ...(body && { body }) });
  const requireSuccess = (response: ApiResponse) => {
    assert.ok(response.status >= 200 && response.status < 300, response.text);
    return response.body;
  };
  person.referrerToken = (await logIn(service, ANA)).token;
  const { code } = requireSuccess(await service.get('/wallet/referral', { token: person.referrerToken }));
  requireSuccess(
    await service.post(
      '/public/leads',
      { kind: 'contact', name, email, phone, message: name },
      withNewIdempotencyKey(),
    ),
  );
  const offerInput = { phone, amount: 100, installments: 2 };
  const { id: offerId } = requireSuccess(
    await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY, ...withNewIdempotencyKey() }),
  );
  const formFields = { name, cpf, email, birth_date: '1990-05-31', terms: '2026-11', referral_code: code };
  const signUpForm = { ...(await newCode(service, phone)), ...formFields };
  const { token, customer } = requireSuccess(
    await service.post('/wallet/auth/signup', signUpForm, withNewIdempotencyKey()),
  );
  const { hash } = requireSuccess(
    await service.post(`/wallet/offers/${offerId}/accept`, {}, { token, ...withNewIdempotencyKey() }),
  );
  const checkout = requireSuccess(await service.get(`/wallet/checkouts/${hash}`, { token }));
  const pixPath = `/wallet/installments/${checkout.installments[0].id}/pix`;
  const { txid } = requireSuccess(
    await service.post(pixPath, { type: 'settle' }, { token, ...withNewIdempotencyKey() }),
  );
  requireSuccess(await callStaffApi('POST', `/sandbox/pix/${txid}/pay`));
  await eventually('the invitation is rewarded', async () => {
    const { body } = await service.get('/wallet/referral', { token: person.referrerToken });
    return body.invitations[0].status === 'rewarded';
  });
  const customerPath = `/admin/customers/${customer.id}`;
  requireSuccess(
    await callStaffApi('PATCH', customerPath, {
      name: `${name} Filha`,
      email: `filha.${email}`,
      phone: newPhone(),
    }),
  );
  requireSuccess(await callStaffApi('PATCH', customerPath, { name, email, phone }));
  requireSuccess(await callStaffApi('GET', `${customerPath}/export`));
  const daughter = { name: `${name} Filha`, phone: newPhone(), email: `filha.${email}`, cpf: newCpf() };
  service.clock.advance(1_000); // lists are sorted by time
  requireSuccess(await callStaffApi('POST', '/admin/customers', daughter));

  // The tables of the sandbox are left out: they simulate external systems (phones and a bank).
  const tables = await service.db.rows<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'
      and table_name !~ '^(sandbox_messages|psp_sim_.*)$'`);
  assert.ok(tables.length > 40, 'all tables are searched');
  const personalTexts = [
    'xiomara',
    'quaresma',
    phone.slice(3),
    daughter.phone.slice(3),
    cpf,
    '12345678909',
    '123.456.789',
  ];
  const hexTexts = personalTexts.map((text) => Buffer.from(text).toString('hex'));
  for (const { name: table } of tables) {
    const statement = { text: `select t::text as text from ${table} t`, values: [], name: `dump ${table}` };
    for (const { text } of await service.db.rows<{ text: string }>(statement)) {
      const matches = [...personalTexts, ...hexTexts].filter((personalText) =>
        text.toLowerCase().includes(personalText),
      );
      assert.deepEqual(matches, [], `${table}: ${text}`);
    }
  }
});

test('the CPF is stored as a keyed hash, which makes it unique', async () => {
  const hashes = await service.db.rows<{ cpf_hash: Buffer }>(
    sql`select cpf_hash from customer_cpfs where customer_id = ${await findCustomerId(service.db, ANA.phone)}`,
  );
  assert.deepEqual(hashes[0]?.cpf_hash, vault.hash('cpf', '12345678909'));
});

test('reencryption works while the service runs, and afterwards everything decrypts without the old key', async () => {
  const customer = await newCustomer(service, { birthDate: day('1990-05-31') });
  const {
    dataKeys: [oldKey],
    lookupKey,
  } = SANDBOX_SECRETS;
  const newKey = { version: 2, key: randomBytes(32) };
  const buildEnv = (...keys: DataKey[]) => ({
    DATA_KEYS: keys.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(','),
  });
  const nodeWithBothKeys = await service.startNode({ env: buildEnv(newKey, oldKey!) });
  const offerForm = { amount: 50, installments: 1 };
  const { body: openOffer } = await service.post('/merchant/offers', offerForm, { key: MERCHANT_KEY });
  const reportedTableCounts: number[] = [];
  const vaultWithBothKeys = new Vault({ dataKeys: [newKey, oldKey!], lookupKey });
  const personalData = listPersonalData('sandbox');
  const storedCounts = (await service.db.row<Record<string, number>>(sql`
    select (select count(*) from customers) as customers, (select count(*) from leads) as leads,
      (select count(*) from offers) as offers, (select count(*) from invitations) as invitations,
      (select count(*) from phone_changes) as phone_changes, (select count(*) from members) as members,
      (select count(*) from messages where text is not null or parts is not null) as messages,
      (select count(*) from phone_messages where parts is not null) as phone_messages,
      (select count(*) from contracts) as contracts, (select count(*) from pix_notices) as pix_notices,
      (select count(*) from signing_keys) as signing_keys`))!;
  const rowCounts = await reencrypt(service.db, vaultWithBothKeys, {
    all: false,
    personalData,
    onProgress: (tables) => reportedTableCounts.push(tables),
  });
  assert.deepEqual(
    rowCounts,
    Object.fromEntries(Object.entries(storedCounts).filter(([, count]) => count > 0)),
  );
  assert.ok(Object.keys(rowCounts).length >= 8, 'rows of most tables');
  assert.deepEqual(
    reportedTableCounts,
    reportedTableCounts.toSorted((a, b) => a - b),
  );
  const secondRun = await reencrypt(service.db, vaultWithBothKeys, {
    all: false,
    personalData,
    onProgress: () => undefined,
  });
  assert.deepEqual(secondRun, {});
  await nodeWithBothKeys.stop();

  const nodeWithNewKey = await service.startNode({ env: buildEnv(newKey) });
  const { token } = await logIn(nodeWithNewKey, customer);
  assert.match((await getMe(nodeWithNewKey, token)).body.cpf, /^\*\*\*\.\d{3}\.\d{3}-\*\*$/);
  const row = await customerTransaction(service.db, customer.id, (tx) => lockIdentity(tx, customer.id));
  assert.equal(decryptIdentity(new Vault({ dataKeys: [newKey], lookupKey }), row!).birth_date, '1990-05-31');
  assert.equal(
    (await nodeWithNewKey.get('/wallet/referral', { token: person.referrerToken })).body.invitations[0].name,
    'Xiomara Q***',
  );
  const { body: offers } = await nodeWithNewKey.get('/merchant/offers?limit=100', { key: MERCHANT_KEY });
  assert.ok(offers.data.some(({ phone }: { phone: string }) => phone === person.phone));
  const offerResponse = await nodeWithNewKey.get(`/merchant/offers/${openOffer.id}`, { key: MERCHANT_KEY });
  assert.deepEqual([offerResponse.body.code, offerResponse.body.link], [openOffer.code, openOffer.link]);
  await nodeWithNewKey.stop();

  // A new LOOKUP_KEY: all keyed hashes are recomputed.
  const newSecrets = { dataKeys: [newKey], lookupKey: randomBytes(32) };
  await reencrypt(service.db, new Vault(newSecrets), {
    all: true,
    personalData,
    onProgress: () => undefined,
  });
  const rekeyedNode = await service.startNode({
    env: {
      ...buildEnv(newKey),
      LOOKUP_KEY: newSecrets.lookupKey.toString('base64'),
    },
  });
  const staffOptions = { key: OPERATOR_KEY };
  const nameSearch = await rekeyedNode.staff('GET', '/admin/customers?name=xiom+quar', staffOptions);
  // The result also has the second customer with a similar name.
  assert.ok(nameSearch.body.data.some(({ phone }: { phone: string }) => phone === person.phone));
  const phoneSearch = await rekeyedNode.staff(
    'GET',
    `/admin/customers?phone=${encodeURIComponent(person.phone)}`,
    staffOptions,
  );
  assert.equal(phoneSearch.body.data[0].name, person.name);
  const logInResponse = await rekeyedNode.post('/wallet/auth/login', {
    phone: customer.phone,
    password: customer.password,
  });
  assert.equal(logInResponse.status, 200, logInResponse.text);
  for (const claimBody of [{ code: openOffer.code }, { token: openOffer.link.split('/').at(-1) }]) {
    const claimResponse = await rekeyedNode.post('/wallet/offers/claim', claimBody, {
      token: logInResponse.body.token,
    });
    assert.equal(claimResponse.body.id, openOffer.id, claimResponse.text);
  }
  await rekeyedNode.stop();
  await assert.rejects(service.startNode({ env: buildEnv(oldKey!) }), /DATA_KEYS lacks version 2/);
});
