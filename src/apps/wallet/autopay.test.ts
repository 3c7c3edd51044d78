import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAutopayDriver } from '../../../test/autopay-driver.ts';
import { eventually } from '../../../test/harness.ts';
import { CookieJar } from '../tests/cookie-jar.ts';
import { openSite } from '../tests/site.ts';

const { service, siteUrl } = await openSite();

test('the installments to debit omit the one that the authorisation code pays, while its payment is in transit', async () => {
  const driver = createAutopayDriver(service);
  const customer = await driver.createCustomer();
  const { hash, installments } = await driver.sell(customer, { amount: 100, installments: 4 });
  const charge = await driver.createCharge(customer, installments[0].id, 'settle');
  await driver.payCharge(charge.txid);
  await driver.waitForStatus(customer, charge.id, 'paid');
  const authorisation = await driver.requestAuthorisation(customer, hash, { first: true });
  await driver.setPspFaults({ notify: 'never' }); // so the payment of the second installment is in transit
  await driver.decideAsBank(authorisation.body.id, 'authorise');
  const jar = new CookieJar(siteUrl);
  await jar.post('/carteira/entrar', customer);
  const listDebitNumbers = async () => {
    const html = await jar.text(`/carteira/compras/${hash}/debito`);
    const [, list] = /O que será debitado(.*?)<\/dl>/s.exec(html)!;
    return [...list!.matchAll(/(\d)ª parcela/g)].map(([, number]) => Number(number));
  };
  // The customer has paid the first installment; the authorisation code pays the second one.
  assert.deepEqual(await listDebitNumbers(), [3, 4]);
  await driver.setPspFaults({});
  await driver.runJob('pix_sweep');
  await eventually('the payment has arrived', async () => {
    const [, secondStatus] = await driver.listInstallmentStatuses(customer, hash);
    return secondStatus === 'paid';
  });
  assert.deepEqual(await listDebitNumbers(), [3, 4]);
});
