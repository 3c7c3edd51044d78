import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPspProblem, cob, newTxid, openBank, PIX_KEY } from '../../../test/support/psp-simulator.ts';

const { call, clock, simulator } = await openBank();

const cobv = (calendario: Record<string, unknown> = {}, valor: Record<string, unknown> = {}) => ({
  calendario: { dataDeVencimento: '2026-11-30', validadeAposVencimento: 10, ...calendario },
  devedor: { cpf: '12345678909', nome: 'Ana Lima' },
  valor: { original: '100.00', ...valor },
  chave: PIX_KEY,
});

const LINES = [
  ['NUL', 'a\0b'],
  ['a line break', 'a\nb'],
  ['half a character', 'a\ud800b'],
] as const;

const places: Array<[string, string, string]> = [
  ['GET', '/v2/cob/NAME', 'CobNaoEncontrado'],
  ['PATCH', '/v2/cob/NAME', 'CobNaoEncontrado'],
  ['GET', '/v2/cobv/NAME', 'CobVNaoEncontrada'],
  ['PATCH', '/v2/cobv/NAME', 'CobVNaoEncontrada'],
  ['GET', '/v2/pix/NAME', 'PixNaoEncontrado'],
  ['GET', '/v2/pix/NAME/devolucao/1', 'PixDevolucaoNaoEncontrada'],
  ['PUT', '/v2/pix/NAME/devolucao/1', 'PixNaoEncontrado'],
  ['GET', '/v2/webhook/NAME', 'WebhookNaoEncontrado'],
  ['DELETE', '/v2/webhook/NAME', 'WebhookNaoEncontrado'],
  ['GET', '/v2/loc/NAME', 'PayloadLocationNaoEncontrado'],
  ['DELETE', '/v2/loc/NAME/txid', 'PayloadLocationNaoEncontrado'],
  ['GET', '/qr/v2/NAME', 'CobPayloadNaoEncontrado'],
  ['GET', '/qr/v2/cobv/NAME', 'CobPayloadNaoEncontrado'],
];
for (const [method, path, kind] of places) {
  test(`404 ${kind}: ${method} ${path}, with a name that nothing can have`, async () => {
    for (const name of ['%00', `${newTxid()}%00`, '%E2%80%AE', 'a%20b', '%27', 'x'.repeat(300)]) {
      const body = method === 'PATCH' || method === 'PUT' ? { valor: '1.00' } : undefined;
      assertPspProblem(await call(method, path.replace('NAME', name), body), 404, kind);
    }
  });
}

test('an address that cannot be decoded, or is too long, is refused in the standard’s shape', async () => {
  assertPspProblem(await call('GET', '/v2/cob/%zz'), 400, 'RequisicaoInvalida');
  const { status, body } = await call('GET', `/v2/cob/${'x'.repeat(301)}`);
  assert.equal(body.status, status);
  assert.ok(status >= 400 && status < 500);
});

test('a name that nothing can have is not paid and not taken back', async () => {
  for (const name of ['\0', `${newTxid()}\0`, '\ud800']) {
    assert.deepEqual(await simulator.pay(name), { kind: 'unknown_charge' });
    assert.deepEqual(await simulator.reverse(name), { kind: 'unknown_charge' });
  }
});

for (const [what, line] of LINES) {
  test(`400 with a violation: ${what} in what a charge or a refund says`, async () => {
    const wrong: Array<[Record<string, unknown>, string]> = [
      [{ solicitacaoPagador: line }, 'solicitacaoPagador'],
      [{ infoAdicionais: [{ nome: line, valor: 'x' }] }, 'infoAdicionais'],
      [{ infoAdicionais: [{ nome: 'x', valor: line }] }, 'infoAdicionais'],
      [{ devedor: { cpf: '12345678909', nome: line } }, 'devedor'],
      [{ chave: line }, 'chave'],
    ];
    for (const [more, property] of wrong) {
      const immediate = await call('PUT', `/v2/cob/${newTxid()}`, { ...cob(), ...more });
      assertPspProblem(immediate, 400, 'CobOperacaoInvalida', [`cob.${property}`]);
      const due = await call('PUT', `/v2/cobv/${newTxid()}`, { ...cobv(), ...more });
      assertPspProblem(due, 400, 'CobVOperacaoInvalida', [`cobv.${property}`]);
    }
    const devedor = { cpf: '12345678909', nome: 'Ana', logradouro: line };
    const addressed = await call('PUT', `/v2/cobv/${newTxid()}`, { ...cobv(), devedor });
    assertPspProblem(addressed, 400, 'CobVOperacaoInvalida', ['cobv.devedor']);

    const webhookUrl = `https://shop.example/${line}`;
    const hook = await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl });
    assertPspProblem(hook, 400, 'WebhookOperacaoInvalida', ['webhook.webhookUrl']);

    const txid = newTxid();
    await call('PUT', `/v2/cob/${txid}`, cob());
    const patched = await call('PATCH', `/v2/cob/${txid}`, { solicitacaoPagador: line });
    assertPspProblem(patched, 400, 'CobOperacaoInvalida', ['cob.solicitacaoPagador']);
    const paid = await simulator.pay(txid);
    assert.ok(paid.kind === 'paid');
    const refund = { valor: '1.00', descricao: line };
    const refused = await call('PUT', `/v2/pix/${paid.endToEndId}/devolucao/1`, refund);
    assertPspProblem(refused, 400, 'PixDevolucaoInvalida', ['devolucao.descricao']);
  });
}

test('400: the key of a webhook that no key can be', async () => {
  const reply = await call('PUT', '/v2/webhook/%00', { webhookUrl: 'https://shop.example/' });
  assertPspProblem(reply, 400, 'WebhookOperacaoInvalida', ['webhook.chave']);
});

test('a charge is payable for as long as there is a calendar', async () => {
  const put = (calendario: Record<string, unknown>) => call('PUT', `/v2/cobv/${newTxid()}`, cobv(calendario));
  const invalid = 'CobVOperacaoInvalida';
  const [due, validity] = ['cobv.calendario.dataDeVencimento', 'cobv.calendario.validadeAposVencimento'];
  const both = await put({ dataDeVencimento: '9999-12-31', validadeAposVencimento: 2147483647 });
  assertPspProblem(both, 400, invalid, [due, validity]);
  assertPspProblem(await put({ dataDeVencimento: '9999-12-31' }), 400, invalid, [due]);
  assertPspProblem(await put({ validadeAposVencimento: 36_501 }), 400, invalid, [validity]);
  const { status, body } = await put({ dataDeVencimento: '2126-10-23', validadeAposVencimento: 36_500 });
  assert.equal(status, 201);
  assert.equal((await call('GET', `${new URL(`http://${body.location}`).pathname}`)).status, 200);
  const scanned = await simulator.scan(body.pixCopiaECola);
  assert.ok(scanned.kind === 'charge' && scanned.isPayable);
  assert.equal((await simulator.pay(body.txid)).kind, 'paid');
});

const MOST = '9999999999.99';
const greedy: Array<[string, Record<string, unknown>]> = [
  ['a fine', { multa: { modalidade: 2, valorPerc: MOST } }],
  ['interest by the day', { juros: { modalidade: 1, valorPerc: MOST } }],
  ['interest in percent', { juros: { modalidade: 2, valorPerc: MOST } }],
  ['a discount for every day', { desconto: { modalidade: 3, valorPerc: '9999999999.98' } }],
];
for (const [what, valor] of greedy) {
  test(`however much ${what} comes to, the amount can be written`, async () => {
    clock.set('2026-11-16T15:00:00Z');
    const far = what.includes('discount') ? { dataDeVencimento: '2126-10-23' } : {};
    const terms = cobv({ validadeAposVencimento: 3_000, ...far }, { original: MOST, ...valor });
    const { body } = await call('PUT', `/v2/cobv/${newTxid()}`, terms);
    if (!what.includes('discount')) clock.set('2030-11-18T15:00:00Z');
    assert.equal((await call('GET', new URL(`http://${body.location}`).pathname)).status, 200);
    const paid = await simulator.pay(body.txid);
    assert.ok(paid.kind === 'paid');
    const { valor: written } = (await call('GET', `/v2/pix/${paid.endToEndId}`)).body;
    assert.match(written, /^\d{1,10}\.\d{2}$/);
  });
}

test('lists: a window at either end of time', async () => {
  for (const list of ['cob', 'cobv', 'pix', 'loc', 'webhook']) {
    const reply = await call('GET', `/v2/${list}?inicio=0000-01-01T00:00:00Z&fim=9999-12-31T23:59:59Z`);
    assert.ok(reply.status === 200 || reply.status === 400, `${list}: ${reply.text}`);
  }
});
