/** 'npm run pictures': takes screenshots of the apps with demo data for README.md and docs/. Their dates depend on the day of the run. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createLog } from '#platform/observability/log.ts';
import { OWNER_LUCIA } from '../../../test/members.ts';
import { PROJECT } from '../../../test/project.ts';
import { ANA } from '../../../test/purchase-driver.ts';
import { startOffice } from '../start.ts';
import { openBrowser } from './in-browser.ts';
import { openSite } from './site.ts';

const { service, siteUrl } = await openSite();
const { openPage } = await openBrowser(siteUrl);
const LIGHT_OPTIONS = { colorScheme: 'light', locale: 'pt-BR' } as const;
const DESKTOP_OPTIONS = { ...LIGHT_OPTIONS, viewport: { width: 1120, height: 760 } } as const;
const PHONE_OPTIONS = { ...LIGHT_OPTIONS, viewport: { width: 375, height: 720 } } as const;
const JPEG_QUALITY = 78;
const DOCS_DIR = join(PROJECT, 'docs');

const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Takes a screenshot without the sandbox bar, which is not part of the product. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page
    .addStyleTag({ content: '.sandbox-bar, .sandbox { display: none !important; }' })
    .catch(() => undefined);
  await page.screenshot({ path: join(DOCS_DIR, `${name}.jpg`), type: 'jpeg', quality: JPEG_QUALITY });
}

test('screenshots of the site, the wallet and the till', async () => {
  await mkdir(DOCS_DIR, { recursive: true });
  const { page: site } = await openPage({ ...DESKTOP_OPTIONS, bypassCSP: true });
  await site.goto('/');
  await takeScreenshot(site, 'site-home');

  const { page: wallet } = await openPage({ ...PHONE_OPTIONS, bypassCSP: true });
  await wallet.goto('/carteira/entrar');
  await wallet.getByLabel('Celular com DDD').fill(ANA.phone);
  await wallet.getByLabel('Senha', { exact: true }).fill(ANA.password);
  await findButton(wallet, 'Entrar').click();
  await wallet.waitForURL('**/carteira');
  await wallet.locator('a[href*="/carteira/compras/"]').first().click();
  await wallet.waitForLoadState('networkidle');
  await takeScreenshot(wallet, 'wallet-phone');

  const { page: till } = await openPage({ ...PHONE_OPTIONS, bypassCSP: true });
  await till.goto('/balcao/entrar');
  await till.getByLabel('Seu celular com DDD').fill(OWNER_LUCIA);
  await findButton(till, 'Receber o código').click();
  await till.waitForURL('**/codigo');
  await till.getByLabel('Código de 6 números').fill((await till.locator('.sandbox-code b').textContent())!);
  await findButton(till, 'Entrar').click();
  await till.getByLabel('Valor da venda').waitFor();
  for (const key of ['1', '2', '0']) await findButton(till, key).click();
  await takeScreenshot(till, 'till-phone');
});

test('screenshots of the back office', async () => {
  const office = await startOffice({
    port: 0,
    host: '127.0.0.1',
    url: null,
    trustProxy: false,
    staffUrl: service.staffUrl,
    publicSiteUrl: siteUrl,
    secret: Buffer.alloc(32, 9),
    isSandbox: true,
    log: createLog('silent'),
  });
  try {
    const { page } = await openPage({ ...DESKTOP_OPTIONS, baseURL: office.url, bypassCSP: true });
    await page.goto('/');
    await findButton(page, 'Financeiro').click();
    await page.getByRole('heading', { name: 'Hoje', level: 1 }).waitFor();
    await takeScreenshot(page, 'office-today');
    await page.goto('/compras?status=overdue');
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: /^Compra em/, level: 1 }).waitFor();
    await takeScreenshot(page, 'office-purchase');
    await page.goto('/relatorios/safras');
    await page.getByRole('heading', { name: /^Safras/, level: 1 }).waitFor();
    await takeScreenshot(page, 'office-cohorts');
  } finally {
    await office.close();
  }
});
