import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#platform/db.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';

const directory = mkdtempSync(join(tmpdir(), 'semana-live-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const certificate = { PSP_CERT: join(directory, 'psp.pem'), PSP_KEY: join(directory, 'psp.key') };
const skip = canMakeCertificate() ? false : 'openssl is not installed, and the certificate is made with it';
const key = () => randomBytes(32).toString('base64');

/** The demo database served in live mode, which the start would refuse: only so that there are keys and customers. */
const openLive = () =>
  openService({
    env: {
      SEMANA_MODE: 'live',
      DATABASE_URL: 'postgres://named-only-to-satisfy-the-settings/',
      PUBLIC_URL: 'https://api.example',
      DATA_KEYS: `1:${key()}`,
      LOOKUP_KEY: key(),
      SMS_SENDER: 'twilio',
      TWILIO_ACCOUNT_SID: 'AC0',
      TWILIO_AUTH_TOKEN: 'x',
      TWILIO_FROM: '+5511987650000',
      PSP_URL: 'https://127.0.0.1:9/v2',
      PSP_TOKEN_URL: 'https://127.0.0.1:9/oauth/token',
      PSP_CLIENT_ID: 'id',
      PSP_CLIENT_SECRET: 'secret',
      REFERRAL_LINK: 'https://semana.example/convite/{code}',
      OFFER_LINK: 'https://semana.example/carteira/ofertas/{id}',
      PSP_CALLBACK_SECRET: randomBytes(24).toString('hex'),
      PIX_KEY: 'pix@semana.example',
      PIX_RECEIVER_NAME: 'Semana',
      PIX_RECEIVER_CITY: 'Recife',
      ...certificate,
    },
  });

function canMakeCertificate(): boolean {
  const { PSP_CERT, PSP_KEY } = certificate;
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  try {
    execFileSync('openssl', [...words, '-keyout', PSP_KEY, '-out', PSP_CERT, '-subj', '/CN=semana'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

test('in live mode there are no sandbox tools, and no purchase is dated further back than a day', {
  skip,
}, async () => {
  const service = await openLive();
  assert.ok(service.endpoints.staff.every(({ url }) => !url.startsWith('/sandbox')));
  for (const method of ['GET', 'POST', 'DELETE']) {
    const body = method === 'POST' ? { body: { advance: 'P7D' } } : {};
    const options = { key: OPERATOR_KEY, ...body };
    assert.equal((await service.staff(method, '/sandbox/clock', options)).status, 404, method);
    assert.equal((await service.call(method, '/sandbox/clock', options)).status, 404, method);
  }
  assert.equal((await service.staff('POST', '/sandbox/reset', { key: OPERATOR_KEY })).status, 404);
  const body = {
    customer: (await service.db.row<{ id: string }>(sql`select id from customers order by id desc limit 1`))!
      .id,
    merchant: 'otica-lume',
    amount: 10,
    installments: 1,
    purchased_at: new Date(service.clock.now().getTime() - 25 * 3_600_000).toISOString(),
  };
  const answer = await service.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body });
  assert.deepEqual(
    [answer.status, answer.body.errors],
    [400, [{ pointer: '/purchased_at', message: 'must not be more than 24 hours ago' }]],
  );
});
