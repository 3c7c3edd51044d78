import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAutopayShop } from '../../../test/autopay-shop.ts';
import { eventually } from '../../../test/harness.ts';
import { CookieJar } from '../tests/cookie-jar.ts';
import { openSite } from '../tests/site.ts';

const { service, siteUrl } = await openSite();

test('the installments to debit omit the one that the authorisation code pays, while its payment is in transit', async () => {
  const shop = openAutopayShop(service);
  const shopper = await shop.newShopper();
  const { hash, installments } = await shop.sell(shopper, { amount: 100, installments: 4 });
  const charge = await shop.createCharge(shopper, installments[0].id, 'settle');
  await shop.payCharge(charge.txid);
  await shop.waitForStatus(shopper, charge.id, 'paid');
  const authorisation = await shop.requestAuthorisation(shopper, hash, { first: true });
  await shop.setPspFaults({ notify: 'never' });
  await shop.decideAsBank(authorisation.body.id, 'authorise');
  const jar = new CookieJar(siteUrl);
  await jar.post('/carteira/entrar', shopper);
  const listNumbers = async () => {
    const html = await jar.text(`/carteira/compras/${hash}/debito`);
    const [, list] = /O que será debitado(.*?)<\/dl>/s.exec(html)!;
    return [...list!.matchAll(/(\d)ª parcela/g)].map(([, number]) => Number(number));
  };
  assert.deepEqual(await listNumbers(), [3, 4]);
  await shop.setPspFaults({});
  await shop.runJob('pix_sweep');
  await eventually('the payment has arrived', async () => {
    const [, second] = await shop.listStatuses(shopper, hash);
    return second === 'paid';
  });
  assert.deepEqual(await listNumbers(), [3, 4]);
});
