import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import {
  assertPspProblem,
  buildChargeBody,
  isProblem,
  newTxid,
  openTestSimulator,
  PIX_KEY,
} from '../../../test/support/psp-simulator.ts';

const simulatorHost = await openTestSimulator({ keys: [PIX_KEY] });
const { call, clock, simulator } = simulatorHost;

const putCharge = (body: unknown, txid = newTxid()) => call('PUT', `/v2/cob/${txid}`, body);

test('201: the charge has a location, and a code with that location', async () => {
  const txid = newTxid();
  const extras = {
    devedor: { cpf: '12345678909', nome: 'Ana Lima' },
    solicitacaoPagador: 'Parcela 3 de 12',
    infoAdicionais: [{ nome: 'Loja', valor: 'Farmácia São Jocundo' }],
    futureField: true,
  };
  const { status, body } = await putCharge(buildChargeBody('52.30', extras), txid);
  assert.equal(status, 201);
  assert.deepEqual(body.calendario, { criacao: clock.now().toISOString(), expiracao: 3600 });
  assert.equal(body.txid, txid);
  assert.equal(body.revisao, 0);
  assert.equal(body.status, 'ATIVA');
  assert.deepEqual(body.valor, { original: '52.30' });
  assert.deepEqual(body.devedor, extras.devedor);
  assert.deepEqual(body.infoAdicionais, extras.infoAdicionais);
  assert.equal(body.futureField, undefined);
  assert.equal(body.pix, undefined);
  assert.deepEqual(Object.keys(body.loc), ['id', 'txid', 'location', 'tipoCob', 'criacao']);
  assert.ok(body.location.length <= 77 && !body.location.includes('://'));

  const decoded = decodeBrCode(body.pixCopiaECola);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: body.location });
  assert.equal(decoded.code.initiation, '12');
  assert.equal(decoded.code.txid, '***');

  assert.deepEqual((await call('GET', `/v2/cob/${txid}`)).body, body);
});

test('concurrent charges have their own codes; of two charges with the same txid one replaces the terms of the other', async () => {
  const repeatedTxid = newTxid();
  const txids = [repeatedTxid, ...Array.from({ length: 20 }, () => newTxid()), repeatedTxid];
  const responses = await Promise.all(
    txids.map((txid, i) => putCharge(buildChargeBody(`${i + 1}.00`), txid)),
  );
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.txid]),
    txids.map((txid) => [201, txid]),
  );
  for (const { body } of responses.slice(1, -1))
    assert.deepEqual((await call('GET', `/v2/cob/${body.txid}`)).body, body);
  assert.equal(new Set(responses.map(({ body }) => body.loc.id)).size, new Set(txids).size);
  const [originalCharge, revisedCharge] = [responses[0]!.body, responses.at(-1)!.body].toSorted(
    (a, b) => a.revisao - b.revisao,
  );
  assert.deepEqual([originalCharge.revisao, revisedCharge.revisao], [0, 1]);
  assert.equal(originalCharge.location, revisedCharge.location);
  assert.deepEqual((await call('GET', `/v2/cob/${repeatedTxid}`)).body, revisedCharge);
});

test('POST /cob: the PSP chooses the txid; the default expiry is a day', async () => {
  const { status, body } = await call('POST', '/v2/cob', { ...buildChargeBody(), calendario: {} });
  assert.equal(status, 201);
  assert.match(body.txid, /^[a-zA-Z0-9]{26,35}$/);
  assert.equal(body.calendario.expiracao, 86_400);
});

const invalidBodies: Array<[description: string, body: unknown, properties: string[]]> = [
  ['an empty body', {}, ['cob.calendario', 'cob.valor.original', 'cob.chave']],
  ['a list', [], ['cob.calendario', 'cob.valor.original', 'cob.chave']],
  ['zero', buildChargeBody('0.00'), ['cob.valor.original']],
  ['a number', { ...buildChargeBody(), valor: { original: 10 } }, ['cob.valor.original']],
  ['one decimal', buildChargeBody('10.5'), ['cob.valor.original']],
  ['a comma', buildChargeBody('10,50'), ['cob.valor.original']],
  ['eleven digits', buildChargeBody('12345678901.00'), ['cob.valor.original']],
  ['a sign', buildChargeBody('-1.00'), ['cob.valor.original']],
  ['expiry zero', buildChargeBody('1.00', { calendario: { expiracao: 0 } }), ['cob.calendario.expiracao']],
  [
    'expiry below zero',
    buildChargeBody('1.00', { calendario: { expiracao: -1 } }),
    ['cob.calendario.expiracao'],
  ],
  [
    'expiry as text',
    buildChargeBody('1.00', { calendario: { expiracao: '3600' } }),
    ['cob.calendario.expiracao'],
  ],
  [
    'expiry beyond int32',
    buildChargeBody('1.00', { calendario: { expiracao: 2 ** 31 } }),
    ['cob.calendario.expiracao'],
  ],
  [
    'modalidadeAlteracao 2',
    { ...buildChargeBody(), valor: { original: '1.00', modalidadeAlteracao: 2 } },
    ['cob.valor.modalidadeAlteracao'],
  ],
  ['a key of another receiver', { ...buildChargeBody(), chave: 'outra@example.com' }, ['cob.chave']],
  ['a key of 78 characters', { ...buildChargeBody(), chave: 'x'.repeat(78) }, ['cob.chave']],
  ['a payer without a name', buildChargeBody('1.00', { devedor: { cpf: '12345678909' } }), ['cob.devedor']],
  ['a payer without a document', buildChargeBody('1.00', { devedor: { nome: 'Ana' } }), ['cob.devedor']],
  [
    'both documents',
    buildChargeBody('1.00', { devedor: { cpf: '12345678909', cnpj: '12345678000195', nome: 'Ana' } }),
    ['cob.devedor'],
  ],
  [
    'a CPF of ten digits',
    buildChargeBody('1.00', { devedor: { cpf: '1234567890', nome: 'Ana' } }),
    ['cob.devedor'],
  ],
  [
    'a name of 201 characters',
    buildChargeBody('1.00', { devedor: { cpf: '12345678909', nome: 'x'.repeat(201) } }),
    ['cob.devedor'],
  ],
  [
    'a note of 141 characters',
    buildChargeBody('1.00', { solicitacaoPagador: 'x'.repeat(141) }),
    ['cob.solicitacaoPagador'],
  ],
  [
    '51 lines of additional information',
    buildChargeBody('1.00', { infoAdicionais: Array(51).fill({ nome: 'a', valor: 'b' }) }),
    ['cob.infoAdicionais'],
  ],
  [
    'a line without a value',
    buildChargeBody('1.00', { infoAdicionais: [{ nome: 'a' }] }),
    ['cob.infoAdicionais'],
  ],
  ['two violations', { ...buildChargeBody('0.00'), chave: '' }, ['cob.valor.original', 'cob.chave']],
];
for (const [name, body, properties] of invalidBodies) {
  test(`400 CobOperacaoInvalida: ${name}; no charge is created`, async () => {
    const txid = newTxid();
    assertPspProblem(await putCharge(body, txid), 400, 'CobOperacaoInvalida', properties);
    assertPspProblem(await call('GET', `/v2/cob/${txid}`), 404, 'CobNaoEncontrado');
  });
}

for (const txid of [
  'short',
  'x'.repeat(25),
  'x'.repeat(36),
  `${'x'.repeat(30)}-`,
  `${'x'.repeat(30)}%C3%A9`,
]) {
  test(`400: '${txid}' is not a txid`, async () => {
    assertPspProblem(await putCharge(buildChargeBody(), txid), 400, 'CobOperacaoInvalida', ['cob.txid']);
  });
}

test('an alphanumeric CNPJ is accepted, and so is an amount of zero if the payer chooses the amount', async () => {
  assert.equal(
    (await putCharge(buildChargeBody('1.00', { devedor: { cnpj: '12ABC34501DE35', nome: 'Loja' } }))).status,
    201,
  );
  assert.equal(
    (await putCharge({ ...buildChargeBody(), valor: { original: '0.00', modalidadeAlteracao: 1 } })).status,
    201,
  );
});

test('400 RequisicaoInvalida: invalid JSON', async () => {
  assertPspProblem(await putCharge('{"valor":'), 400, 'RequisicaoInvalida');
});

test('PUT replaces an ATIVA charge, and increments the revision only if the terms differ', async () => {
  const txid = newTxid();
  const originalCharge = (await putCharge(buildChargeBody('10.00', { solicitacaoPagador: 'um' }), txid)).body;
  assert.equal(
    (await putCharge(buildChargeBody('10.00', { solicitacaoPagador: 'um' }), txid)).body.revisao,
    0,
  );
  const replacementResponse = await putCharge(buildChargeBody('11.00'), txid);
  assert.equal(replacementResponse.status, 201);
  assert.equal(replacementResponse.body.revisao, 1);
  assert.equal(replacementResponse.body.solicitacaoPagador, undefined, 'all terms are replaced');
  assert.equal(replacementResponse.body.location, originalCharge.location);
  assert.equal(replacementResponse.body.calendario.criacao, originalCharge.calendario.criacao);
});

test('PATCH only removes a charge: once, not together with other changes, and permanently', async () => {
  const txid = newTxid();
  await putCharge(buildChargeBody(), txid);
  const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const removalWithChange = { ...removal, valor: { original: '1.00' } };
  assertPspProblem(await call('PATCH', `/v2/cob/${txid}`, removalWithChange), 400, 'CobOperacaoInvalida', [
    'cob.status',
  ]);
  assertPspProblem(await call('PATCH', `/v2/cob/${newTxid()}`, removal), 404, 'CobNaoEncontrado');
  const conclusion = { status: 'CONCLUIDA' };
  assertPspProblem(await call('PATCH', `/v2/cob/${txid}`, conclusion), 400, 'CobOperacaoInvalida', [
    'cob.status',
  ]);
  const { status, body } = await call('PATCH', `/v2/cob/${txid}`, removal);
  assert.equal(status, 200);
  assert.equal(body.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR');
  assert.equal(body.revisao, 1);
  assertPspProblem(await call('PATCH', `/v2/cob/${txid}`, removal), 400, 'CobOperacaoInvalida', [
    'cob.status',
  ]);
  assertPspProblem(await putCharge(buildChargeBody(), txid), 400, 'CobOperacaoInvalida', ['cob.status']);
  await assert.rejects(
    simulator.pay(txid),
    isProblem('charge_not_payable', 'REMOVIDA_PELO_USUARIO_RECEBEDOR'),
  );
});

test('a paid charge is CONCLUIDA, contains its pix, and cannot be changed', async () => {
  const txid = newTxid();
  await putCharge(buildChargeBody('10.00'), txid);
  const payment = await simulator.pay(txid);
  assert.ok(payment);
  const { body } = await call('GET', `/v2/cob/${txid}`);
  assert.equal(body.status, 'CONCLUIDA');
  assert.equal(body.revisao, 0);
  assert.deepEqual(body.pix, [
    {
      endToEndId: payment.endToEndId,
      txid,
      valor: '10.00',
      componentesValor: { original: { valor: '10.00' } },
      chave: PIX_KEY,
      horario: clock.now().toISOString(),
    },
  ]);
  assertPspProblem(await putCharge(buildChargeBody(), txid), 400, 'CobOperacaoInvalida', ['cob.status']);
  assertPspProblem(await call('PATCH', `/v2/cob/${txid}`, {}), 400, 'CobOperacaoInvalida', ['cob.status']);
});

test('of many concurrent PUTs with the same txid one creates the charge, and the others change nothing', async () => {
  const txid = newTxid();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => putCharge(buildChargeBody('33.00'), txid)),
  );
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201]);
  assert.equal(new Set(responses.map(({ body }) => `${body.revisao} ${body.loc.id}`)).size, 1);
});
