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

//#region login
const { token } = await call('POST', '/wallet/auth/login', {
  phone: '+5511987650001',
  password: 'semana-demo-1',
});
const customerHeaders = { 'x-token': token };
//#endregion

//#region purchases
const { data } = await call('GET', '/wallet/checkouts', null, customerHeaders);
const { hash } = data.find(({ status }) => status !== 'paid');
const { installments } = await call('GET', `/wallet/checkouts/${hash}`, null, customerHeaders);
const installment = installments.find(({ status }) => status !== 'paid');
console.log(`${installment.status}, due on ${installment.due_on}: ${installment.total_due}`);
//#endregion

//#region pix
const type = 'settle_with_penalty';
const pix = await call('POST', `/wallet/installments/${installment.id}/pix`, { type }, customerHeaders);
console.log(pix.br_code);
//#endregion

//#region pay
await call('POST', `/sandbox/pix/${pix.txid}/pay`, {});
//#endregion

//#region wait
let status = pix.status;
while (status !== 'paid') {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  ({ status } = await call('GET', `/wallet/pix/${pix.id}`, null, customerHeaders));
}
console.log(status);
//#endregion
