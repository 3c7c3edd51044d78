import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { eventually, openService } from '../../test/harness.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { ANA, newCode } from '../../test/support/customers.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);
const run = createCommandRunner(service);

type TimelineEntry = { at: string; kind: string; text: string } & Record<string, string>;
/** Reads the timeline, which URLs and commands call `story`. */
const readTimeline = async (idOrPhone: string, query = 'limit=100'): Promise<TimelineEntry[]> => {
  const response = await pixDriver.callStaff('GET', `/admin/customers/${idOrPhone}/story?${query}`);
  assert.equal(response.status, 200, response.text);
  return response.body.data;
};

test('the timeline has purchases, Pix charges, payments, refunds, chargebacks, cashback, messages, logins and staff changes, newest first', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer, { terms: { cashback_percent: 5 } });
  const installmentId = checkout.installments[0].id;
  // The clock moves between the steps, because entries are sorted by time.
  service.clock.advance(MINUTE_MS);
  await newCode(service, customer.phone);
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  service.clock.advance(MINUTE_MS);
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid, { value: 130 });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  const laterCheckout = await pixDriver.sell(customer);
  const extensionCharge = await pixDriver.createCharge(customer, laterCheckout.installments[0].id, 'extend');
  await pixDriver.payCharge(extensionCharge.txid);
  await pixDriver.waitForStatus(customer, extensionCharge.id, 'paid');
  service.clock.advance(MINUTE_MS);
  await pixDriver.chargeBackCharge(charge.txid, 100);
  await eventually('the chargeback is processed', async () =>
    (await readTimeline(customer.id)).some(({ kind }) => kind === 'chargeback'),
  );
  await eventually('the refund is confirmed', async () =>
    (await readTimeline(customer.id)).some(({ text }) => text === 'R$ 30,00 devolvidos por Pix.'),
  );
  service.clock.advance(MINUTE_MS);
  const reason = 'Pediu por telefone';
  await pixDriver.callStaff('POST', `/admin/customers/${customer.id}/lock`, { reason });

  const entries = await readTimeline(customer.id);
  const texts = entries.map(({ text }) => text);
  assert.deepEqual(
    entries.map(({ at }) => at),
    entries.map(({ at }) => at).toSorted((a, b) => (a < b ? 1 : -1)),
  );
  for (const expectedText of [
    'Cadastro feito.',
    'Compra de R$ 100,00 em Padaria Flor do Trigo, em 1 parcela.',
    'Mensagem (código de acesso, sms) enviada.',
    'Entrou na conta.',
    'Gerou um código Pix de R$ 100,00.',
    'Pagamento de R$ 130,00 por Pix: parcela 1 de 1 (Padaria Flor do Trigo).',
    'R$ 30,00 devolvidos por Pix.',
    'Prorrogação da parcela 1 de 1 (Padaria Flor do Trigo) até 07/12/2026, por R$ 5,00 por Pix.',
    'O banco do pagador tomou de volta R$ 100,00 de um Pix.',
    'Sessão encerrada: a conta foi bloqueada.',
  ])
    assert.ok(texts.includes(expectedText), `${expectedText}\n${texts.join('\n')}`);
  assert.ok(texts.some((text) => text.startsWith('Ganhou R$ 5,00 de cashback, que vale até ')));
  assert.ok(texts.some((text) => text.startsWith('Saíram R$ 5,00 de cashback: ')));
  assert.match(texts[0]!, /^\S.* bloqueou o acesso\. Motivo: Pediu por telefone\.$/);
  const payment = entries.find(({ kind }) => kind === 'payment')!;
  assert.deepEqual(
    [payment.checkout_hash, payment.installment_id, payment.end_to_end_id],
    [checkout.hash, installmentId, end_to_end_id],
  );
  assert.ok(!/\d{6}/.test(texts.filter((text) => text.startsWith('Mensagem')).join()), 'no code is shown');

  const pages: TimelineEntry[] = [];
  for (let page = 1; page <= Math.ceil(entries.length / 3); page++)
    pages.push(...(await readTimeline(customer.id, `limit=3&page=${page}`)));
  assert.deepEqual(
    pages.map(({ at, text }) => [at, text]),
    entries.map(({ at, text }) => [at, text]),
    'the pages together are the whole timeline',
  );
});

test('the API and the command line return the timeline of a demo customer; an unknown customer gets 404', async () => {
  const kinds = new Set((await readTimeline(encodeURIComponent(ANA.phone))).map(({ kind }) => kind));
  for (const kind of ['registered', 'purchase', 'payment', 'cashback', 'invitation'])
    assert.ok(kinds.has(kind), kind);
  const jsonLines = (await run('customers story', ANA.phone, '--json', '--limit', '5')).split('\n');
  assert.equal(jsonLines.length, 5);
  assert.match(await run('customers story', ANA.phone), /Cadastro feito/);
  for (const id of ['cus_00000000000000000000000000', '%2B5511900000000'])
    assert.equal((await pixDriver.callStaff('GET', `/admin/customers/${id}/story`)).status, 404);
});
