import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  chargeBody,
  newTxid,
  openTestSimulator,
  PIX_KEY,
} from '../../../test/support/psp-simulator.ts';

const { call, simulator } = await openTestSimulator();

const LINES = [
  ['NUL', 'a\0b'],
  ['a line break', 'a\nb'],
  ['half a character', 'a\ud800b'],
] as const;

const paths: Array<[string, string, string]> = [
  ['GET', '/v2/cob/ID', 'CobNaoEncontrado'],
  ['PATCH', '/v2/cob/ID', 'CobNaoEncontrado'],
  ['GET', '/v2/pix/ID', 'PixNaoEncontrado'],
  ['GET', '/v2/pix/ID/devolucao/1', 'PixDevolucaoNaoEncontrada'],
  ['PUT', '/v2/pix/ID/devolucao/1', 'PixNaoEncontrado'],
  ['GET', '/v2/webhook/ID', 'WebhookNaoEncontrado'],
  ['DELETE', '/v2/webhook/ID', 'WebhookNaoEncontrado'],
  ['GET', '/v2/loc/ID', 'PayloadLocationNaoEncontrado'],
  ['DELETE', '/v2/loc/ID/txid', 'PayloadLocationNaoEncontrado'],
  ['GET', '/qr/v2/ID', 'CobPayloadNaoEncontrado'],
];
for (const [method, path, kind] of paths) {
  test(`404 ${kind}: ${method} ${path} with an invalid id`, async () => {
    for (const name of ['%00', `${newTxid()}%00`, '%E2%80%AE', 'a%20b', '%27', 'x'.repeat(300)]) {
      const body = method === 'PATCH' || method === 'PUT' ? { valor: '1.00' } : undefined;
      assertPspProblem(await call(method, path.replace('ID', name), body), 404, kind);
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
  for (const name of ['\0', `${newTxid()}\0`, '\ud800']) {
    assert.equal(await simulator.pay(name), undefined);
    assert.equal(await simulator.reverse(name), undefined);
  }
});

for (const [caseName, line] of LINES) {
  test(`400 with a violation: ${caseName} in a text of a charge or refund`, async () => {
    const wrong: Array<[Record<string, unknown>, string]> = [
      [{ solicitacaoPagador: line }, 'solicitacaoPagador'],
      [{ infoAdicionais: [{ nome: line, valor: 'x' }] }, 'infoAdicionais'],
      [{ infoAdicionais: [{ nome: 'x', valor: line }] }, 'infoAdicionais'],
      [{ devedor: { cpf: '12345678909', nome: line } }, 'devedor'],
      [{ chave: line }, 'chave'],
    ];
    for (const [more, property] of wrong) {
      const charged = await call('PUT', `/v2/cob/${newTxid()}`, { ...chargeBody(), ...more });
      assertPspProblem(charged, 400, 'CobOperacaoInvalida', [`cob.${property}`]);
    }

    const webhookUrl = `https://shop.example/${line}`;
    const hook = await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl });
    assertPspProblem(hook, 400, 'WebhookOperacaoInvalida', ['webhook.webhookUrl']);

    const txid = newTxid();
    await call('PUT', `/v2/cob/${txid}`, chargeBody());
    const patched = await call('PATCH', `/v2/cob/${txid}`, { solicitacaoPagador: line });
    assertPspProblem(patched, 400, 'CobOperacaoInvalida', ['cob.solicitacaoPagador']);
    const paid = await simulator.pay(txid);
    assert.ok(paid);
    const refund = { valor: '1.00', descricao: line };
    const refusal = await call('PUT', `/v2/pix/${paid.endToEndId}/devolucao/1`, refund);
    assertPspProblem(refusal, 400, 'PixDevolucaoInvalida', ['devolucao.descricao']);
  });
}

test('400: a webhook with an invalid key', async () => {
  const reply = await call('PUT', '/v2/webhook/%00', { webhookUrl: 'https://shop.example/' });
  assertPspProblem(reply, 400, 'WebhookOperacaoInvalida', ['webhook.chave']);
});

test('lists accept or refuse extreme periods without an error', async () => {
  for (const list of ['cob', 'pix', 'loc', 'webhook']) {
    const reply = await call('GET', `/v2/${list}?inicio=0000-01-01T00:00:00Z&fim=9999-12-31T23:59:59Z`);
    assert.ok(reply.status === 200 || reply.status === 400, `${list}: ${reply.text}`);
  }
});
