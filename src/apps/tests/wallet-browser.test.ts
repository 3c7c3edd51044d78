import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import { findButton, readCodeOnPage, requestSignUpCode, signIn } from './journeys.ts';
import { isFocused } from './plain-page.ts';
import { openSite } from './site.ts';

const { service, siteUrl } = await openSite();
const { createOpenOffer } = await createOfferDriver(service);
const { openPage, collectConsoleErrors } = await openBrowser(siteUrl);
const MAX_TAB_PRESSES = 60;
const PHONE_HEIGHT = 740;
const PHONE_SCREEN = { viewport: { width: 360, height: PHONE_HEIGHT } };
const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };

const unfold = (page: Page, name: string) => page.locator('summary', { hasText: name }).click();

test('every page of the wallet passes axe, logs nothing to the console and does not scroll sideways', async () => {
  // Merchants may write long texts without spaces.
  const offerInput = { phone: ANA.phone, amount: 50, installments: 2, description: 'PEDIDO'.repeat(12) };
  const offerResponse = await service.post('/merchant/offers', offerInput, { key: 'sandbox-merchant-key' });
  assert.equal(offerResponse.status, 201);
  const { page, consoleErrors } = await openPage();
  const problems: string[] = [];
  const checkPage = async () => {
    problems.push(...(await findPageProblems(page)));
  };
  for (const path of [
    '/carteira/entrar',
    '/carteira/cadastro?convite=K7RW29AX',
    '/carteira/senha',
    '/carteira/sem-conexao',
  ]) {
    await page.goto(path);
    await checkPage();
  }
  await page.goto('/carteira/entrar');
  await findButton(page, 'Entrar').click();
  await page.getByRole('alert').waitFor();
  assert.ok(await isFocused(page.getByLabel('Celular com DDD')));
  await checkPage();
  await page.goto('/carteira/cadastro');
  await page.getByLabel('Celular com DDD').fill('(31) 98765-4321');
  await findButton(page, 'Receber código').click();
  await page.getByRole('heading', { name: 'Complete o seu cadastro' }).waitFor();
  await checkPage();
  await page.getByLabel('Código de 6 números').fill(await readCodeOnPage(page));
  await findButton(page, 'Criar conta').click();
  await page.getByRole('alert').waitFor();
  assert.ok(await isFocused(page.getByLabel('Nome completo')), 'the first field with an error');
  await checkPage();
  for (const path of ['/carteira/entrar/codigo', '/carteira/senha/nova']) {
    await page.goto(path);
    await checkPage();
  }
  await signIn(page, ANA);
  for (const path of ['', '?situacao=pagas', '/ofertas', '/pagar', '/cashback', '/convites', '/perfil']) {
    await page.goto(`/carteira${path}`);
    if (path === '') await page.locator('.sandbox summary').click();
    await checkPage();
  }
  await page.goto('/carteira?situacao=atrasadas');
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'Semana a semana' }).waitFor();
  await page.getByText('O que foi combinado').click();
  await checkPage();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await page.getByRole('heading', { name: 'Escolha o que cabe hoje' }).waitFor();
  await checkPage();
  await unfold(page, 'Usar cashback');
  await findButton(page, 'Usar cashback').click();
  await page.getByRole('heading', { name: 'Confirme o uso do cashback' }).waitFor();
  await checkPage();
  await page.getByRole('link', { name: 'Voltar sem usar' }).click();
  for (const name of ['Pagar uma parte', 'Prorrogar por 7 dias', 'Usar cashback']) await unfold(page, name);
  await checkPage();
  await findButton(page, /Prorrogar/).click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await checkPage();
  await page.locator('.sandbox summary').click();
  await findButton(page, 'Receber uma oferta').click();
  await page.getByRole('heading', { name: 'Quanto custa' }).waitFor();
  await checkPage();
  await findButton(page, 'Recusar').click();
  await page.getByText('Oferta recusada').waitFor();
  assert.deepEqual([...problems, ...consoleErrors], []);
  await page.context().close();
});

test('the keyboard alone is enough to sign in, open the late installment and pay a part of it; the focus is never under the tab bar', async () => {
  const { page } = await openPage({ viewport: { width: 360, height: 640 } });
  const readFocusedText = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  const isUnderTabs = () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = document.activeElement!.getBoundingClientRect();
      const topElement = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return !document.activeElement!.closest('.tabs') && topElement?.closest('.tabs') !== null;
    });
  const tabTo = async (text: RegExp) => {
    for (let i = 0; i < MAX_TAB_PRESSES; i++) {
      await page.keyboard.press('Tab');
      assert.equal(await isUnderTabs(), false, `${await readFocusedText()} is under the tabs`);
      if (text.test((await readFocusedText()) ?? '')) return;
    }
    assert.fail(`no way to ${text} by keyboard`);
  };
  await page.goto('/carteira/entrar');
  await page.keyboard.press('Tab');
  assert.equal(await readFocusedText(), 'Ir para o conteúdo');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('11987650001');
  await page.keyboard.press('Tab');
  await page.keyboard.type('semana-demo-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Olá, Ana' }).waitFor();
  await tabTo(/^Ótica Vista Linda/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Semana a semana' }).waitFor();
  await tabTo(/^Pagar a/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Escolha o que cabe hoje' }).waitFor();
  await tabTo(/^Pagar uma parte/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.context().close();
});

test('going back after a POST shows the page again and sends nothing; a double click sends once', async () => {
  const { page, consoleErrors } = await openPage();
  await signIn(page, ANA);
  let postCount = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') postCount += 1;
  });
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await unfold(page, 'Pagar uma parte');
  await page.getByLabel('Quanto pagar agora').fill('1.500');
  await findButton(page, 'Gerar PIX desta parte').dblclick();
  await page.getByText('Escreva o valor assim').waitFor();
  assert.equal(await page.getByLabel('Quanto pagar agora').inputValue(), '1.500');
  await page.getByLabel('Quanto pagar agora').fill('20');
  await findButton(page, 'Gerar PIX desta parte').dblclick();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  assert.equal(postCount, 2, 'one for each double click');
  await page.goBack();
  await page.getByRole('link', { name: /Ver o código PIX de R\$\s20,00/ }).waitFor();
  await unfold(page, 'Usar cashback');
  await page.getByLabel('Quanto usar').fill('0,5');
  await findButton(page, 'Usar cashback').dblclick();
  await findButton(page, /^Usar R\$\s0,50 de cashback$/).dblclick();
  await page.getByText(/Você usou R\$\s0,50 de cashback/).waitFor();
  assert.equal(postCount, 4, 'one more for each double click');
  await page.goBack();
  await page.goForward();
  assert.equal(postCount, 4);
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('signing out in one tab signs out the other tabs, even one that waits for a payment', async () => {
  const { page } = await openPage();
  await signIn(page, ANA);
  const otherPage = await page.context().newPage();
  collectConsoleErrors(otherPage);
  await otherPage.goto('/carteira/perfil');
  const waitingPage = await page.context().newPage();
  await waitingPage.goto('/carteira?situacao=abertas');
  await waitingPage.locator('.rows a').first().click();
  await waitingPage.getByRole('link', { name: /Pagar a/ }).click();
  await findButton(waitingPage, /com PIX$/).click();
  await waitingPage.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.goto('/carteira/perfil');
  await findButton(page, 'Sair deste aparelho').click();
  await page.getByText('Você saiu da sua conta.').waitFor();
  for (const tab of [otherPage, waitingPage])
    await tab.getByRole('heading', { name: 'Entre na sua carteira' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Entre na sua carteira' }).waitFor();
  await page.context().close();
});

test('without a connection a page without personal data is shown, and the wallet continues when the connection is back', async () => {
  const { page } = await openPage();
  await signIn(page, ANA);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(
    async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller !== null,
  );
  await page.context().setOffline(true);
  await page.goto('/carteira/cashback');
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  assert.doesNotMatch((await page.textContent('body'))!, /Ana|R\$|98765/);
  const cachedPaths = await page.evaluate(async () => {
    const requestLists = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return requestLists.flat().map(({ url }) => new URL(url).pathname);
  });
  assert.deepEqual(
    cachedPaths.filter((path) => path.startsWith('/carteira')),
    ['/carteira/sem-conexao'],
  );
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Tentar de novo' }).click();
  await page.getByRole('heading', { name: 'Cashback', exact: true }).waitFor();
  await page.context().close();
});

/** Presses Enter in every single-line field, and lists the fields that submit to another URL than that of their form. */
async function pressEnterInFields(page: Page): Promise<{ fieldCount: number; problems: string[] }> {
  const selector = 'form input:not([type=hidden], [type=checkbox])';
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    document.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const form = event.target as HTMLFormElement;
        const button = event.submitter as HTMLButtonElement | null;
        form.dataset.target = button?.hasAttribute('formaction') ? button.formAction : form.action;
      },
      true,
    );
  });
  const fields = await page.locator(selector).all();
  const problems: string[] = [];
  for (const field of fields) {
    await field.press('Enter');
    const { ownTarget, target, name } = await field.evaluate((input: HTMLInputElement) => {
      const form = input.form!;
      const { target } = form.dataset;
      delete form.dataset.target;
      return { ownTarget: form.action, target, name: input.name };
    });
    // The browser does not submit an invalid form, and reports the invalid field.
    if (target !== undefined && target !== ownTarget) problems.push(`${page.url()} ${name}: ${target}`);
  }
  return { fieldCount: fields.length, problems };
}

// `findPageProblems` inspects the buttons of every form. Here a browser confirms that Enter does what that check expects.
test('Enter submits the main action, in every field of forms with several buttons', async () => {
  const { page } = await openPage();
  const problems: string[] = [];
  let fieldCount = 0;
  const checkFields = async () => {
    const result = await pressEnterInFields(page);
    problems.push(...result.problems);
    fieldCount += result.fieldCount;
  };
  const offerPath = `/pagar/${(await createOpenOffer()).link.split('/').at(-1)}`;
  for (const path of ['/carteira/entrar', offerPath]) {
    await page.goto(path);
    await checkFields();
  }
  await requestSignUpCode(page, '(51) 98765-4321');
  for (const path of ['/carteira/cadastro/dados', '/carteira/entrar/codigo', `${offerPath}/codigo`]) {
    await page.goto(path);
    await checkFields();
  }
  assert.deepEqual(problems, []);
  assert.ok(fieldCount >= 10, `${fieldCount} fields`);
  await page.context().close();
});

test('input masks insert dots and dashes during typing, allow corrections, and never guess', async () => {
  const { page, consoleErrors } = await openPage(PHONE_SCREEN);
  const typeInto = async (label: string, text: string) => {
    const field = page.getByLabel(label);
    await field.fill('');
    await field.pressSequentially(text);
    return field.inputValue();
  };
  await requestSignUpCode(page, '81987654321');
  assert.equal(await typeInto('CPF', '52998224725'), '529.982.247-25');
  assert.equal(await typeInto('Data de nascimento', '31051990'), '31/05/1990');
  assert.equal(await typeInto('Data de nascimento', '1/5/1990'), '01/05/1990');
  await page.getByLabel('CPF').press('End');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  assert.equal(await page.getByLabel('CPF').inputValue(), '529.982.2', 'characters can be deleted');
  await page.reload();
  assert.equal(await page.getByLabel('CPF').inputValue(), '529.982.2', 'a reload loses nothing');
  assert.equal(await page.getByLabel('Data de nascimento').inputValue(), '01/05/1990');
  await page.goto('/carteira/entrar');
  assert.equal(await typeInto('Celular com DDD', '11987650001'), '(11) 98765-0001');
  assert.equal(await typeInto('Celular com DDD', '1134567890'), '(11) 3456-7890');
  assert.equal(await typeInto('Celular com DDD', '+351912345678'), '+351912345678');
  await page.goto('/lojas/padaria-flor-do-trigo');
  const amount = page.getByLabel('Valor da compra (R$)');
  for (const [text, expected] of [
    ['150', '150,00'],
    ['1234,5', '1.234,50'],
    ['1.234,50', '1.234,50'],
    ['R$ 99', '99,00'],
    ['1.500', '1.500'],
  ] as const) {
    await typeInto('Valor da compra (R$)', text);
    await amount.blur();
    assert.equal(await amount.inputValue(), expected, text);
  }
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('a password can be shown, and is hidden again before it is sent; without JavaScript the button is hidden', async () => {
  const { page } = await openPage(PHONE_SCREEN);
  await page.goto('/carteira/entrar');
  const field = page.getByLabel('Senha', { exact: true });
  await field.fill('segredo');
  await findButton(page, 'Mostrar a senha').click();
  assert.equal(await field.getAttribute('type'), 'text');
  assert.equal(await findButton(page, 'Ocultar a senha').getAttribute('aria-pressed'), 'true');
  await field.evaluate((input: HTMLInputElement) => {
    input.form!.addEventListener('submit', (event) => event.preventDefault());
    input.form!.requestSubmit();
  });
  assert.equal(await field.getAttribute('type'), 'password');
  await page.context().close();
  const html = await (await fetch(`${siteUrl}/carteira/entrar`)).text();
  assert.match(html, /data-show="password"[^>]* hidden/);
});

test('a theme can be set without JavaScript, and applies to site and wallet whatever the device prefers', async () => {
  const { page } = await openPage({ javaScriptEnabled: false, colorScheme: 'light' });
  const readBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto('/blog?pagina=2');
  const lightBackground = await readBackground();
  await findButton(page, 'Escuro').click();
  assert.equal(new URL(page.url()).search, '?pagina=2');
  const darkBackground = await readBackground();
  assert.notEqual(darkBackground, lightBackground);
  await page.goto('/carteira/entrar');
  assert.equal(await readBackground(), darkBackground);
  assert.equal(await findButton(page, 'Escuro').getAttribute('aria-pressed'), 'true');
  await findButton(page, 'Claro').click();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await readBackground(), lightBackground);
  await findButton(page, 'Automático').click();
  assert.equal(await readBackground(), darkBackground);
  await page.context().close();
});

test('a Pix page starts with the copy button on a phone and the QR code on a desktop, and links to the help', async () => {
  const { page } = await openPage(PHONE_SCREEN);
  await signIn(page, ANA);
  await page.locator('.due a').first().click();
  await findButton(page, /com PIX$/).click();
  const qrImage = page.getByRole('img', { name: 'QR code deste PIX' });
  const copyButton = findButton(page, 'Copiar código PIX');
  await qrImage.waitFor();
  const [phoneCopyBox, phoneQrBox] = [(await copyButton.boundingBox())!, (await qrImage.boundingBox())!];
  assert.ok(phoneCopyBox.y + phoneCopyBox.height < phoneQrBox.y);
  assert.ok(phoneCopyBox.y + phoneCopyBox.height < PHONE_HEIGHT, 'without scrolling');
  await page.setViewportSize({ width: 1280, height: 800 });
  const [desktopCopyBox, desktopQrBox] = [(await copyButton.boundingBox())!, (await qrImage.boundingBox())!];
  assert.ok(desktopQrBox.x + desktopQrBox.width < desktopCopyBox.x);
  assert.equal(
    await page.getByRole('banner').getByRole('link', { name: 'Ajuda' }).getAttribute('href'),
    '/perguntas',
  );
  await page.context().close();
});
