import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cents } from '#core/values/money.ts';
import { PspRefused, parseRefusal, redact } from './failures.ts';
import { parseCharge, parsePix, parsePixList, parseRefund, parseWebhook, renderTerms } from './translate.ts';

const receiver = { name: 'Semana', city: 'Sao Paulo' };

test('parsers never throw, whatever the PSP sends', () => {
  const fieldNames = [
    'txid',
    'status',
    'valor',
    'original',
    'chave',
    'calendario',
    'criacao',
    'location',
    'loc',
    'pix',
    'endToEndId',
    'horario',
    'devolucoes',
    'id',
    'pixCopiaECola',
    'webhookUrl',
    'violacoes',
    'type',
  ];
  const anyText = fc.constantFrom(
    'ATIVA',
    '1.00',
    '2026-11-16T15:00:00Z',
    'x'.repeat(100),
    '',
    'constructor',
  );
  const { anyBody } = fc.letrec((tie) => ({
    anyBody: fc.oneof(
      { maxDepth: 4 },
      anyText,
      fc.jsonValue(),
      fc.array(tie('anyBody'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fieldNames), tie('anyBody'), { maxKeys: 12 }),
    ),
  }));
  fc.assert(
    fc.property(anyBody, (body) => {
      for (const parse of [parsePix, parseRefund, parseWebhook, parsePixList]) parse(body);
      parseCharge(body, receiver);
      assert.ok(parseRefusal(400, body, []) instanceof PspRefused);
    }),
    { numRuns: 2000 },
  );
});

test('values that PostgreSQL cannot store are treated as missing', () => {
  const pix = { endToEndId: 'E1', txid: 'a\0b', valor: '1.00', horario: '2026-11-16T15:00:00Z' };
  assert.equal(parsePix(pix)?.txid, null);
  for (const endToEndId of ['E\0', 'E'.repeat(65), 'E 1'])
    assert.deepEqual(parsePixList([{ ...pix, endToEndId }])?.unreadablePix, [
      { endToEndId: null, txid: null },
    ]);
  const refund = { id: 'R1', valor: '1.00', status: 'DEVOLVIDO', motivo: '\0' };
  assert.equal(parseRefund(refund)?.reason, null);
  assert.equal(parseRefund({ ...refund, id: 'R'.repeat(3_000) }), null);
});

test('terms are rendered in the standard’s format and cut to its lengths', () => {
  const pspTerms = renderTerms({
    amountCents: cents(5),
    expirationSeconds: 60,
    key: 'k',
    note: 'n'.repeat(200),
  }) as { solicitacaoPagador: string; valor: unknown };
  assert.deepEqual(pspTerms.valor, { original: '0.05' });
  assert.equal(pspTerms.solicitacaoPagador.length, 140);
});

test('the spelling of a removal in the prose of the standard is accepted, and an unknown status is unchanged', () => {
  const body = {
    txid: 't',
    valor: { original: '1.00' },
    chave: 'k',
    calendario: { criacao: '2026-11-16T15:00:00Z' },
    status: 'REMOVIDO_PELO_USUARIO_RECEBEDOR',
  };
  assert.equal(parseCharge(body, receiver)?.status, 'removed');
  assert.equal(parseCharge({ ...body, status: 'constructor' }, receiver)?.status, 'constructor');
});

const REDACTED_TEXTS: Array<[raw: string, redacted: string]> = [
  ['CPF 123.456.789-09 inválido', 'CPF … inválido'],
  ['documento 12345678909', 'documento …'],
  ['telefone +55 (11) 98765-4321 recusado', 'telefone … recusado'],
  ['chave ana@example.com inválida', 'chave … inválida'],
  ['segredo s3cr3t-X e S3CR3T-x', 'segredo … e …'],
  ['valor 1234.56 em 2026 excede', 'valor 1234.56 em 2026 excede'],
  ['linha\n\u0000quebrada', 'linha quebrada'],
];
for (const [raw, redacted] of REDACTED_TEXTS) {
  test(`a PSP's text is redacted: ${JSON.stringify(raw)}`, () => {
    assert.equal(redact(raw, ['s3cr3t-X']), redacted);
  });
}

test('refusals are parsed in all formats of PSPs', () => {
  const standardRefusal = parseRefusal(
    400,
    {
      type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
      title: 'Cobrança inválida.',
      status: 400,
      violacoes: [{ razao: 'é zero', propriedade: 'cob.valor.original', valor: '0.00' }],
    },
    [],
  );
  assert.deepEqual(
    [standardRefusal.type, standardRefusal.detail, standardRefusal.violations],
    ['CobOperacaoInvalida', 'Cobrança inválida.', [{ property: 'cob.valor.original', reason: 'é zero' }]],
  );
  assert.equal(standardRefusal.message, 'The PSP refused: CobOperacaoInvalida (400), Cobrança inválida.');
  const efiRefusal = parseRefusal(409, { nome: 'txid_duplicado', mensagem: 'Já existe' }, []);
  assert.deepEqual([efiRefusal.type, efiRefusal.detail], ['txid_duplicado', 'Já existe']);
  const oauthRefusal = parseRefusal(400, { error: 'invalid_scope', error_description: 'no' }, []);
  assert.deepEqual([oauthRefusal.type, oauthRefusal.detail], ['invalid_scope', 'no']);
  assert.deepEqual(parseRefusal(418, undefined, []).type, 'unknown');
});
