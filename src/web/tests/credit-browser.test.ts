import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { openBank } from '../../../test/support/decisions.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);
const { db } = service;

/** Somebody with a limit of 150.00 that the policy gave, and 200.00 offered. */
const by = await newCustomer(service);
await db.run(sql`update customers set credit_limit_cents = 15000 where id = ${by.id}`);
await db.run(sql`
  insert into credit_standings (customer_id, limit_cents, offered_cents) values (${by.id}, 15000, 20000)`);
await db.run(sql`
  insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                facts, decided_at)
  values (${by.id}, 'dec_00000000000000000000000001', 'growth', 'approved', 'approved', 20000, 20000, '{paid_on_time}', 1,
          '{"moment": "growth"}', ${service.clock.now()})`);

test('the limit, why it is what it is, a yes to the one that is offered, and the way to a person', async () => {
  const { page, complaints } = await open({ javaScriptEnabled: true });
  await page.goto('/carteira/entrar');
  await page.getByLabel('Celular com DDD').fill(by.phone.slice(3));
  await page.getByLabel('Senha').fill(by.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/carteira');
  await page.getByRole('link', { name: /ver por quê/ }).click();
  await page.getByRole('heading', { name: 'Seu limite', exact: true }).waitFor();
  await page.getByText('Você pagou as suas compras em dia.').waitFor();
  const faults: string[] = [];
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    faults.push(...(await faultsOf(page, look)));
    for (const width of process.env.SHOTS ? [360, 1280] : []) {
      await page.setViewportSize({ width, height: 900 });
      const path = `${process.env.SHOTS}/credit-${look.colorScheme}-${width}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
  assert.deepEqual(faults, []);
  await page.getByRole('button', { name: /^Sim, quero R\$\s200,00$/ }).click();
  await page.getByText(/o seu limite agora é de R\$\s200,00/).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Sim, quero/ }).count(), 0);
  await page.getByRole('button', { name: 'Pedir a análise de uma pessoa' }).click();
  await page.getByText(/Uma pessoa está analisando desde/).waitFor();
  assert.equal(await page.getByRole('button', { name: /análise/ }).count(), 0);
  const [waiting] = await openBank(service).decisions(by.id);
  assert.deepEqual([waiting.moment, waiting.outcome], ['review', 'review']);
  assert.deepEqual(complaints, []);
});
