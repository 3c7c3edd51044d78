import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openStall } from '../../../test/stall.ts';
import { openBrowser } from './in-browser.ts';
import { button, checkFaultsAreTied, requestCode, signIn } from './journeys.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { openOffer } = await openStall(service);
const { open } = await openBrowser(siteUrl);
const PHONE = { viewport: { width: 360, height: 740 } };
const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };

/** Presses Enter in every field that takes a line of text, and says where that went instead of to the form's own address. */
async function strayEnters(page: Page): Promise<{ fields: number; strays: string[] }> {
  const selector = 'form input:not([type=hidden], [type=checkbox])';
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    document.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const form = event.target as HTMLFormElement;
        const pressed = event.submitter as HTMLButtonElement | null;
        form.dataset.went = pressed?.hasAttribute('formaction') ? pressed.formAction : form.action;
      },
      true,
    );
  });
  const fields = await page.locator(selector).all();
  const strays: string[] = [];
  for (const field of fields) {
    await field.press('Enter');
    const { own, went, name } = await field.evaluate((input: HTMLInputElement) => {
      const form = input.form!;
      const { went: to } = form.dataset;
      delete form.dataset.went;
      return { own: form.action, went: to, name: input.name };
    });
    // A form that is not valid yet goes nowhere, and says why itself.
    if (went !== undefined && went !== own) strays.push(`${page.url()} ${name}: ${went}`);
  }
  return { fields: fields.length, strays };
}

// `inspect` checks every form of every page. Here a browser confirms that Enter does what that check expects.
test('Enter does what the form is for, in every field of forms with several buttons', async () => {
  const { page } = await open();
  const strays: string[] = [];
  let fields = 0;
  const look = async () => {
    const seen = await strayEnters(page);
    strays.push(...seen.strays);
    fields += seen.fields;
  };
  const offer = `/pagar/${(await openOffer()).link.split('/').at(-1)}`;
  for (const path of ['/carteira/entrar', offer]) {
    await page.goto(path);
    await look();
  }
  await requestCode(page, '(51) 98765-4321');
  for (const path of ['/carteira/cadastro/dados', '/carteira/entrar/codigo', `${offer}/codigo`]) {
    await page.goto(path);
    await look();
  }
  assert.deepEqual(strays, []);
  assert.ok(fields >= 10, `${fields} fields`);
  await page.context().close();
});

test('a fault is tied to its field, which has the focus: code, terms, simulator', async () => {
  const { page } = await open(PHONE);
  await checkFaultsAreTied(page, '(61) 98765-4321');
  await page.context().close();
});

test('masks put dots and dashes in while one types, let one mend, and guess at nothing', async () => {
  const { page, complaints } = await open(PHONE);
  const typed = async (label: string, text: string) => {
    const field = page.getByLabel(label);
    await field.fill('');
    await field.pressSequentially(text);
    return field.inputValue();
  };
  await requestCode(page, '81987654321');
  assert.equal(await typed('CPF', '52998224725'), '529.982.247-25');
  assert.equal(await typed('Data de nascimento', '31051990'), '31/05/1990');
  assert.equal(await typed('Data de nascimento', '1/5/1990'), '01/05/1990');
  await page.getByLabel('CPF').press('End');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  assert.equal(await page.getByLabel('CPF').inputValue(), '529.982.2', 'it can be taken back');
  await page.reload();
  assert.equal(await page.getByLabel('CPF').inputValue(), '529.982.2', 'a reload loses nothing');
  assert.equal(await page.getByLabel('Data de nascimento').inputValue(), '01/05/1990');
  await page.goto('/carteira/entrar');
  assert.equal(await typed('Celular com DDD', '11987650001'), '(11) 98765-0001');
  assert.equal(await typed('Celular com DDD', '1134567890'), '(11) 3456-7890');
  assert.equal(await typed('Celular com DDD', '+351912345678'), '+351912345678');
  await page.goto('/lojas/padaria-flor-do-trigo');
  const amount = page.getByLabel('Valor da compra (R$)');
  for (const [text, shown] of [
    ['150', '150,00'],
    ['1234,5', '1.234,50'],
    ['1.234,50', '1.234,50'],
    ['R$ 99', '99,00'],
    ['1.500', '1.500'],
  ] as const) {
    await typed('Valor da compra (R$)', text);
    await amount.blur();
    assert.equal(await amount.inputValue(), shown, text);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a password can be shown, and is hidden again before it is sent; without JavaScript there is no such button', async () => {
  const { page } = await open(PHONE);
  await page.goto('/carteira/entrar');
  const field = page.getByLabel('Senha', { exact: true });
  await field.fill('segredo');
  await button(page, 'Mostrar a senha').click();
  assert.equal(await field.getAttribute('type'), 'text');
  assert.equal(await button(page, 'Ocultar a senha').getAttribute('aria-pressed'), 'true');
  await field.evaluate((input: HTMLInputElement) => {
    input.form!.addEventListener('submit', (event) => event.preventDefault());
    input.form!.requestSubmit();
  });
  assert.equal(await field.getAttribute('type'), 'password');
  await page.context().close();
  const { page: plain } = await open({ ...PHONE, javaScriptEnabled: false });
  await plain.goto('/carteira/entrar');
  assert.equal(await button(plain, /senha/i).count(), 0);
  await plain.context().close();
});

test('a theme is chosen without JavaScript, and holds on site and wallet whatever the device says', async () => {
  const { page } = await open({ javaScriptEnabled: false, colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto('/blog?pagina=2');
  const light = await paper();
  await button(page, 'Escuro').click();
  assert.equal(new URL(page.url()).search, '?pagina=2');
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.goto('/carteira/entrar');
  assert.equal(await paper(), dark);
  assert.equal(await button(page, 'Escuro').getAttribute('aria-pressed'), 'true');
  await button(page, 'Claro').click();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await paper(), light);
  await button(page, 'Automático').click();
  assert.equal(await paper(), dark);
  await page.context().close();
});

test('a PIX begins with the button that copies on a phone, and with the QR code on a desktop', async () => {
  const { page } = await open(PHONE);
  await signIn(page, ANA);
  await page.locator('.due a').first().click();
  await button(page, /com PIX$/).click();
  const qr = page.getByRole('img', { name: 'QR code deste PIX' });
  const copy = button(page, 'Copiar código PIX');
  await qr.waitFor();
  const [phoneCopy, phoneQr] = [(await copy.boundingBox())!, (await qr.boundingBox())!];
  assert.ok(phoneCopy.y + phoneCopy.height < phoneQr.y);
  assert.ok(phoneCopy.y + phoneCopy.height < 740, 'without scrolling');
  await page.setViewportSize({ width: 1280, height: 800 });
  const [copyBox, qrBox] = [(await copy.boundingBox())!, (await qr.boundingBox())!];
  assert.ok(qrBox.x + qrBox.width < copyBox.x);
  assert.equal(
    await page.getByRole('banner').getByRole('link', { name: 'Ajuda' }).getAttribute('href'),
    '/perguntas',
  );
  await page.context().close();
});
