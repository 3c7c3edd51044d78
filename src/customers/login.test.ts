import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { shareService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  BRUNO,
  getMe,
  lockCustomer,
  logIn,
  newCustomer,
  newPhone,
} from '../../test/support/customers.ts';
import { hashPhone } from './identity.ts';

const service = await shareService();

test('login returns a token for 15 minutes, a refresh token for 30 days and the customer', async () => {
  const { status, body, headers } = await service.post('/wallet/auth/login', ANA);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(Object.keys(body), [
    'token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'refresh_expires_at',
    'customer',
  ]);
  const now = service.clock.now().getTime();
  assert.equal(Date.parse(body.expires_at), Math.floor(now / 1000) * 1000 + 15 * MINUTE_MS);
  assert.equal(Date.parse(body.refresh_expires_at), now + 30 * DAY_MS);
  assert.equal(body.customer.phone, ANA.phone);
});

test('the token names issuer, partner, customer and session', async () => {
  const { token } = await logIn(service, ANA);
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const { keys } = (await service.get('/.well-known/jwks.json', { key: null })).body;
  assert.deepEqual(header, { alg: 'EdDSA', kid: keys[0].kid, typ: 'JWT' });
  assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss', 'kind', 'sid', 'sub']);
  assert.equal(payload.iss, service.partnerUrl);
  assert.equal(payload.exp - payload.iat, (15 * MINUTE_MS) / 1000);
  const session = await service.db.row<{ partner_id: string }>(sql`
    select partner_id from sessions where customer_id = ${payload.sub} and id = ${payload.sid}`);
  assert.equal(session?.partner_id, payload.aud);
});

test('/wallet/me returns the customer with a masked CPF and amounts in reais, and must not be cached', async () => {
  const { token } = await logIn(service, ANA);
  const { status, body, headers } = await getMe(service, token);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  const { id, created_at, ...otherFields } = body;
  assert.match(id, /^cus_/);
  assert.match(created_at, /^\d{4}-.*Z$/);
  assert.equal(otherFields.cpf, '***.456.789-**');
  assert.equal(otherFields.credit.limit, 1500);
  assert.deepEqual([otherFields.credit.available, otherFields.credit.blocked_by], [0, 'overdue']);
  assert.deepEqual(Object.keys(otherFields), ['name', 'phone', 'email', 'cpf', 'credit']);
});

test('unknown phone, wrong password, no password and locked customer get the same 401 invalid_credentials', async () => {
  const lockedCustomer = await newCustomer(service);
  await lockCustomer(service.db, lockedCustomer.id, service.clock.now());
  const responses = await Promise.all([
    service.post('/wallet/auth/login', { phone: newPhone(), password: ANA.password }),
    service.post('/wallet/auth/login', { phone: ANA.phone, password: 'semana-demo-2' }),
    service.post('/wallet/auth/login', { phone: BRUNO.phone, password: ANA.password }),
    service.post('/wallet/auth/login', { phone: lockedCustomer.phone, password: lockedCustomer.password }),
  ]);
  for (const response of responses) {
    assertRefused(response, 401, 'invalid_credentials');
    assert.equal(response.body.detail, responses[0]!.body.detail);
  }
});

test('phone-check returns whether a phone is registered, and its login methods', async () => {
  const checkPhone = async (phone: string) =>
    (await service.post('/wallet/auth/phone-check', { phone })).body;
  const [ana, bruno, unknownPhone] = [ANA.phone, BRUNO.phone, newPhone()];
  assert.deepEqual(await checkPhone(ana), {
    phone: ana,
    registered: true,
    login_methods: ['password', 'otp'],
  });
  assert.deepEqual(await checkPhone(bruno), { phone: bruno, registered: true, login_methods: ['otp'] });
  assert.deepEqual(await checkPhone(unknownPhone), {
    phone: unknownPhone,
    registered: false,
    login_methods: [],
  });

  const landline = '+551132345678';
  const { id } = await newCustomer(service);
  await service.db.run(
    sql`update customer_phones set phone_hash = ${hashPhone(service.db.vault, landline)} where customer_id = ${id}`,
  );
  assert.deepEqual(
    (await checkPhone(landline)).login_methods,
    ['password'],
    'codes cannot be sent to a landline',
  );
});

test('bodies are validated strictly: all errors are reported, without the invalid values', async () => {
  const wrongResponse = await service.post('/wallet/auth/login', {
    phone: '119876500',
    password: '',
    pin: 1,
  });
  assertRefused(wrongResponse, 400, 'validation_failed');
  assert.deepEqual(wrongResponse.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    '/password',
    '/phone',
    '/pin',
  ]);
  assert.ok(!wrongResponse.text.includes('119876500'));
  for (const code of ['12345', '1234567', '12345a', 123456]) {
    const response = await service.post('/wallet/auth/otp/login', {
      phone: ANA.phone,
      challenge_id: 'x',
      code,
    });
    assertRefused(response, 400, 'validation_failed');
  }
  const missingChallengeResponse = await service.post('/wallet/auth/otp/login', {
    phone: ANA.phone,
    code: '123456',
  });
  assert.deepEqual(missingChallengeResponse.body.errors, [
    { pointer: '/challenge_id', message: 'is required' },
  ]);
  const shortPassword = { phone: ANA.phone, challenge_id: 'x', code: '123456', password: 'seven77' };
  assertRefused(await service.post('/wallet/auth/password', shortPassword), 400, 'validation_failed');
});

test('/wallet/auth/ requires only a key with the scope wallet', async () => {
  const publicKey = await service.newKey({ scopes: ['public'] });
  const body = { phone: newPhone() };
  assert.equal((await service.post('/wallet/auth/phone-check', body)).status, 200);
  const publicKeyResponse = await service.post('/wallet/auth/phone-check', body, { key: publicKey.secret });
  assertRefused(publicKeyResponse, 403, 'scope_missing');
});

test('a password in another Unicode normalization form is the same password', async () => {
  const { hashPassword, verifyPassword } = await import('#platform/passwords/argon2.ts');
  assert.ok(verifyPassword('cafe\u0301 com leite', hashPassword('caf\u00e9 com leite')));
});
