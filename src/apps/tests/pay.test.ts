import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { newCpf, newCustomer, newPhone } from '../../../test/purchase-driver.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';
import { MAX_SCRIPT_BYTES, openSite, pickWrongCode, readSandboxCode, UNREACHABLE_URL } from './site.ts';

const { service, siteUrl, startSite, readLog } = await openSite();
const { createOpenOffer, getOffer, cancel: cancelOffer } = await createOfferDriver(service);
// Unless a test says otherwise, an open offer is R$ 100,00 in 3 weeks: R$ 33,34 and twice R$ 33,33.

const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };
const CARLA = { phone: '(11) 98765-0003', password: 'semana-demo-3' };
const RETURN_URL = 'http://localhost:3003/volta?pedido=7';
const EXPIRES_IN_SECONDS = 60;

const buildPayPath = ({ link }: { link: string }) => `/pagar/${link.split('/').at(-1)}`;

/** Submits a form, and returns the address that its 303 response redirects to. */
async function submit(jar: CookieJar, path: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await jar.post(path, fields);
  assert.equal(response.status, 303, path);
  return readLocation(response)!;
}

async function signIn(person: { phone: string; password: string }): Promise<CookieJar> {
  const jar = new CookieJar(siteUrl);
  assert.equal(await submit(jar, '/carteira/entrar', person), '/carteira');
  return jar;
}

const createCustomer = async ({ limitReais = 10_000 } = {}) => {
  const customer = await newCustomer(service);
  await service.db.run(
    sql`update customers set credit_limit_cents = ${limitReais * 100} where id = ${customer.id}`,
  );
  return { ...customer, jar: await signIn(customer) };
};

/** Removes the tags, and the parts of a page that are the same on every page. */
const extractVisibleText = (html: string) =>
  html
    .replace(/<head>.*?<\/head>|<aside.*?<\/aside>|<footer.*?<\/footer>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');
const newSignUpForm = () => ({
  name: 'Lia Batista',
  cpf: newCpf(),
  birth_date: '31/05/1990',
  email: 'lia@example.com',
  terms: '2026-11',
});

/** Submits a new phone and its code, which leads to the sign-up form. */
async function openSignUpForm(jar: CookieJar, payPath: string, phone = newPhone()): Promise<void> {
  assert.equal(await submit(jar, `${payPath}/celular`, { phone }), `${payPath}/codigo`);
  const code = readSandboxCode(await jar.text(`${payPath}/codigo`));
  assert.equal(await submit(jar, `${payPath}/codigo`, { code }), `${payPath}/dados`);
}

test('a payment link shows merchant, items and total cost; opening it never claims the offer', async () => {
  const offer = await createOpenOffer({
    description: 'Festa',
    items: [
      { name: 'Bolo', quantity: 2, amount: 90 },
      { name: 'Entrega', quantity: 1, amount: 10 },
    ],
  });
  const payPath = buildPayPath(offer);
  const { jar } = await createCustomer();
  for (const visitor of [new CookieJar(siteUrl), jar]) {
    const response = await visitor.send(payPath);
    const html = await response.text();
    assert.equal(response.status, 200);
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'same-origin'],
    ] as const)
      assert.equal(response.headers.get(name), value);
    assert.match(html, /<meta name="robots" content="noindex"/);
    // Messengers render a preview of the link from the head.
    const [head] = /<head>.*<\/head>/s.exec(html)!;
    assert.doesNotMatch(head, /Padaria|R\$|Festa|pagar\//);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*src=)/, 'no inline code');
    const text = extractVisibleText(html);
    for (const pattern of [
      /Padaria Flor do Trigo/,
      /Festa/,
      /2 × Bolo/,
      /R\$ 90,00/,
      /3 × R\$ 33,3/,
      /Total a pagarR\$ 100,00/,
      /Custo do crédito/,
      /CET 0% ao mês, 0% ao ano/,
      /Credor: .*CNPJ/,
      /Vale até/,
      /multa de 2%/,
    ])
      assert.match(text, pattern);
    assert.equal(html.match(/<h1/g)?.length, 1);
    for (const [, path] of html.matchAll(/src="(\/assets\/[^"]+\.js)"/g))
      assert.ok((await (await fetch(siteUrl + path)).arrayBuffer()).byteLength < MAX_SCRIPT_BYTES);
    assert.equal((await visitor.send(payPath, { method: 'HEAD' })).status, 200);
  }
  assert.equal((await getOffer(offer.id)).claimed_at, null);
});

test('a new customer signs up without scripts: phone, code, missing data, acceptance', async () => {
  const offer = await createOpenOffer({ description: 'Bolo' });
  const payPath = buildPayPath(offer);
  const jar = new CookieJar(siteUrl);
  await openSignUpForm(jar, payPath);
  const signUpPage = await jar.text(`${payPath}/dados`);
  assert.doesNotMatch(signUpPage, /name="code"/, 'the code was verified before');
  assert.doesNotMatch(await jar.text(`${payPath}/dados`), /name="code"/, 'also after a reload');
  const person = newSignUpForm();
  assert.equal(await submit(jar, `${payPath}/dados`, { ...person, cpf: '1' }), `${payPath}/dados`);
  const pageWithError = await jar.text(`${payPath}/dados`);
  assert.match(pageWithError, /CPF inválido/);
  assert.match(pageWithError, /value="Lia Batista"/);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  assert.equal(await submit(jar, `${payPath}/dados`, person), payPath);
  assert.notEqual((await getOffer(offer.id)).claimed_at, null);
  assert.match(extractVisibleText(await jar.text(payPath)), /Aceitar: 3 × R\$ 33,3/);
  assert.equal(await submit(jar, `${payPath}/aceitar`, { installments: '3' }), payPath);
  const { status, checkout_hash } = await getOffer(offer.id);
  assert.equal(status, 'accepted');
  const donePage = await jar.text(payPath);
  assert.match(
    extractVisibleText(donePage),
    /Compra feita: R\$ 100,00\..*Mostre esta tela em Padaria Flor do Trigo/s,
  );
  assert.ok(extractVisibleText(donePage).includes(checkout_hash));
  assert.doesNotMatch(donePage, /http-equiv="refresh"/);
  for (const step of ['codigo', 'dados'])
    assert.equal(
      readLocation(await jar.send(`${payPath}/${step}`)),
      payPath,
      'past steps redirect to the offer',
    );
});

test('an existing customer enters phone and code, claims the offer, chooses fewer installments, and accepts', async () => {
  const offer = await createOpenOffer({ amount: 90 });
  const payPath = buildPayPath(offer);
  const customer = await newCustomer(service);
  await service.db.run(sql`update customers set credit_limit_cents = 100000 where id = ${customer.id}`);
  const jar = new CookieJar(siteUrl);
  assert.equal(await submit(jar, `${payPath}/celular`, { phone: customer.phone }), `${payPath}/codigo`);
  // Going back and requesting a code again continues with the code that was sent.
  assert.ok((await jar.text(payPath)).includes('value="(11) 98'));
  assert.equal(await submit(jar, `${payPath}/celular`, { phone: customer.phone }), `${payPath}/codigo`);
  const html = await jar.text(`${payPath}/codigo`);
  assert.match(html, /Use o código que já enviamos/);
  const code = readSandboxCode(html);
  assert.equal(await submit(jar, `${payPath}/codigo`, { code: pickWrongCode(code) }), `${payPath}/codigo`);
  assert.match(await jar.text(`${payPath}/codigo`), /Código incorreto/);
  assert.equal(await submit(jar, `${payPath}/codigo`, { code }), payPath);
  const [allWeeksText, twoWeeksText] = [await jar.text(payPath), await jar.text(`${payPath}?parcelas=2`)].map(
    extractVisibleText,
  );
  assert.match(allWeeksText!, /Aceitar: 3 × R\$ 30,00/);
  assert.match(twoWeeksText!, /Aceitar: 2 × R\$ 45,00/);
  await submit(jar, `${payPath}/aceitar`, { installments: '2' });
  assert.equal((await getOffer(offer.id)).quote.installments.length, 2);
  // The customer sees the purchase in another browser, too.
  const otherJar = await signIn(customer);
  assert.match(extractVisibleText(await otherJar.text(payPath)), /Compra feita/);
});

test('a signed-in customer claims an offer with the button, not by opening it, and not from another site', async () => {
  const offer = await createOpenOffer();
  const payPath = buildPayPath(offer);
  const { jar } = await createCustomer();
  assert.match(extractVisibleText(await jar.text(payPath)), /Pagar com a SemanaNa próxima tela/);
  const forgedResponse = await jar.post(`${payPath}/continuar`, {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(forgedResponse.status, 403);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  assert.equal(await submit(jar, `${payPath}/continuar`), payPath);
  assert.match(extractVisibleText(await jar.text(payPath)), /Aceitar: 3 ×/);
  // Another customer gets an explanation, signed in or not, and can sign out.
  const { jar: otherJar } = await createCustomer();
  assert.match(
    extractVisibleText(await otherJar.text(payPath)),
    /Outra pessoa já começou a pagar.*Não é você\?/s,
  );
  assert.equal(await submit(otherJar, `${payPath}/continuar`), payPath);
  assert.match(extractVisibleText(await otherJar.text(payPath)), /peça outro código na loja/);
  assert.equal(await submit(otherJar, `${payPath}/sair`), payPath);
  assert.match(extractVisibleText(await otherJar.text(payPath)), /Se foi você, confirme o celular/);
});

test('if the code expires while the form is filled in, a new code is sent, the input is kept, and the offer is claimed', async () => {
  const offer = await createOpenOffer();
  const payPath = buildPayPath(offer);
  const jar = new CookieJar(siteUrl);
  await openSignUpForm(jar, payPath);
  service.clock.advance(6 * MINUTE_MS); // a code expires after five minutes
  const person = newSignUpForm();
  assert.equal(await submit(jar, `${payPath}/dados`, person), `${payPath}/dados`);
  const refusedPage = await jar.text(`${payPath}/dados`);
  assert.match(refusedPage, /Código incorreto ou vencido/);
  assert.match(refusedPage, /name="code"/);
  assert.equal(await submit(jar, `${payPath}/dados/reenviar`, person), `${payPath}/dados`);
  const html = await jar.text(`${payPath}/dados`);
  for (const value of [person.name, person.email, person.birth_date])
    assert.ok(html.includes(`value="${value}"`));
  assert.match(html, /checked/, 'the terms are still accepted');
  assert.equal(await submit(jar, `${payPath}/dados`, { ...person, code: readSandboxCode(html) }), payPath);
  assert.notEqual((await getOffer(offer.id)).claimed_at, null);
});

test('if the session ends before the acceptance, the page asks for the phone again and keeps the choice', async () => {
  const offer = await createOpenOffer({ amount: 90 });
  const payPath = buildPayPath(offer);
  const { jar, phone, id } = await createCustomer();
  await submit(jar, `${payPath}/continuar`);
  const [, chave] = /name="chave" value="([^"]+)"/.exec(await jar.text(`${payPath}?parcelas=2`))!; // idempotency key
  await service.db.run(sql`delete from sessions where customer_id = ${id}`);
  service.clock.advance(16 * MINUTE_MS); // the access token expires after 15 minutes
  assert.equal(await submit(jar, `${payPath}/aceitar`, { chave: chave!, installments: '2' }), payPath);
  for (const load of ['first load', 'reload'])
    assert.match(await jar.text(payPath), /sua sessão terminou/, load);
  await submit(jar, `${payPath}/celular`, { phone });
  const code = readSandboxCode(await jar.text(`${payPath}/codigo`));
  assert.equal(await submit(jar, `${payPath}/codigo`, { code }), payPath);
  assert.match(extractVisibleText(await jar.text(payPath)), /Aceitar: 2 × R\$ 45,00/);
  assert.equal((await getOffer(offer.id)).status, 'pending');
});

test('an acceptance that is repeated from an old page after its response was lost shows the purchase', async () => {
  const payPath = buildPayPath(await createOpenOffer({ amount: 90 }));
  const { jar } = await createCustomer();
  await submit(jar, `${payPath}/continuar`);
  for (const chave of ['first', 'second']) {
    assert.equal(await submit(jar, `${payPath}/aceitar`, { chave, installments: '2' }), payPath);
    const html = await jar.text(payPath);
    assert.match(extractVisibleText(html), /Compra feita: R\$\s90,00\./);
    assert.doesNotMatch(html, /role="alert"/);
  }
});

test('a customer who may not buy gets the reason and a next step, and others can still claim the offer', async () => {
  const offer = await createOpenOffer();
  const payPath = buildPayPath(offer);
  const anaJar = await signIn(ANA);
  await submit(anaJar, `${payPath}/continuar`);
  assert.match(extractVisibleText(await anaJar.text(payPath)), /Você tem parcela atrasada.*Minha carteira/s);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  const { jar: lowLimitJar } = await createCustomer({ limitReais: 50 });
  await submit(lowLimitJar, `${payPath}/continuar`);
  assert.match(
    extractVisibleText(await lowLimitJar.text(payPath)),
    /passa do seu limite: .*Ver o que posso pagar agora/s,
  );
  const lockedCustomer = await createCustomer();
  await service.db.run(sql`update customers set locked_at = now() where id = ${lockedCustomer.id}`);
  const otherOffer = await createOpenOffer();
  await submit(lockedCustomer.jar, `${buildPayPath(otherOffer)}/continuar`);
  assert.match(
    extractVisibleText(await lockedCustomer.jar.text(buildPayPath(otherOffer))),
    /Sua conta está bloqueada\. Fale com a gente/,
  );
  assert.equal((await getOffer(otherOffer.id)).claimed_at, null);
});

test('the result of an offer is explained, and links back to the shop with the shop’s own query and the status', async () => {
  const { jar } = await createCustomer();
  const readReturnUrl = (html: string) =>
    /<noscript><meta http-equiv="refresh" content="5;url=([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const createExpiringOffer = () =>
    createOpenOffer({ return_url: RETURN_URL, reference: 'R 1', expires_in: EXPIRES_IN_SECONDS });
  const parseQuery = (url: string | undefined) => Object.fromEntries(new URL(url!).searchParams);

  const acceptedOffer = await createOpenOffer({ return_url: RETURN_URL, reference: 'R 0' });
  assert.match(await jar.text(buildPayPath(acceptedOffer)), /Voltar para a loja sem pagar/);
  await submit(jar, `${buildPayPath(acceptedOffer)}/continuar`);
  await submit(jar, `${buildPayPath(acceptedOffer)}/aceitar`);
  const acceptedPage = await jar.text(buildPayPath(acceptedOffer));
  assert.ok(readReturnUrl(acceptedPage)!.startsWith('http://localhost:3003/volta?pedido=7&'));
  assert.deepEqual(parseQuery(readReturnUrl(acceptedPage)), {
    pedido: '7',
    offer_id: acceptedOffer.id,
    status: 'accepted',
    reference: 'R 0',
  });
  const visitorPage = await new CookieJar(siteUrl).text(buildPayPath(acceptedOffer));
  assert.match(extractVisibleText(visitorPage), /Esta compra já foi feita.*Voltar para a loja/s);
  assert.equal(readReturnUrl(visitorPage), undefined);

  const declinedOffer = await createExpiringOffer();
  await submit(jar, `${buildPayPath(declinedOffer)}/continuar`);
  await submit(jar, `${buildPayPath(declinedOffer)}/recusar`);
  const declinedPage = await jar.text(buildPayPath(declinedOffer));
  assert.match(extractVisibleText(declinedPage), /Você recusou esta oferta\.Nada foi cobrado/);
  assert.equal(parseQuery(readReturnUrl(declinedPage)).status, 'declined');

  const cancelledOffer = await createExpiringOffer();
  await cancelOffer(cancelledOffer.id);
  const cancelledPage = await jar.text(buildPayPath(cancelledOffer));
  assert.match(extractVisibleText(cancelledPage), /A loja cancelou esta oferta.*Voltar para a loja/s);
  assert.equal(readReturnUrl(cancelledPage), undefined);

  const expiredOffer = await createExpiringOffer();
  const newcomerJar = new CookieJar(siteUrl);
  await submit(newcomerJar, `${buildPayPath(expiredOffer)}/celular`, { phone: newPhone() });
  service.clock.advance((EXPIRES_IN_SECONDS + 1) * SECOND_MS);
  assert.equal(
    readLocation(await newcomerJar.send(`${buildPayPath(expiredOffer)}/codigo`)),
    buildPayPath(expiredOffer),
  );
  const expiredPage = await newcomerJar.text(buildPayPath(expiredOffer));
  assert.match(extractVisibleText(expiredPage), /O prazo desta oferta acabou/);
  assert.equal(parseQuery(readReturnUrl(expiredPage)).status, 'expired');
  await submit(jar, `${buildPayPath(expiredOffer)}/continuar`);
  assert.match(extractVisibleText(await jar.text(buildPayPath(expiredOffer))), /Esta oferta venceu/);
});

test('an invalid link and an unavailable API have explanatory pages', async () => {
  for (const path of ['/pagar/0000000000000000000000', '/pagar/x', '/pagar/a/b/c', '/pagar/%00']) {
    const response = await fetch(siteUrl + path);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /Não encontramos esta compra/);
  }
  assert.equal(readLocation(await new CookieJar(siteUrl).send('/pagar')), '/carteira/pagar');
  const payPath = buildPayPath(await createOpenOffer());
  const unavailableResponse = await fetch((await startSite({ apiUrl: UNREACHABLE_URL })) + payPath);
  assert.equal(unavailableResponse.status, 503);
  assert.match(await unavailableResponse.text(), /Nada se perdeu/);
  assert.doesNotMatch(readLog(), new RegExp(payPath.replace('/pagar/', '')));
});

test('in the wallet a typed code opens the claimed offer; a wrong one is reported beside its field; only this page may use the camera', async () => {
  const offer = await createOpenOffer();
  const { jar } = await createCustomer();
  for (const path of ['/carteira', '/carteira/ofertas'])
    assert.match(await jar.text(path), /href="\/carteira\/pagar"/);
  const readPolicy = async (path: string) => (await jar.send(path)).headers.get('permissions-policy')!;
  assert.match(await readPolicy('/carteira/pagar'), /camera=\(self\)/);
  for (const path of ['/carteira', '/', buildPayPath(offer)])
    assert.match(await readPolicy(path), /camera=\(\)/);
  for (const codigo of ['', 'NADA', 'AAAA-AAAA', 'x'.repeat(100)]) {
    assert.equal(await submit(jar, '/carteira/pagar', { codigo }), '/carteira/pagar');
    const html = await jar.text('/carteira/pagar');
    assert.match(html, /id="codigo-erro"/, codigo);
    if (codigo) assert.ok(html.includes(`value="${codigo}"`));
  }
  const typedCode = `${offer.code.slice(0, 4)}-${offer.code.slice(4)}`.toLowerCase();
  assert.equal(await submit(jar, '/carteira/pagar', { codigo: typedCode }), `/carteira/ofertas/${offer.id}`);
  assert.match(extractVisibleText(await jar.text(`/carteira/ofertas/${offer.id}`)), /Aceitar: 3 ×/);
  const carlaJar = await signIn(CARLA);
  assert.equal(await submit(carlaJar, '/carteira/pagar', { codigo: offer.code }), '/carteira/pagar');
  assert.match(extractVisibleText(await carlaJar.text('/carteira/pagar')), /Outra pessoa já começou a pagar/);
  const visitorResponse = await new CookieJar(siteUrl).send('/carteira/pagar');
  assert.equal(readLocation(visitorResponse), '/carteira/entrar?para=%2Fcarteira%2Fpagar');
});

test('of two customers who claim concurrently one succeeds, and the other gets an explanation', async () => {
  const payPath = buildPayPath(await createOpenOffer());
  const customers = [await createCustomer(), await createCustomer()];
  await Promise.all(customers.map(({ jar }) => submit(jar, `${payPath}/continuar`)));
  const texts = await Promise.all(
    customers.map(async ({ jar }) => extractVisibleText(await jar.text(payPath))),
  );
  assert.equal(texts.filter((text) => /Aceitar: 3 ×/.test(text)).length, 1);
  assert.equal(texts.filter((text) => /Outra pessoa já começou/.test(text)).length, 1);
});

test('the token of a link is neither in the logs of the pages nor in those of the API', async () => {
  const payPath = buildPayPath(await createOpenOffer());
  const { jar } = await createCustomer();
  await submit(jar, `${payPath}/continuar`);
  await submit(jar, `${payPath}/aceitar`);
  await jar.text(payPath);
  const token = payPath.replace('/pagar/', '');
  assert.doesNotMatch(readLog() + service.readLog(), new RegExp(token));
});
