import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { openService } from './harness.ts';

const service = await openService();
const browser = await launchBrowser();
after(() => browser.close());

/** Opens a page, and collects what the browser reports on its console, such as violations of the content policy. */
async function openPage(options: BrowserContextOptions) {
  const context = await browser.newContext({ baseURL: service.partnerUrl, ...options });
  const page = await context.newPage();
  const consoleMessages: string[] = [];
  page.on('console', (message) => consoleMessages.push(message.text()));
  page.on('pageerror', (error) => consoleMessages.push(error.message));
  return { page, consoleMessages };
}

test('guides fit phones and wide screens, and load nothing that their content policy forbids', async () => {
  for (const width of [320, 390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, consoleMessages } = await openPage({ viewport: { width, height: 800 }, colorScheme });
      for (const path of ['/docs/en', '/docs/pt/wallet', '/docs/pt/retries', '/errors']) {
        await page.goto(path);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(overflow) <= 0, `${path} scrolls sideways at ${width}`);
      }
      assert.deepEqual(consoleMessages, []);
    }
});

test('the language of the examples can be chosen with the keyboard, applies to all pages, and code can be copied', async () => {
  const { page, consoleMessages } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/docs/en/wallet');
  assert.equal(await page.locator('pre:visible', { hasText: 'def call' }).count(), 0);
  await page.locator('.examples input').first().focus();
  for (let pressCount = 0; pressCount < 2; pressCount++) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('pre:visible', { hasText: 'def call' }).count(), 1);
  await page.goto('/docs/en/website');
  const code = page.locator('.code:visible', { hasText: 'def call' });
  await code.getByRole('button', { name: 'Copy' }).click();
  await code.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /def call/);
  assert.deepEqual(consoleMessages, []);
});

test('links between guides, sections and the reference lead to their targets', async () => {
  const { page } = await openPage({ viewport: { width: 390, height: 800 } });
  await page.goto('/docs/pt');
  await page.getByRole('link', { name: 'Páginas' }).click();
  await page.getByRole('link', { name: 'Webhooks e eventos', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('**/docs/en/webhooks');
  await page.getByRole('link', { name: 'PATCH /webhooks/:id' }).click();
  await page.getByRole('heading', { name: 'Change a webhook endpoint' }).waitFor();
});
