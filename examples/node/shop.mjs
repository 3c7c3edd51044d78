//#region setup
const url = process.env.SEMANA_URL ?? 'http://localhost:3000';
const key = process.env.SEMANA_KEY ?? 'sandbox-demo-key';

async function call(method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  });
  const responseBody = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(`${responseBody.code}: ${responseBody.detail}`);
  return responseBody;
}
//#endregion

//#region keys
const merchantHeaders = { 'x-api-key': process.env.SEMANA_MERCHANT_KEY ?? 'sandbox-merchant-key' };
//#endregion

//#region quote
const quote = await call('POST', '/merchant/quotes', { amount: 57.9, installments: 3 }, merchantHeaders);
for (const { due_on, amount } of quote.installments) console.log(due_on, amount);
//#endregion

//#region offer
const orderId = crypto.randomUUID();
const offer = await call(
  'POST',
  '/merchant/offers',
  {
    amount: 57.9,
    installments: 3,
    items: [
      { name: 'Bolo de fubá', quantity: 1, amount: 62.9 },
      { name: 'Desconto', quantity: 1, amount: -5 },
    ],
    reference: orderId,
    return_url: 'http://localhost:3005/pedido',
    metadata: { cart: '7781' },
  },
  { ...merchantHeaders, 'idempotency-key': orderId },
);
console.log(offer.link);
//#endregion

//#region accept
const login = { phone: '+5511987650003', password: 'semana-demo-3' };
const { token } = await call('POST', '/wallet/auth/login', login);
await call('POST', '/wallet/offers/claim', { code: offer.code }, { 'x-token': token });
await call('POST', `/wallet/offers/${offer.id}/accept`, {}, { 'x-token': token });
//#endregion

//#region read
const offerPath = `/merchant/offers/${offer.id}`;
const { status, metadata, checkout_hash } = await call('GET', offerPath, null, merchantHeaders);
console.log(`${status}, cart ${metadata.cart}`);
//#endregion

//#region return
const returns = `/merchant/checkouts/${checkout_hash}/returns`;
const body = { reason: 'O bolo chegou amassado' };
const preview = await call('POST', `${returns}?dry_run=true`, body, merchantHeaders);
console.log(preview.merchant); // the balance before and after the return
const saleReturn = await call('POST', returns, body, {
  ...merchantHeaders,
  'idempotency-key': `return-${orderId}`,
});
console.log(saleReturn.checkout.amounts);
//#endregion
