import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  buildChargeBody,
  newTxid,
  openTestSimulator,
  PIX_KEY,
} from '../../../test/support/psp-simulator.ts';

const { call, simulator } = await openTestSimulator();

const INVALID_TEXTS = [
  ['NUL', 'a\0b'],
  ['a line break', 'a\nb'],
  ['an unpaired surrogate', 'a\ud800b'],
] as const;

const endpoints: Array<[method: string, path: string, errorKind: string]> = [
  ['GET', '/v2/cob/ID', 'CobNaoEncontrado'],
  ['PATCH', '/v2/cob/ID', 'CobNaoEncontrado'],
  ['GET', '/v2/pix/ID', 'PixNaoEncontrado'],
  ['GET', '/v2/pix/ID/devolucao/1', 'PixDevolucaoNaoEncontrada'],
  ['PUT', '/v2/pix/ID/devolucao/1', 'PixNaoEncontrado'],
  ['GET', '/v2/webhook/ID', 'WebhookNaoEncontrado'],
  ['DELETE', '/v2/webhook/ID', 'WebhookNaoEncontrado'],
  ['GET', '/v2/locrec/ID', 'PayloadLocationRecNaoEncontrado'],
];
for (const [method, path, errorKind] of endpoints) {
  test(`404 ${errorKind}: ${method} ${path} with an invalid id`, async () => {
    for (const invalidId of ['%00', `${newTxid()}%00`, '%E2%80%AE', 'a%20b', '%27', 'x'.repeat(300)]) {
      const body = method === 'PATCH' || method === 'PUT' ? { valor: '1.00' } : undefined;
      assertPspProblem(await call(method, path.replace('ID', invalidId), body), 404, errorKind);
    }
  });
}

test('a path that cannot be decoded or is too long is refused in the standard’s format', async () => {
  assertPspProblem(await call('GET', '/v2/cob/%zz'), 400, 'RequisicaoInvalida');
  const { status, body } = await call('GET', `/v2/cob/${'x'.repeat(301)}`);
  assert.equal(body.status, status);
  assert.ok(status >= 400 && status < 500);
});

test('a charge with an invalid txid cannot be paid or charged back', async () => {
  for (const invalidId of ['\0', `${newTxid()}\0`, '\ud800']) {
    assert.equal(await simulator.pay(invalidId), undefined);
    assert.equal(await simulator.reverse(invalidId), undefined);
  }
});

for (const [textName, invalidText] of INVALID_TEXTS) {
  test(`400 with a violation: ${textName} in a text of a charge, webhook or refund`, async () => {
    const invalidChanges: Array<[change: Record<string, unknown>, property: string]> = [
      [{ solicitacaoPagador: invalidText }, 'solicitacaoPagador'],
      [{ infoAdicionais: [{ nome: invalidText, valor: 'x' }] }, 'infoAdicionais'],
      [{ infoAdicionais: [{ nome: 'x', valor: invalidText }] }, 'infoAdicionais'],
      [{ devedor: { cpf: '12345678909', nome: invalidText } }, 'devedor'],
      [{ chave: invalidText }, 'chave'],
    ];
    for (const [change, property] of invalidChanges) {
      const chargeResponse = await call('PUT', `/v2/cob/${newTxid()}`, { ...buildChargeBody(), ...change });
      assertPspProblem(chargeResponse, 400, 'CobOperacaoInvalida', [`cob.${property}`]);
    }

    const webhookUrl = `https://shop.example/${invalidText}`;
    const webhookResponse = await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl });
    assertPspProblem(webhookResponse, 400, 'WebhookOperacaoInvalida', ['webhook.webhookUrl']);

    const txid = newTxid();
    await call('PUT', `/v2/cob/${txid}`, buildChargeBody());
    const payment = await simulator.pay(txid);
    assert.ok(payment);
    const refund = { valor: '1.00', descricao: invalidText };
    const refundResponse = await call('PUT', `/v2/pix/${payment.endToEndId}/devolucao/1`, refund);
    assertPspProblem(refundResponse, 400, 'PixDevolucaoInvalida', ['devolucao.descricao']);
  });
}

test('400: a webhook with an invalid key', async () => {
  const response = await call('PUT', '/v2/webhook/%00', { webhookUrl: 'https://shop.example/' });
  assertPspProblem(response, 400, 'WebhookOperacaoInvalida', ['webhook.chave']);
});

test('lists accept or refuse extreme periods without a server error', async () => {
  for (const listName of ['cob', 'pix']) {
    const response = await call(
      'GET',
      `/v2/${listName}?inicio=0000-01-01T00:00:00Z&fim=9999-12-31T23:59:59Z`,
    );
    assert.ok(response.status === 200 || response.status === 400, `${listName}: ${response.text}`);
  }
});
