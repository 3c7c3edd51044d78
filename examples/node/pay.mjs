// From a key to a paid Pix, and a webhook that is verified. Node 20 or later, no packages.
// Set SEMANA_URL, SEMANA_KEY and SEMANA_MERCHANT_KEY to use another sandbox and other keys.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const url = process.env.SEMANA_URL ?? 'http://localhost:3000';
const key = process.env.SEMANA_KEY ?? 'sandbox-demo-key';
const merchantKey = process.env.SEMANA_MERCHANT_KEY ?? 'sandbox-merchant-key';

async function call(method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  });
  const responseBody = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${responseBody.code}: ${responseBody.detail}`);
  return responseBody;
}

//#region verify
/** Returns whether the delivery has a valid signature of the last five minutes. `body` is the raw bytes, `headers` has lower-case names. */
function verify(body, headers, secret) {
  const signingKey = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const timestamp = headers['webhook-timestamp'];
  const expectedSignature = createHmac('sha256', signingKey)
    .update(`${headers['webhook-id']}.${timestamp}.`)
    .update(body)
    .digest();
  const signatures = headers['webhook-signature']
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'));
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  const isExpected = (signature) =>
    signature.length === expectedSignature.length && timingSafeEqual(signature, expectedSignature);
  return isRecent && signatures.some(isExpected);
}
//#endregion

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const hookUrl = `http://127.0.0.1:${server.address().port}/hook`;
const hook = await call('POST', '/webhooks', { url: hookUrl, events: ['pix.paid'] });

/** Responds to a webhook. Returns whether it reports a paid Pix. */
async function receiveWebhook(request, response) {
  const body = Buffer.concat(await request.toArray());
  const isValid = verify(body, request.headers, hook.secret);
  response.writeHead(isValid ? 204 : 400).end();
  return isValid && JSON.parse(body).type === 'pix.paid';
}
const paidWebhook = new Promise((resolve) => {
  server.on('request', (request, response) => {
    receiveWebhook(request, response)
      .then((isPaid) => isPaid && resolve())
      // Semana sends a webhook again if its request is interrupted.
      .catch((error) => response.destroy(error));
  });
});

const login = { phone: '+5511987650003', password: 'semana-demo-3' };
const { token } = await call('POST', '/wallet/auth/login', login);
const customerHeaders = { 'x-token': token };
const order = { amount: 100, installments: 2, metadata: { cart: '7781' } };
const offer = await call('POST', '/merchant/offers', order, { 'x-api-key': merchantKey });
await call('POST', '/wallet/offers/claim', { code: offer.code }, customerHeaders);
const purchase = await call('POST', `/wallet/offers/${offer.id}/accept`, {}, customerHeaders);
const [installment] = purchase.installments;
const pixPath = `/wallet/installments/${installment.id}/pix`;
const pix = await call('POST', pixPath, { type: 'settle' }, customerHeaders);
await call('POST', `/sandbox/pix/${pix.txid}/pay`, {});

const timer = setTimeout(() => {
  console.error('The webhook did not arrive.');
  process.exit(1);
}, 30_000);
await paidWebhook;
clearTimeout(timer);
await call('DELETE', `/webhooks/${hook.id}`);
server.close();
console.log(`Paid ${pix.value.toFixed(2)}, and the webhook is verified.`);
