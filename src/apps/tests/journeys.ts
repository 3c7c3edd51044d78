import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { parseCpf } from '#core/values/cpf.ts';
import { MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, type Service } from '../../../test/harness.ts';
import { OWNER_LUCIA } from '../../../test/members.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { createPurchaseDriver } from '../../../test/purchase-driver.ts';
import { formatPhone } from '../text/format.ts';
import { type AnyPage, isFocused, type LocatorOf } from './plain-page.ts';
import { pickWrongCode } from './site.ts';

// Journeys of users, on pages in a browser or without scripts.

export const findButton = <P extends AnyPage>(page: P, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }) as LocatorOf<P>;
export const findLink = <P extends AnyPage>(page: P, name: string) =>
  page.getByRole('link', { name, exact: true }) as LocatorOf<P>;
/** Reads the code that the sandbox bar shows, because no message is sent. */
export const readCodeOnPage = async (page: AnyPage) => (await page.locator('.sandbox-code b').textContent())!;
export const buildPayPath = ({ link: url }: { link: string }) => `/pagar/${url.split('/').at(-1)}`;

/** Only a page in a real browser can send requests besides loading pages. */
const isInBrowser = (page: AnyPage): page is Page => 'request' in page;

/** Signs a customer in and opens the page. In a browser the form is posted without loading its page, which other tests check. */
export async function signIn(
  page: AnyPage,
  { phone, password }: { phone: string; password: string },
  path = '/carteira',
): Promise<void> {
  if (isInBrowser(page)) {
    await postForm(page, '/carteira/entrar', { phone, password });
    await page.goto(path);
    assert.equal(new URL(page.url()).pathname, path, 'signed in');
    return;
  }
  await page.goto(`/carteira/entrar?para=${encodeURIComponent(path)}`);
  await page.getByLabel('Celular com DDD').fill(formatPhone(phone));
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await findButton(page, 'Entrar').click();
  await page.waitForURL(`**${path}`);
}

/** Posts a form without loading a page. The browser stores the cookies of the response. */
async function postForm(page: Page, path: string, form: Record<string, string>): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const response = await page.request.post(path, { form, headers, maxRedirects: 0 });
  assert.equal(response.status(), 303, path);
}

/** Signs a member in to the till by code. */
export async function signInToTill(page: AnyPage, service: Service, phone: string): Promise<void> {
  service.clock.advance(13 * MINUTE_MS); // a phone gets at most five codes in an hour, one in 12 minutes
  await page.goto('/balcao/entrar');
  await page.getByLabel('Seu celular com DDD').fill(phone);
  await findButton(page, 'Receber o código').click();
  await page.waitForURL('**/codigo');
  await page.getByLabel('Código de 6 números').fill(await readCodeOnPage(page));
  await findButton(page, 'Entrar').click();
  await page.getByLabel('Valor da venda').waitFor();
}

/** Enters an amount with the keypad of the till. */
export async function typeAmount(page: AnyPage, keys: string): Promise<void> {
  for (const key of keys) await findButton(page, key === ',' ? 'vírgula' : key).click();
}

export const readOfferPath = (page: AnyPage) => findLink(page, 'Abrir como cliente').getAttribute('href');
export const findSoldHeading = (page: AnyPage, amount: string) =>
  page.getByRole('heading', { name: new RegExp(`^Vendido: R\\$\\s${amount}\\.$`) });

/** Signs a person up by an invitation, buys, pays the first installment, and checks the cashback. */
export async function signUpByInvitationAndPay(
  page: AnyPage,
  service: Service,
  person: { phone: string; cpf: string },
  waitUntilPaid: () => Promise<void>,
): Promise<void> {
  const invitation = await service.db.row<{ code: string }>(
    sql`select code from customer_referral_codes order by customer_id limit 1`,
  );
  await page.goto(`/convite/${invitation!.code}`);
  await page.getByRole('link', { name: 'Criar minha conta' }).click();
  await page.getByLabel('Celular com DDD').fill(person.phone);
  await findButton(page, 'Receber código').click();
  await page.getByRole('heading', { name: 'Complete o seu cadastro' }).waitFor();
  const code = await readCodeOnPage(page);
  await findButton(page, 'Preencher por mim').click();
  await eventually('the form is filled in', async () => {
    return (await page.getByLabel('Código de 6 números').inputValue()) === code;
  });
  assert.ok(parseCpf(await page.getByLabel('CPF').inputValue()));
  await page.getByLabel('Nome completo').fill('Elisa Prado');
  await page.getByLabel('CPF').fill('123.456.789-00');
  await page.getByRole('checkbox').check();
  assert.equal(await page.getByLabel('Código de convite').inputValue(), invitation!.code);
  await findButton(page, 'Criar conta').click();
  // The error is beside its field, and the other fields still have their values.
  await page.getByText('CPF inválido. Confira os números.').waitFor();
  assert.equal(await page.getByLabel('Nome completo').inputValue(), 'Elisa Prado');
  assert.ok(await page.getByRole('checkbox').isChecked());
  assert.ok(await isFocused(page.getByLabel('CPF')));
  await page.getByLabel('CPF').fill(person.cpf);
  await findButton(page, 'Criar conta').click();
  await page.getByRole('heading', { name: 'Olá, Elisa' }).waitFor();
  await findButton(page, 'Receber uma oferta').last().click();
  await page.getByRole('heading', { name: 'Padaria Flor do Trigo' }).waitFor();
  await page.getByText('0% ao mês, 0% ao ano').waitFor();
  assert.equal(await page.locator('.schedule tbody tr').count(), 4);
  await findButton(page, /^Aceitar: 4 × /).click();
  await page.getByText('Compra feita.').waitFor();
  await page.getByRole('link', { name: /Pagar a 1ª parcela/ }).click();
  await findButton(page, /com PIX$/).click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  assert.match(await page.getByLabel('PIX copia e cola').inputValue(), /^000201.*6304[0-9A-F]{4}$/);
  // Without scripts, the page of an unpaid charge reloads automatically.
  assert.match(await page.locator('noscript').first().innerHTML(), /http-equiv="refresh"/);
  await page.getByText('Já paguei, verificar agora').click();
  await findButton(page, 'Pagar este PIX').click();
  await waitUntilPaid();
  await page.getByRole('link', { name: 'Ver o cashback' }).click();
  // Cashback of 2.5 % for paying R$ 30,00 on time is R$ 0,75; the invitation earns R$ 10,00.
  await page.locator('.glance-figure', { hasText: '10,75' }).waitFor();
}

/** Starts a local server as the site of a shop. Records the redirects to it in `visits`. `createOffer` creates offers that return to it. */
export async function startShopSite(service: Service) {
  const { createOpenOffer } = await createOfferDriver(service);
  const visits: Array<{ url: URL; referrer: string | undefined }> = [];
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/volta'))
      visits.push({ url: new URL(request.url!, 'http://localhost'), referrer: request.headers.referer });
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><html lang="pt-BR"><title>Loja</title><h1>De volta à loja</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { secret } = await service.newKey({ scopes: ['merchant'], return_origins: [origin] });
  // The redirect preserves the query of the return URL.
  const createOffer = (overrides: object = {}) =>
    createOpenOffer({ return_url: `${origin}/volta?a=1`, ...overrides }, { key: secret });
  return { visits, createOffer };
}

/** Accepts one offer, declines another, and opens a third that has expired. Checks that each redirects to the shop without a Referer. */
export async function checkRedirectsToShop(page: AnyPage, service: Service): Promise<void> {
  const { visits, createOffer } = await startShopSite(service);
  const shopHeading = page.getByRole('heading', { name: 'De volta à loja' });
  const expiresInSeconds = 60;
  const [acceptedOffer, declinedOffer, expiredOffer] = [
    await createOffer({ reference: 'yes' }),
    await createOffer({ reference: 'no' }),
    await createOffer({ reference: 'late', expires_in: expiresInSeconds }),
  ];
  for (const [offer, decisionButton] of [
    [acceptedOffer, findButton(page, /^Aceitar: 3 × /)],
    [declinedOffer, findButton(page, 'Recusar')],
  ] as const) {
    await page.goto(buildPayPath(offer));
    await findButton(page, /^Pagar com a Semana/).click();
    await decisionButton.click();
    await shopHeading.waitFor();
  }
  service.clock.advance((expiresInSeconds + 1) * SECOND_MS);
  await page.goto(buildPayPath(expiredOffer));
  await shopHeading.waitFor();
  assert.deepEqual(
    visits.map(({ url, referrer }) => [Object.fromEntries(url.searchParams), referrer]),
    [
      [{ a: '1', offer_id: acceptedOffer.id, status: 'accepted', reference: 'yes' }, undefined],
      [{ a: '1', offer_id: declinedOffer.id, status: 'declined', reference: 'no' }, undefined],
      [{ a: '1', offer_id: expiredOffer.id, status: 'expired', reference: 'late' }, undefined],
    ],
  );
}

/** A member sells by the link of a QR code, the customer accepts, and the member records a return of half the amount. */
export async function sellAndReturnHalf(till: AnyPage, wallet: AnyPage, service: Service): Promise<void> {
  await signInToTill(till, service, OWNER_LUCIA);
  await signIn(wallet, await createPurchaseDriver(service).createCustomer());
  await typeAmount(till, '120,5');
  for (let i = 0; i < 2; i++) await findButton(till, 'apagar').click(); // deletes the 5 and the comma
  assert.equal(await till.getByLabel('Valor da venda').inputValue(), '120');
  await findButton(till, 'Continuar').click();
  await findButton(till, /^4 × R\$\s30,00/).click();
  await till.getByRole('img', { name: 'QR code desta venda' }).waitFor();
  await wallet.goto((await readOfferPath(till))!);
  await findButton(wallet, /^Pagar com a Semana/).click();
  await till.getByText('O cliente abriu a compra.').waitFor();
  await findButton(wallet, /^Aceitar: 4 × R\$\s30,00$/).click();
  await wallet.getByRole('heading', { name: /^Compra feita: R\$\s120,00\.$/ }).waitFor();
  await findSoldHeading(till, '120,00').waitFor();
  const code = await till.locator('.receipt b').textContent();
  assert.equal(await wallet.locator('.receipt b').textContent(), code);

  await findLink(till, 'Ver a venda').click();
  await till.getByText('Lúcia Prado').waitFor();
  await findLink(till, 'Devolver').click();
  await till.getByLabel('Quanto devolver').fill('60');
  await till.getByLabel('Motivo').fill('Um dos dois voltou');
  await findButton(till, 'Ver o que acontece').click();
  await till.getByText('Ainda deve desta compra').waitFor();
  await findButton(till, /^Devolver R\$\s60,00$/).click();
  await till.getByText(/^Devolução feita: R\$\s60,00/).waitFor();
  await till.getByText(/^Devolvidos R\$\s60,00$/).waitFor();
  await findLink(till, 'Dinheiro').click();
  await till.getByText('Você recebe', { exact: true }).waitFor();
  await findLink(till, 'Extrato').click();
  const statementRow = till.getByRole('row', { name: /^Devolução/ }).first();
  assert.match((await statementRow.textContent())!, /-R\$\s60,00/);
  await findLink(till, 'Vender').click();
  await till.getByLabel('Valor da venda').waitFor();
}

/** Requests a code for a phone without an account, and waits for the sign-up form. */
export async function requestSignUpCode(page: AnyPage, phone: string): Promise<void> {
  await page.goto('/carteira/cadastro');
  await page.getByLabel('Celular com DDD').fill(phone);
  await findButton(page, 'Receber código').click();
  await page.waitForURL('**/cadastro/dados');
}

/** Checks that each invalid field refers to its error message (aria-describedby) and has the focus. */
export async function checkFieldErrors(page: AnyPage, phone: string): Promise<void> {
  const assertFieldError = async (id: string, text: RegExp) => {
    await page.locator(`#${id}-erro`, { hasText: text }).waitFor();
    assert.equal(await page.locator(`#${id}`).getAttribute('aria-describedby'), `${id}-erro`, id);
    assert.equal(await page.locator(`#${id}`).getAttribute('aria-invalid'), 'true', id);
    assert.ok(await isFocused(page.locator(`#${id}`)), `${id} has the focus`);
  };
  await requestSignUpCode(page, phone);
  const code = await readCodeOnPage(page);
  await findButton(page, 'Preencher por mim').click();
  await findButton(page, 'Criar conta').click();
  await assertFieldError('terms', /é preciso aceitar os termos/);
  await page.getByRole('checkbox').check();
  await page.getByLabel('Código de 6 números').fill(pickWrongCode(code));
  await findButton(page, 'Criar conta').click();
  await assertFieldError('code', /Código incorreto/);
  await page.goto('/carteira/senha/nova');
  await page.getByLabel('Código de 6 números').fill('12');
  await page.getByLabel('Senha nova').fill('tucano-lilás-na-feira');
  await findButton(page, 'Salvar e entrar').click();
  await assertFieldError('code', /6 números/);
  await page.goto('/lojas/padaria-flor-do-trigo');
  await page.getByLabel('Valor da compra (R$)').fill('1');
  await page.getByLabel('Valor da compra (R$)').press('Enter');
  await assertFieldError('valor', /Esta loja vende de/);
}
