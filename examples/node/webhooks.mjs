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

//#region register
const hook = await call('POST', '/webhooks', {
  url: process.env.HOOK_URL ?? 'http://localhost:4000/hook',
  events: ['lead.received', 'pix.paid'],
});
console.log(hook.secret);
//#endregion

//#region test
const { status, attempts } = await call('POST', `/webhooks/${hook.id}/test`);
console.log(status, attempts);
//#endregion

//#region event
const name = `Joana ${crypto.randomUUID()}`;
await call('POST', '/public/leads', { kind: 'partner', name, email: 'joana@example.com' });
//#endregion

//#region deliveries
let listedDelivery;
while (!listedDelivery) {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { data } = await call('GET', `/webhooks/${hook.id}/deliveries`);
  listedDelivery = data.find(({ type }) => type === 'lead.received');
}
const delivery = await call('GET', `/webhooks/${hook.id}/deliveries/${listedDelivery.id}`);
console.log(delivery.status, delivery.response);
//#endregion

//#region resend
const resentDelivery = await call('POST', `/webhooks/${hook.id}/deliveries/${delivery.id}/resend`);
console.log(resentDelivery.status);
//#endregion

//#region delete
await call('DELETE', `/webhooks/${hook.id}`);
//#endregion
