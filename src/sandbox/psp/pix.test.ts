import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import { eventually } from '../../../test/harness.ts';
import {
  assertPspProblem,
  buildChargeBody,
  isProblem,
  newTxid,
  openTestSimulator,
} from '../../../test/support/psp-simulator.ts';
import { NO_FAULTS } from './faults.ts';

const simulatorHost = await openTestSimulator();
const { call, clock, simulator } = simulatorHost;
/** The expiry in `buildChargeBody`. */
const CHARGE_TTL_MS = HOUR_MS;

async function createCharge(amount = '10.00'): Promise<string> {
  const txid = newTxid();
  assert.equal((await call('PUT', `/v2/cob/${txid}`, buildChargeBody(amount))).status, 201);
  return txid;
}

async function createPaidCharge(amount = '10.00') {
  const payment = await simulator.pay(await createCharge(amount));
  assert.ok(payment);
  return payment;
}

test('an end-to-end id contains the bank and the minute in UTC', async () => {
  clock.set('2026-11-17T02:59:30Z');
  const { endToEndId, paidAt } = await createPaidCharge();
  assert.match(endToEndId, /^E\d{8}202611170259[a-zA-Z0-9]{11}$/);
  assert.equal(paidAt.toISOString(), '2026-11-17T02:59:30.000Z');
});

test('a payment may have another amount and another time', async () => {
  const txid = await createCharge('10.00');
  const earlyInstant = new Date(clock.now().getTime() - 1);
  await assert.rejects(
    simulator.pay(txid, { paidAt: earlyInstant }),
    isProblem('validation_failed', clock.now().toISOString()),
  );
  clock.advance(2000);
  const instant = new Date(clock.now().getTime() - 1000);
  const payment = await simulator.pay(txid, { amountCents: cents(777), paidAt: instant });
  assert.ok(payment);
  const { body } = await call('GET', `/v2/pix/${payment.endToEndId}`);
  assert.equal(body.valor, '7.77');
  assert.equal(body.horario, instant.toISOString());
  assert.equal(body.componentesValor.original.valor, '7.77');
});

test('an expired charge stays ATIVA, and can only be paid at an earlier time or with force', async () => {
  const txid = await createCharge();
  clock.advance(CHARGE_TTL_MS);
  const forcedTxid = await createCharge();
  assert.ok(await simulator.pay(txid), 'a charge can be paid until its expiry');
  const expiredTxid = await createCharge();
  clock.advance(CHARGE_TTL_MS + 1);
  await assert.rejects(simulator.pay(expiredTxid), isProblem('charge_expired'));
  assert.equal((await call('GET', `/v2/cob/${expiredTxid}`)).body.status, 'ATIVA');
  assert.ok(await simulator.pay(expiredTxid, { paidAt: new Date(clock.now().getTime() - MINUTE_MS) }));
  assert.ok(await simulator.pay(forcedTxid, { force: true }));
});

test('a paid charge can only be paid again with force; of concurrent payments one succeeds', async () => {
  const txid = await createCharge();
  const outcomes = await Promise.allSettled([simulator.pay(txid), simulator.pay(txid), simulator.pay(txid)]);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.equal(refusals.length, 2);
  assert.ok(refusals.every(isProblem('charge_not_payable')));
  assert.ok(await simulator.pay(txid, { force: true }));
  assert.equal((await call('GET', `/v2/cob/${txid}`)).body.pix.length, 2);
  assert.equal(await simulator.pay(newTxid()), undefined);
});

test('if the payer chooses the amount, it is required', async () => {
  const txid = newTxid();
  await call('PUT', `/v2/cob/${txid}`, {
    ...buildChargeBody(),
    valor: { original: '0.00', modalidadeAlteracao: 1 },
  });
  await assert.rejects(simulator.pay(txid), isProblem('validation_failed', '/value'));
  assert.ok(await simulator.pay(txid, { amountCents: cents(500) }));
});

test('wrong_amount: payers pay more or less, but at least one centavo', async () => {
  await simulator.setFaults({ wrong_amount: 1.5 });
  assert.equal((await createPaidCharge('10.00')).amountCents, 1150);
  await simulator.setFaults({ wrong_amount: -20 });
  assert.equal((await createPaidCharge('10.00')).amountCents, 1);
  await simulator.setFaults(NO_FAULTS);
});

test('a refund is first in progress, and returned soon after', async () => {
  const { endToEndId } = await createPaidCharge('10.00');
  const path = `/v2/pix/${endToEndId}/devolucao/r1`;
  const { status, body } = await call('PUT', path, { valor: '4.00', descricao: 'Pago a mais' });
  assert.equal(status, 201);
  assert.match(body.rtrId, /^D\d{20}[a-zA-Z0-9]{11}$/);
  assert.deepEqual(
    { ...body, rtrId: '' },
    {
      id: 'r1',
      rtrId: '',
      valor: '4.00',
      natureza: 'ORIGINAL',
      descricao: 'Pago a mais',
      horario: { solicitacao: clock.now().toISOString() },
      status: 'EM_PROCESSAMENTO',
    },
  );
  const settledRefund = await eventually('the refund is returned', async () => {
    const response = await call('GET', path);
    return response.body.status === 'DEVOLVIDO' && response.body;
  });
  assert.equal(settledRefund.horario.liquidacao, clock.now().toISOString());
  const { body: pix } = await call('GET', `/v2/pix/${endToEndId}`);
  assert.deepEqual(pix.devolucoes, [settledRefund]);
});

test('400 PixDevolucaoInvalida: the sum of refunds never exceeds the pix, and an id is used once', async () => {
  const { endToEndId } = await createPaidCharge('10.00');
  const putRefund = (id: string, valor: unknown, overrides = {}) =>
    call('PUT', `/v2/pix/${endToEndId}/devolucao/${id}`, { valor, ...overrides });
  assert.equal((await putRefund('a', '6.00')).status, 201);
  assertPspProblem(await putRefund('b', '4.01'), 400, 'PixDevolucaoInvalida', ['devolucao.valor']);
  assertPspProblem(await putRefund('a', '6.00'), 400, 'PixDevolucaoInvalida', ['devolucao.id']);
  assertPspProblem(await putRefund('c', '0.00'), 400, 'PixDevolucaoInvalida', ['devolucao.valor']);
  assertPspProblem(await putRefund('c', 1), 400, 'PixDevolucaoInvalida', ['devolucao.valor']);
  assertPspProblem(await putRefund('c-d', '1.00'), 400, 'PixDevolucaoInvalida', ['devolucao.id']);
  const chargebackNature = { natureza: 'MED_FRAUDE' };
  assertPspProblem(await putRefund('c', '1.00', chargebackNature), 400, 'PixDevolucaoInvalida', [
    'devolucao.natureza',
  ]);
  assert.equal((await putRefund('b', '4.00')).status, 201);
});

test('concurrent refunds are accepted only up to the amount of the pix', async () => {
  const { endToEndId } = await createPaidCharge('10.00');
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      call('PUT', `/v2/pix/${endToEndId}/devolucao/r${i}`, { valor: '3.00' }),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 201, 400, 400, 400]);
});

test('a failed refund does not reduce the refundable amount; a stuck one stays in progress until the fault is removed', async () => {
  const { endToEndId } = await createPaidCharge('10.00');
  const readStatus = async (id: string) =>
    (await call('GET', `/v2/pix/${endToEndId}/devolucao/${id}`)).body.status;
  await simulator.setFaults({ refund: 'fails' });
  await call('PUT', `/v2/pix/${endToEndId}/devolucao/x`, { valor: '10.00' });
  await eventually('the refund has failed', async () => (await readStatus('x')) === 'NAO_REALIZADO');
  await simulator.setFaults({ refund: 'stuck' });
  assert.equal((await call('PUT', `/v2/pix/${endToEndId}/devolucao/y`, { valor: '10.00' })).status, 201);
  // Other refunds of the test simulator are settled after 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await readStatus('y'), 'EM_PROCESSAMENTO');
  await simulator.setFaults(NO_FAULTS);
  await eventually('the refund is returned', async () => (await readStatus('y')) === 'DEVOLVIDO');
});

test('a refund more than 90 days after the payment is refused', async () => {
  const { endToEndId } = await createPaidCharge('10.00');
  clock.advance(91 * DAY_MS);
  const response = await call('PUT', `/v2/pix/${endToEndId}/devolucao/late`, { valor: '1.00' });
  assertPspProblem(response, 400, 'PixDevolucaoInvalida', ['devolucao.id']);
});

test('MED: the payer’s bank charges back the rest of the payment, once', async () => {
  const { endToEndId, txid } = await createPaidCharge('10.00');
  await call('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '4.00' });
  const chargeback = await simulator.reverse(txid);
  assert.ok(chargeback);
  assert.equal(chargeback.amountCents, 600);
  const { body } = await call('GET', `/v2/pix/${endToEndId}/devolucao/${chargeback.refundId}`);
  assert.equal(body.natureza, 'MED_FRAUDE');
  assert.equal(body.status, 'DEVOLVIDO');
  await assert.rejects(simulator.reverse(txid), isProblem('nothing_to_reverse'));
  await assert.rejects(simulator.reverse(await createCharge()), isProblem('nothing_to_reverse'));
  assert.equal(await simulator.reverse(newTxid()), undefined);
});

test('GET /pix lists the payments of a period, filtered', async () => {
  clock.set('2027-03-01T12:00:00Z');
  const payment = await createPaidCharge();
  const reversedPayment = await createPaidCharge();
  const PAYMENT_COUNT = 2;
  await simulator.reverse(reversedPayment.txid);
  const period = 'inicio=2027-03-01T12:00:00Z&fim=2027-03-01T12:00:00Z';
  const listPix = async (filters = '') => (await call('GET', `/v2/pix?${period}${filters}`)).body.pix;
  assert.equal((await listPix()).length, PAYMENT_COUNT);
  assert.equal((await listPix(`&txid=${payment.txid}`)).length, 1);
  assert.deepEqual(
    (await listPix('&devolucaoPresente=true')).map((pix: { txid: string }) => pix.txid),
    [reversedPayment.txid],
  );
  assert.equal((await listPix('&devolucaoPresente=false')).length, PAYMENT_COUNT - 1);
  assert.equal((await listPix('&txIdPresente=false')).length, 0);
  assert.equal((await listPix('&cpf=12345678909')).length, 0);
  const invalidFlagResponse = await call('GET', `/v2/pix?${period}&txIdPresente=sim`);
  assertPspProblem(invalidFlagResponse, 400, 'PixConsultaInvalida', ['txIdPresente']);
});

test('each resource has its own 404 error type', async () => {
  const e2eid = `E99900001202611161500${'a'.repeat(11)}`;
  assertPspProblem(await call('GET', `/v2/pix/${e2eid}`), 404, 'PixNaoEncontrado');
  assertPspProblem(
    await call('PUT', `/v2/pix/${e2eid}/devolucao/a`, { valor: '1.00' }),
    404,
    'PixNaoEncontrado',
  );
  const { endToEndId } = await createPaidCharge();
  assertPspProblem(await call('GET', `/v2/pix/${endToEndId}/devolucao/a`), 404, 'PixDevolucaoNaoEncontrada');
  assertPspProblem(await call('GET', '/v2/nothing'), 404, 'NaoEncontrado');
});
