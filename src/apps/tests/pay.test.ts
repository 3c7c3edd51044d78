import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openOfferDesk } from '../../../test/offer-desk.ts';
import { newCpf, newCustomer, newPhone } from '../../../test/shop.ts';
import { CookieJar } from './cookie-jar.ts';
import { openSite } from './testing.ts';

const { service, siteUrl, restartSite, readLog } = await openSite();
const { createOpenOffer, getOffer, cancel } = await openOfferDesk(service);
const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };
const CARLA = { phone: '(11) 98765-0003', password: 'semana-demo-3' };
const SHOP = 'http://localhost:3003/volta?pedido=7';

const addressOf = ({ link }: { link: string }) => `/pagar/${link.split('/').at(-1)}`;
const locationOf = (response: Response) => response.headers.get('location');
/** Where a form leads; it is always answered by 303. */
async function led(jar: CookieJar, path: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await jar.post(path, fields);
  assert.equal(response.status, 303, path);
  return locationOf(response)!;
}

async function signedIn(person: { phone: string; password: string }): Promise<CookieJar> {
  const jar = new CookieJar(siteUrl);
  assert.equal(await led(jar, '/carteira/entrar', person), '/carteira');
  return jar;
}

const shopper = async (limitReais = 10_000) => {
  const customer = await newCustomer(service);
  await service.db.run(
    sql`update customers set credit_limit_cents = ${limitReais * 100} where id = ${customer.id}`,
  );
  return { ...customer, jar: await signedIn(customer) };
};

const codeIn = (html: string) => /sandbox-code">.*?<b>(\d{6})<\/b>/s.exec(html)![1]!;
const textOf = (html: string) =>
  html
    .replace(/<head>.*?<\/head>|<aside.*?<\/aside>|<footer.*?<\/footer>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');
const somebody = () => ({
  name: 'Lia Batista',
  cpf: newCpf(),
  birth_date: '31/05/1990',
  email: 'lia@example.com',
  terms: '2026-11',
});

/** From the phone to the form for what is missing. */
async function toData(jar: CookieJar, page: string, phone = newPhone()): Promise<void> {
  assert.equal(await led(jar, `${page}/celular`, { phone }), `${page}/codigo`);
  const code = codeIn(await jar.text(`${page}/codigo`));
  assert.equal(await led(jar, `${page}/codigo`, { code }), `${page}/dados`);
}

test('a payment link shows merchant, items and total cost; opening it never claims the offer', async () => {
  const offer = await createOpenOffer({
    description: 'Festa',
    items: [
      { name: 'Bolo', quantity: 2, amount: 90 },
      { name: 'Entrega', quantity: 1, amount: 10 },
    ],
  });
  const page = addressOf(offer);
  const { jar } = await shopper();
  for (const visitor of [new CookieJar(siteUrl), jar]) {
    const response = await visitor.send(page);
    const html = await response.text();
    assert.equal(response.status, 200);
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'same-origin'],
    ] as const)
      assert.equal(response.headers.get(name), value);
    assert.match(html, /<meta name="robots" content="noindex"/);
    assert.doesNotMatch(/<head>.*<\/head>/s.exec(html)![0], /Padaria|R\$|Festa|pagar\//);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*src=)/);
    const text = textOf(html);
    for (const said of [
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
      assert.match(text, said);
    assert.equal(html.match(/<h1/g)?.length, 1);
    for (const [, path] of html.matchAll(/src="(\/assets\/[^"]+\.js)"/g))
      assert.ok((await (await fetch(siteUrl + path)).arrayBuffer()).byteLength < 15_000);
    assert.equal((await visitor.send(page, { method: 'HEAD' })).status, 200);
  }
  assert.equal((await getOffer(offer.id)).claimed_at, null);
});

test('a new customer signs up without scripts: phone, code, missing data, acceptance', async () => {
  const offer = await createOpenOffer({ description: 'Bolo' });
  const page = addressOf(offer);
  const jar = new CookieJar(siteUrl);
  await toData(jar, page);
  const form = await jar.text(`${page}/dados`);
  assert.doesNotMatch(form, /name="code"/, 'the code is known already');
  assert.doesNotMatch(await jar.text(`${page}/dados`), /name="code"/, 'also when it is loaded again');
  const person = somebody();
  assert.equal(await led(jar, `${page}/dados`, { ...person, cpf: '1' }), `${page}/dados`);
  const wrong = await jar.text(`${page}/dados`);
  assert.match(wrong, /CPF inválido/);
  assert.match(wrong, /value="Lia Batista"/);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  assert.equal(await led(jar, `${page}/dados`, person), page);
  assert.notEqual((await getOffer(offer.id)).claimed_at, null);
  assert.match(textOf(await jar.text(page)), /Aceitar: 3 × R\$ 33,3/);
  assert.equal(await led(jar, `${page}/aceitar`, { installments: '3' }), page);
  const { status, checkout_hash } = await getOffer(offer.id);
  assert.equal(status, 'accepted');
  const done = await jar.text(page);
  assert.match(textOf(done), /Compra feita: R\$ 100,00\..*Mostre esta tela em Padaria Flor do Trigo/s);
  assert.ok(textOf(done).includes(checkout_hash));
  assert.doesNotMatch(done, /http-equiv="refresh"/);
  for (const step of ['codigo', 'dados'])
    assert.equal(locationOf(await jar.send(`${page}/${step}`)), page, 'going back leads on');
});

test('an existing customer enters phone and code, claims the offer, chooses fewer installments, and accepts', async () => {
  const offer = await createOpenOffer({ amount: 90 });
  const page = addressOf(offer);
  const customer = await newCustomer(service);
  await service.db.run(sql`update customers set credit_limit_cents = 100000 where id = ${customer.id}`);
  const jar = new CookieJar(siteUrl);
  assert.equal(await led(jar, `${page}/celular`, { phone: customer.phone }), `${page}/codigo`);
  // Going back and asking again leads on with the code that was sent.
  assert.ok((await jar.text(page)).includes('value="(11) 98'));
  assert.equal(await led(jar, `${page}/celular`, { phone: customer.phone }), `${page}/codigo`);
  const html = await jar.text(`${page}/codigo`);
  assert.match(html, /Use o código que já enviamos/);
  const code = codeIn(html);
  assert.equal(
    await led(jar, `${page}/codigo`, { code: code === '000000' ? '111111' : '000000' }),
    `${page}/codigo`,
  );
  assert.match(await jar.text(`${page}/codigo`), /Código incorreto/);
  assert.equal(await led(jar, `${page}/codigo`, { code }), page);
  const [all, two] = [await jar.text(page), await jar.text(`${page}?parcelas=2`)].map(textOf);
  assert.match(all!, /Aceitar: 3 × R\$ 30,00/);
  assert.match(two!, /Aceitar: 2 × R\$ 45,00/);
  await led(jar, `${page}/aceitar`, { installments: '2' });
  assert.equal((await getOffer(offer.id)).quote.installments.length, 2);
  // Another browser of the same customer finds the same.
  const otherJar = await signedIn(customer);
  assert.match(textOf(await otherJar.text(page)), /Compra feita/);
});

test('a signed-in customer claims an offer with the button, not by opening it, and not from another site', async () => {
  const offer = await createOpenOffer();
  const page = addressOf(offer);
  const { jar } = await shopper();
  assert.match(textOf(await jar.text(page)), /Pagar com a SemanaNa próxima tela/);
  const forged = await jar.post(`${page}/continuar`, {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(forged.status, 403);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  assert.equal(await led(jar, `${page}/continuar`), page);
  assert.match(textOf(await jar.text(page)), /Aceitar: 3 ×/);
  // Somebody else is told, signed in or not, and can go on as somebody else.
  const { jar: otherJar } = await shopper();
  assert.match(textOf(await otherJar.text(page)), /Outra pessoa já começou a pagar.*Não é você\?/s);
  assert.equal(await led(otherJar, `${page}/continuar`), page);
  assert.match(textOf(await otherJar.text(page)), /peça outro código na loja/);
  assert.equal(await led(otherJar, `${page}/sair`), page);
  assert.match(textOf(await otherJar.text(page)), /Se foi você, confirme o celular/);
});

test('if the code expires while the form is filled in, a new code is sent, the input is kept, and the offer is claimed', async () => {
  const offer = await createOpenOffer();
  const page = addressOf(offer);
  const jar = new CookieJar(siteUrl);
  await toData(jar, page);
  service.clock.advance(6 * 60_000);
  const person = somebody();
  assert.equal(await led(jar, `${page}/dados`, person), `${page}/dados`);
  const refused = await jar.text(`${page}/dados`);
  assert.match(refused, /Código incorreto ou vencido/);
  assert.match(refused, /name="code"/);
  assert.equal(await led(jar, `${page}/dados/reenviar`, person), `${page}/dados`);
  const html = await jar.text(`${page}/dados`);
  for (const typed of [person.name, person.email, person.birth_date])
    assert.ok(html.includes(`value="${typed}"`));
  assert.match(html, /checked/);
  assert.equal(await led(jar, `${page}/dados`, { ...person, code: codeIn(html) }), page);
  assert.notEqual((await getOffer(offer.id)).claimed_at, null);
});

test('if the session ends before the acceptance, the page asks for the phone again and keeps the choice', async () => {
  const offer = await createOpenOffer({ amount: 90 });
  const page = addressOf(offer);
  const { jar, phone, id } = await shopper();
  await led(jar, `${page}/continuar`);
  const chave = /name="chave" value="([^"]+)"/.exec(await jar.text(`${page}?parcelas=2`))![1]!;
  await service.db.run(sql`delete from sessions where customer_id = ${id}`);
  service.clock.advance(16 * 60_000);
  assert.equal(await led(jar, `${page}/aceitar`, { chave, installments: '2' }), page);
  for (let i = 0; i < 2; i++) assert.match(await jar.text(page), /sua sessão terminou/);
  await led(jar, `${page}/celular`, { phone });
  const code = codeIn(await jar.text(`${page}/codigo`));
  assert.equal(await led(jar, `${page}/codigo`, { code }), page);
  assert.match(textOf(await jar.text(page)), /Aceitar: 2 × R\$ 45,00/);
  assert.equal((await getOffer(offer.id)).status, 'pending');
});

test('an acceptance that is repeated from an old page after its response was lost shows the purchase', async () => {
  const page = addressOf(await createOpenOffer({ amount: 90 }));
  const { jar } = await shopper();
  await led(jar, `${page}/continuar`);
  for (const chave of ['first', 'second']) {
    assert.equal(await led(jar, `${page}/aceitar`, { chave, installments: '2' }), page);
    const html = await jar.text(page);
    assert.match(textOf(html), /Compra feita: R\$\s90,00\./);
    assert.doesNotMatch(html, /role="alert"/);
  }
});

test('a customer who may not buy gets the reason and a next step, and others can still claim the offer', async () => {
  const offer = await createOpenOffer();
  const page = addressOf(offer);
  const ana = await signedIn(ANA);
  await led(ana, `${page}/continuar`);
  assert.match(textOf(await ana.text(page)), /Você tem parcela atrasada.*Minha carteira/s);
  assert.equal((await getOffer(offer.id)).claimed_at, null);
  const { jar: poor } = await shopper(50);
  await led(poor, `${page}/continuar`);
  assert.match(textOf(await poor.text(page)), /passa do seu limite: .*Ver o que posso pagar agora/s);
  const locked = await shopper();
  await service.db.run(sql`update customers set locked_at = now() where id = ${locked.id}`);
  const otherOffer = await createOpenOffer();
  await led(locked.jar, `${addressOf(otherOffer)}/continuar`);
  assert.match(
    textOf(await locked.jar.text(addressOf(otherOffer))),
    /Sua conta está bloqueada\. Fale com a gente/,
  );
  assert.equal((await getOffer(otherOffer.id)).claimed_at, null);
});

test('the result of an offer is explained, and links back to the shop with the shop’s own query and the status', async () => {
  const { jar } = await shopper();
  const backOf = (html: string) =>
    /<noscript><meta http-equiv="refresh" content="5;url=([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const made = () => createOpenOffer({ return_url: SHOP, reference: 'R 1', expires_in: 60 });
  const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url!).searchParams);

  const yes = await createOpenOffer({ return_url: SHOP, reference: 'R 0' });
  assert.match(await jar.text(addressOf(yes)), /Voltar para a loja sem pagar/);
  await led(jar, `${addressOf(yes)}/continuar`);
  await led(jar, `${addressOf(yes)}/aceitar`);
  const accepted = await jar.text(addressOf(yes));
  assert.ok(backOf(accepted)!.startsWith('http://localhost:3003/volta?pedido=7&'));
  assert.deepEqual(queryOf(backOf(accepted)), {
    pedido: '7',
    offer_id: yes.id,
    status: 'accepted',
    reference: 'R 0',
  });
  const strangers = await new CookieJar(siteUrl).text(addressOf(yes));
  assert.match(textOf(strangers), /Esta compra já foi feita.*Voltar para a loja/s);
  assert.equal(backOf(strangers), undefined);

  const no = await made();
  await led(jar, `${addressOf(no)}/continuar`);
  await led(jar, `${addressOf(no)}/recusar`);
  const declined = await jar.text(addressOf(no));
  assert.match(textOf(declined), /Você recusou esta oferta\.Nada foi cobrado/);
  assert.equal(queryOf(backOf(declined)).status, 'declined');

  const off = await made();
  await cancel(off.id);
  const cancelled = await jar.text(addressOf(off));
  assert.match(textOf(cancelled), /A loja cancelou esta oferta.*Voltar para a loja/s);
  assert.equal(backOf(cancelled), undefined);

  const late = await made();
  const newcomer = new CookieJar(siteUrl);
  await led(newcomer, `${addressOf(late)}/celular`, { phone: newPhone() });
  service.clock.advance(61_000);
  assert.equal(locationOf(await newcomer.send(`${addressOf(late)}/codigo`)), addressOf(late));
  const expired = await newcomer.text(addressOf(late));
  assert.match(textOf(expired), /O prazo desta oferta acabou/);
  assert.equal(queryOf(backOf(expired)).status, 'expired');
  await led(jar, `${addressOf(late)}/continuar`);
  assert.match(textOf(await jar.text(addressOf(late))), /Esta oferta venceu/);
});

test('an invalid link and an unavailable API have explanatory pages', async () => {
  for (const path of ['/pagar/0000000000000000000000', '/pagar/x', '/pagar/a/b/c', '/pagar/%00']) {
    const response = await fetch(siteUrl + path);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /Não encontramos esta compra/);
  }
  assert.equal(locationOf(await new CookieJar(siteUrl).send('/pagar')), '/carteira/pagar');
  const page = addressOf(await createOpenOffer());
  const away = await fetch((await restartSite({ apiUrl: 'http://127.0.0.1:1' })) + page);
  assert.equal(away.status, 503);
  assert.match(await away.text(), /Nada se perdeu/);
  assert.doesNotMatch(readLog(), new RegExp(page.split('/')[2]!));
});

test('in the wallet a typed code opens the claimed offer; a wrong one is reported beside its field; only this page may use the camera', async () => {
  const offer = await createOpenOffer();
  const { jar } = await shopper();
  for (const path of ['/carteira', '/carteira/ofertas'])
    assert.match(await jar.text(path), /href="\/carteira\/pagar"/);
  const policyOf = async (path: string) => (await jar.send(path)).headers.get('permissions-policy')!;
  assert.match(await policyOf('/carteira/pagar'), /camera=\(self\)/);
  for (const path of ['/carteira', '/', addressOf(offer)]) assert.match(await policyOf(path), /camera=\(\)/);
  for (const codigo of ['', 'NADA', 'AAAA-AAAA', 'x'.repeat(100)]) {
    assert.equal(await led(jar, '/carteira/pagar', { codigo }), '/carteira/pagar');
    const html = await jar.text('/carteira/pagar');
    assert.match(html, /id="codigo-erro"/, codigo);
    if (codigo) assert.ok(html.includes(`value="${codigo}"`));
  }
  const typed = `${offer.code.slice(0, 4)}-${offer.code.slice(4)}`.toLowerCase();
  assert.equal(await led(jar, '/carteira/pagar', { codigo: typed }), `/carteira/ofertas/${offer.id}`);
  assert.match(textOf(await jar.text(`/carteira/ofertas/${offer.id}`)), /Aceitar: 3 ×/);
  const carla = await signedIn(CARLA);
  assert.equal(await led(carla, '/carteira/pagar', { codigo: offer.code }), '/carteira/pagar');
  assert.match(textOf(await carla.text('/carteira/pagar')), /Outra pessoa já começou a pagar/);
  const stranger = await new CookieJar(siteUrl).send('/carteira/pagar');
  assert.equal(locationOf(stranger), '/carteira/entrar?para=%2Fcarteira%2Fpagar');
});

test('of two customers who claim concurrently one succeeds, and the other gets an explanation', async () => {
  const page = addressOf(await createOpenOffer());
  const both = [await shopper(), await shopper()];
  await Promise.all(both.map(({ jar }) => led(jar, `${page}/continuar`)));
  const seen = await Promise.all(both.map(async ({ jar }) => textOf(await jar.text(page))));
  assert.equal(seen.filter((text) => /Aceitar: 3 ×/.test(text)).length, 1);
  assert.equal(seen.filter((text) => /Outra pessoa já começou/.test(text)).length, 1);
});

test('the token of a link is neither in the logs of the pages nor in those of the API', async () => {
  const page = addressOf(await createOpenOffer());
  const { jar } = await shopper();
  await led(jar, `${page}/continuar`);
  await led(jar, `${page}/aceitar`);
  await jar.text(page);
  const token = page.split('/')[2]!;
  assert.doesNotMatch(readLog() + service.readLog(), new RegExp(token));
});
