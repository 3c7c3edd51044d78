//#region key
const url = process.env.SEMANA_URL ?? 'http://localhost:3000';
const key = process.env.SEMANA_MERCHANT_KEY ?? 'sandbox-merchant-key';

/** Repeats a request after a lost connection and after 429 and 503. */
async function send(request, maxAttempts = 3) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await request().catch(() => undefined);
    if (response && ![429, 503].includes(response.status)) return response;
    if (attempt === maxAttempts) throw new Error('Semana did not respond.');
    const seconds = Number(response?.headers.get('retry-after') ?? 2 ** attempt / 2);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

/** Creates at most one offer for an order, however often it is called. */
const createOffer = (orderId) =>
  send(() =>
    fetch(`${url}/merchant/offers`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': orderId },
      body: JSON.stringify({ amount: 100, installments: 2 }),
    }),
  );
//#endregion

//#region repeat
const orderId = crypto.randomUUID();
const firstResponse = await createOffer(orderId);
const secondResponse = await createOffer(orderId);
if ((await firstResponse.json()).id === (await secondResponse.json()).id) console.log('the same offer');
console.log(`idempotency-replayed: ${secondResponse.headers.get('idempotency-replayed')}`);
//#endregion
