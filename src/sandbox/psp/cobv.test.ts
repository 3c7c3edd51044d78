import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#core/day.ts';
import { assertPspProblem, cob, newTxid, openBank, PIX_KEY } from '../../../test/support/psp-simulator.ts';
import type { Terms } from './api/terms.ts';
import { lastPayableDay, valueOn } from './due-date-value.ts';

const bank = await openBank();
const { call, clock, simulator } = bank;

const cobv = (valor: Record<string, unknown> = {}, calendario: Record<string, unknown> = {}) => ({
  calendario: { dataDeVencimento: '2026-11-30', validadeAposVencimento: 10, ...calendario },
  devedor: { cpf: '12345678909', nome: 'Ana Lima', cidade: 'Recife', uf: 'PE' },
  valor: { original: '100.00', ...valor },
  chave: PIX_KEY,
});
const put = (body: unknown, txid = newTxid()) => call('PUT', `/v2/cobv/${txid}`, body);

test('201 with receiver, address and code; the modality may be a text, as in the standard’s examples', async () => {
  const txid = newTxid();
  const fine = { multa: { modalidade: '2', valorPerc: '2.00' }, juros: { modalidade: 3, valorPerc: '1.00' } };
  const { status, body } = await put(cobv(fine), txid);
  assert.equal(status, 201);
  assert.equal(body.valor.multa.modalidade, 2);
  assert.equal(body.recebedor.nome, 'Semana Sandbox');
  assert.match(body.location, /\/qr\/v2\/cobv\/[0-9a-f]{32}$/);
  assert.deepEqual((await call('GET', `/v2/cobv/${txid}`)).body, body);
  assertPspProblem(await call('GET', `/v2/cob/${txid}`), 404, 'CobNaoEncontrado');
});

test('a txid serves one kind of charge only, for ever', async () => {
  const txid = newTxid();
  await put(cobv(), txid);
  const reply = await call('PUT', `/v2/cob/${txid}`, cob());
  assertPspProblem(reply, 400, 'CobOperacaoInvalida', ['cob.txid']);
});

const step = (data: string, valorPerc = '5.00') => ({ data, valorPerc });
const wrong: Array<[string, unknown, string]> = [
  ['due yesterday', cobv({}, { dataDeVencimento: '2026-11-15' }), 'cobv.calendario.dataDeVencimento'],
  [
    'due on a day that does not exist',
    cobv({}, { dataDeVencimento: '2026-02-30' }),
    'cobv.calendario.dataDeVencimento',
  ],
  ['validity below zero', cobv({}, { validadeAposVencimento: -1 }), 'cobv.calendario.validadeAposVencimento'],
  ['no payer', { ...cobv(), devedor: undefined }, 'cobv.devedor'],
  ['a postal code of nine', { ...cobv(), devedor: { ...cobv().devedor, cep: '01000-000' } }, 'cobv.devedor'],
  ['zero', cobv({ original: '0.00' }), 'cobv.valor.original'],
  ['a fine of kind 3', cobv({ multa: { modalidade: 3, valorPerc: '2.00' } }), 'cobv.valor.multa'],
  ['interest as a number', cobv({ juros: { modalidade: 3, valorPerc: 1 } }), 'cobv.valor.juros'],
  ['a rebate of all', cobv({ abatimento: { modalidade: 1, valorPerc: '100.00' } }), 'cobv.valor.abatimento'],
  [
    'a rebate of 100 %',
    cobv({ abatimento: { modalidade: 2, valorPerc: '100.00' } }),
    'cobv.valor.abatimento',
  ],
  ['a dated discount without dates', cobv({ desconto: { modalidade: 1 } }), 'cobv.valor.desconto'],
  [
    'a dated discount with a rate',
    cobv({ desconto: { modalidade: 1, valorPerc: '1.00' } }),
    'cobv.valor.desconto',
  ],
  [
    'a discount after the due day',
    cobv({ desconto: { modalidade: 1, descontoDataFixa: [step('2026-12-01')] } }),
    'cobv.valor.desconto',
  ],
  [
    'four discounts',
    cobv({ desconto: { modalidade: 1, descontoDataFixa: Array(4).fill(step('2026-11-20')) } }),
    'cobv.valor.desconto',
  ],
  ['a daily discount without a rate', cobv({ desconto: { modalidade: 3 } }), 'cobv.valor.desconto'],
  [
    'a daily discount with dates',
    cobv({ desconto: { modalidade: 3, valorPerc: '1.00', descontoDataFixa: [] } }),
    'cobv.valor.desconto',
  ],
  [
    'a discount of all',
    cobv({ desconto: { modalidade: 2, descontoDataFixa: [step('2026-11-20', '100.00')] } }),
    'cobv.valor.desconto',
  ],
];
for (const [name, body, property] of wrong) {
  test(`400 CobVOperacaoInvalida: ${name}`, async () => {
    assertPspProblem(await put(body), 400, 'CobVOperacaoInvalida', [property]);
  });
}

test('a change after the due day does not make the due day wrong; removal as for any charge', async () => {
  const txid = newTxid();
  await put(cobv(), txid);
  clock.set('2026-12-02T12:00:00Z');
  const changed = await call('PATCH', `/v2/cobv/${txid}`, { solicitacaoPagador: 'Obrigado' });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.revisao, 1);
  const removed = await call('PATCH', `/v2/cobv/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  assert.equal(removed.body.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR');
  clock.set('2026-11-16T15:00:00Z');
});

// The standard's own examples A to G of the last day on which a charge can be paid.
const validity: Array<[due: string, days: number, last: string]> = [
  ['2020-12-25', 0, '2020-12-28'],
  ['2020-12-25', 4, '2021-01-04'],
  ['2021-08-27', 5, '2021-09-01'],
  ['2021-08-28', 5, '2021-09-06'],
];
for (const [due, days, last] of validity) {
  test(`due ${due} and valid ${days} days more: payable until ${last}`, () => {
    const calendario = { dataDeVencimento: due, validadeAposVencimento: days };
    assert.equal(lastPayableDay({ calendario } as Terms), last);
  });
}

const terms = (valor: Partial<Terms['valor']>, due = '2026-11-16'): Terms => ({
  calendario: { dataDeVencimento: due, validadeAposVencimento: 30 },
  valor: { original: '100.00', ...valor },
  chave: PIX_KEY,
});
const values: Array<[string, Terms, string, number]> = [
  ['on the due day: as it is', terms({ multa: { modalidade: 2, valorPerc: '2.00' } }), '2026-11-16', 100_00],
  [
    'a week late at 2 % and 1 % a month',
    terms({ multa: { modalidade: 2, valorPerc: '2.00' }, juros: { modalidade: 3, valorPerc: '1.00' } }),
    '2026-11-23',
    102_23,
  ],
  [
    'due on a Sunday, paid on Monday: not late',
    terms({ multa: { modalidade: 1, valorPerc: '5.00' } }, '2026-11-22'),
    '2026-11-23',
    100_00,
  ],
  [
    'a fixed fine and so much a day',
    terms({ multa: { modalidade: 1, valorPerc: '5.00' }, juros: { modalidade: 1, valorPerc: '0.10' } }),
    '2026-11-18',
    105_20,
  ],
  [
    'so much a business day, over a weekend and a holiday',
    terms({ juros: { modalidade: 5, valorPerc: '1.00' } }),
    '2026-11-23',
    104_00,
  ],
  [
    'a rebate comes first',
    terms({ abatimento: { modalidade: 2, valorPerc: '10.00' }, multa: { modalidade: 2, valorPerc: '2.00' } }),
    '2026-11-17',
    91_80,
  ],
  [
    'the discount of the first date not passed',
    terms({
      desconto: { modalidade: 1, descontoDataFixa: [step('2026-11-14', '3.00'), step('2026-11-10', '7.00')] },
    }),
    '2026-11-12',
    97_00,
  ],
  [
    'no discount after its dates',
    terms({ desconto: { modalidade: 1, descontoDataFixa: [step('2026-11-10', '7.00')] } }),
    '2026-11-12',
    100_00,
  ],
  [
    'so much for each day early',
    terms({ desconto: { modalidade: 5, valorPerc: '0.50' } }),
    '2026-11-12',
    98_00,
  ],
];
for (const [name, of, on, expected] of values) {
  test(`what it costs: ${name}`, () => {
    const { original, multa, juros, abatimento, desconto, final } = valueOn(of, day(on));
    assert.equal(final, expected);
    assert.equal(final, original + multa + juros - abatimento - desconto);
  });
}

test('paid late: the sum and its parts; past its validity: not at all', async () => {
  const txid = newTxid();
  const valor = { multa: { modalidade: 2, valorPerc: '2.00' }, juros: { modalidade: 3, valorPerc: '1.00' } };
  await put(cobv(valor, { dataDeVencimento: '2026-11-16' }), txid);
  clock.set('2026-11-23T15:00:00Z');
  const paid = await simulator.pay(txid);
  assert.ok(paid.kind === 'paid');
  assert.equal(paid.amountCents, 102_23);
  const { body } = await call('GET', `/v2/pix/${paid.endToEndId}`);
  assert.deepEqual(body.componentesValor, {
    original: { valor: '100.00' },
    multa: { valor: '2.00' },
    juros: { valor: '0.23' },
  });
  const other = newTxid();
  await put(cobv(), other);
  clock.set('2026-12-11T03:00:00Z');
  assert.deepEqual(await simulator.pay(other), { kind: 'expired', at: new Date('2026-12-11T02:59:59.999Z') });
});
