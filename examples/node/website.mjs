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

//#region search
// A search tolerates one wrong or missing letter: 'padria' finds 'Padaria'.
const { data } = await call('GET', '/public/merchants?q=padria&limit=3');
for (const { name } of data) console.log(name);
//#endregion

//#region quote
const quote = await call('GET', '/public/merchants/padaria-flor-do-trigo/quote?amount=240&installments=4');
const { installments, terms } = quote;
console.log(`${installments.length} x ${installments[0].amount}, CET ${terms.cet_percent_month} % a month`);
//#endregion

//#region revalidate
const firstResponse = await fetch(`${url}/public/faq`, { headers: { 'x-api-key': key } });
const conditionalResponse = await fetch(`${url}/public/faq`, {
  headers: { 'x-api-key': key, 'if-none-match': firstResponse.headers.get('etag') },
});
console.log(conditionalResponse.status);
//#endregion

//#region lead
const lead = await call('POST', '/public/leads', {
  kind: 'partner',
  name: 'Joana Prado',
  email: 'joana@example.com',
  message: 'Quero vender com a Semana.',
});
console.log(lead.id);
//#endregion
