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

//#region send
const phone = '+5511987650002';
const { challenge_id } = await call('POST', '/wallet/auth/otp', { phone });
//#endregion

//#region read
const messages = await call('GET', `/sandbox/messages?phone=${encodeURIComponent(phone)}&limit=1`);
const { code } = messages.data[0];
//#endregion

//#region login
let login = await call('POST', '/wallet/auth/otp/login', { phone, challenge_id, code });
const me = await call('GET', '/wallet/me', null, { 'x-token': login.token });
console.log(me.name);
//#endregion

//#region refresh
const { refresh_token } = login;
login = await call(
  'POST',
  '/wallet/auth/refresh',
  { refresh_token },
  { 'idempotency-key': crypto.randomUUID() },
);
console.log(login.expires_in);
//#endregion
