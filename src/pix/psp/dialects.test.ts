import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { crc16, decodeBrCode } from '#core/values/br-code.ts';
import { cents } from '#core/values/money.ts';
import {
  buildTerms,
  CLIENT_SECRET,
  newTxid,
  openScriptedPsp,
  openTestClient,
  PIX_KEY,
  type PspCall,
  sendJson,
} from '../../../test/support/psp.ts';
import { PspRefused } from './failures.ts';
import { parsePix } from './translate.ts';

/** Builds a charge as PSPs return it, with fields that we do not know. */
const buildCharge = (txid: string, overrides: Record<string, unknown> = {}) => ({
  calendario: { criacao: '2026-11-16T15:00:00.000Z', expiracao: 3600 },
  txid,
  revisao: 0,
  loc: { id: 1, location: 'pix.example.com/qr/v2/abc', tipoCob: 'cob', criacao: '2026-11-16T15:00:00Z' },
  location: 'pix.example.com/qr/v2/abc',
  status: 'ATIVA',
  valor: { original: '52.30' },
  chave: PIX_KEY,
  somethingNew: { deep: [1] },
  ...overrides,
});

/** Builds the charge whose txid ends the path of a request. */
const buildChargeAt = (path: string, overrides?: Record<string, unknown>) =>
  buildCharge(path.split('/').at(-1)!, overrides);

/** Simulates Efí, which refuses an existing txid, and has its own error format. */
function createEfiHandler() {
  const charges = new Map<string, Record<string, unknown>>();
  return ({ method, path, body }: PspCall, response: ServerResponse) => {
    const txid = path.split('/').at(-1)!;
    if (method === 'GET') {
      const storedCharge = charges.get(txid);
      if (storedCharge) sendJson(response, 200, storedCharge);
      else
        sendJson(response, 404, { nome: 'cobranca_nao_encontrada', mensagem: 'Nenhuma cobrança encontrada' });
      return;
    }
    if (charges.has(txid)) {
      sendJson(response, 409, { nome: 'txid_duplicado', mensagem: `O campo txid já foi utilizado: ${body}` });
      return;
    }
    const { valor } = JSON.parse(body);
    if (valor.original === '0.01') {
      const erros = [{ chave: 'pattern', caminho: '.body.valor.original', mensagem: 'é inválido' }];
      sendJson(response, 400, {
        nome: 'json_invalido',
        mensagem: `CPF 123.456.789-09 ou chave ${PIX_KEY} inválidos`,
        erros,
      });
      return;
    }
    charges.set(txid, buildCharge(txid, { valor }));
    sendJson(response, 201, charges.get(txid));
  };
}

test('after a 409 of Efí for an existing txid, the charge is looked up', async () => {
  const psp = await openScriptedPsp(createEfiHandler());
  const { client } = openTestClient({ url: psp.url });
  const txid = newTxid();
  assert.equal((await client.putCob(txid, buildTerms())).kind, 'created');
  assert.equal((await client.putCob(txid, buildTerms())).kind, 'created');
  assert.equal((await client.putCob(txid, buildTerms({ amountCents: cents(100) }))).kind, 'txid_taken');
  assert.deepEqual(
    psp.listCalls().map(({ method }) => method),
    ['PUT', 'PUT', 'GET', 'PUT', 'GET'],
  );
  assert.deepEqual(await client.getCob(newTxid()), null);
});

test('refusals of Efí are parsed, and redacted', async () => {
  const psp = await openScriptedPsp(createEfiHandler());
  const { client, readLog } = openTestClient({ url: psp.url });
  const refusal = client.putCob(newTxid(), buildTerms({ amountCents: cents(1) }));
  await assert.rejects(refusal, (error: unknown) => {
    assert.ok(error instanceof PspRefused);
    assert.equal(error.type, 'json_invalido');
    assert.equal(error.detail, 'CPF … ou chave … inválidos');
    assert.deepEqual(error.violations, [{ property: '.body.valor.original', reason: 'é inválido' }]);
    assert.doesNotMatch(error.message, /123|7d9f/, 'neither the CPF nor the key');
    return true;
  });
  assert.doesNotMatch(readLog(), /7d9f0335|456\.789/);
});

test('without a code of the PSP, one is built from the location, with or without a scheme', async () => {
  const psp = await openScriptedPsp(({ path }, response) => {
    const txid = path.split('/').at(-1)!;
    const overrides = { location: 'https://pix.example.com/qr/v2/abc', loc: undefined };
    sendJson(response, 201, buildCharge(txid, overrides));
  });
  const { client } = openTestClient({ url: psp.url });
  const { charge: createdCharge } = await client.putCob(newTxid(), buildTerms());
  const decoded = decodeBrCode(createdCharge.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: 'pix.example.com/qr/v2/abc' });
  assert.deepEqual([decoded.code.merchantName, decoded.code.merchantCity], ['Credito Semana', 'Sao Paulo']);
});

test('the code of the PSP is used unchanged if it is valid', async () => {
  const withoutCrc =
    '00020101021226700014BR.GOV.BCB.PIX2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304';
  let pixCopiaECola = withoutCrc + crc16(withoutCrc);
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(response, 200, buildChargeAt(path, { pixCopiaECola })),
  );
  const { client } = openTestClient({ url: psp.url });
  const validCharge = await client.getCob(newTxid());
  assert.ok(validCharge);
  assert.equal(validCharge.brCode, pixCopiaECola);
  pixCopiaECola = `${withoutCrc}0000`;
  const invalidCharge = await client.getCob(newTxid());
  assert.ok(invalidCharge);
  assert.notEqual(invalidCharge.brCode, pixCopiaECola);
  assert.ok(decodeBrCode(invalidCharge.brCode!).ok);
});

test('unknown values are passed on unchanged, and numbers are accepted as text and text as numbers', async () => {
  const pix = [
    {
      endToEndId: 'E1',
      valor: 52.3,
      horario: '2026-11-16T12:00:00.123-03:00',
      devolucoes: { id: 'D1', valor: '1.00', status: 'A_CAMINHO', natureza: 'MED_NOVO' },
    },
    { endToEndId: 'E2', valor: '1', horario: 'ontem' },
  ];
  const calendario = { criacao: '2026-11-16T15:00:00', expiracao: '3600' };
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(response, 200, buildChargeAt(path, { status: 'EM_ANALISE', revisao: '4', calendario, pix })),
  );
  const { client } = openTestClient({ url: psp.url });
  const foundCharge = await client.getCob(newTxid());
  assert.ok(foundCharge);
  const { status, expirationSeconds, payments, unreadablePix } = foundCharge;
  assert.deepEqual([status, expirationSeconds], ['EM_ANALISE', 3600]);
  assert.deepEqual(unreadablePix, [{ endToEndId: 'E2', txid: null }]);
  assert.deepEqual(
    payments.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]),
    [['E1', 5230]],
  );
  const [payment] = payments;
  assert.equal(payment!.paidAt.toISOString(), '2026-11-16T15:00:00.123Z');
  assert.deepEqual(
    payment!.refunds.map(({ status: refundStatus, nature }) => [refundStatus, nature]),
    [['A_CAMINHO', 'MED_NOVO']],
  );
  assert.equal((await client.removeCob(newTxid())).kind, 'not_removed');
});

test('a charge without expiry and with the key in upper case is recognised as ours', async () => {
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(
      response,
      201,
      buildChargeAt(path, {
        calendario: { criacao: '2026-11-16T15:00:00Z' },
        chave: PIX_KEY.toUpperCase(),
      }),
    ),
  );
  const { client } = openTestClient({ url: psp.url });
  const { kind, charge: createdCharge } = await client.putCob(newTxid(), buildTerms());
  assert.deepEqual([kind, createdCharge.expirationSeconds], ['created', null]);
});

test('a 201 response with another amount is not accepted as our charge', async () => {
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(response, 201, buildChargeAt(path, { valor: { original: '5.23' } })),
  );
  const { client } = openTestClient({ url: psp.url });
  assert.equal((await client.putCob(newTxid(), buildTerms())).kind, 'txid_taken');
});

test('the base URL may have another path', async () => {
  const psp = await openScriptedPsp(({ path }, response) => sendJson(response, 200, buildChargeAt(path)));
  const { client } = openTestClient({ url: psp.url, baseUrl: `${psp.url}/pix/v2/` });
  const txid = newTxid();
  await client.getCob(txid);
  const [call] = psp.listCalls();
  assert.equal(call!.path, `/pix/v2/cob/${txid}`);
  const [tokenRequest] = psp.listTokenRequests();
  assert.equal(
    tokenRequest!.headers.authorization,
    `Basic ${Buffer.from(`sandbox-psp-client:${CLIENT_SECRET}`).toString('base64')}`,
  );
});

test('a key is escaped in the path', async () => {
  const psp = await openScriptedPsp((_request, response) =>
    sendJson(response, 200, { webhookUrl: 'https://a.example' }),
  );
  const { client } = openTestClient({ url: psp.url });
  await client.getWebhook('+5511987654321');
  await client.getWebhook('a/b?c@example.com');
  assert.deepEqual(
    psp.listCalls().map(({ path }) => path),
    ['/v2/webhook/%2B5511987654321', '/v2/webhook/a%2Fb%3Fc%40example.com'],
  );
});

test('amounts without decimals, a single payment as an object, and an additional payment of zero are accepted', async () => {
  const horario = '2026-11-16 12:00:00';
  let pix: unknown = { endToEndId: 'E1', valor: '10', horario };
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(response, 200, buildChargeAt(path, { valor: { original: '10.0' }, pix })),
  );
  const { client } = openTestClient({ url: psp.url });
  const listPayments = async () => {
    const foundCharge = await client.getCob(newTxid());
    assert.ok(foundCharge);
    assert.equal(foundCharge.amountCents, 1000);
    return foundCharge.payments.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]);
  };
  assert.deepEqual(await listPayments(), [['E1', 1000]]);
  pix = [{ endToEndId: 'E0', valor: '0.00', horario }, null, { endToEndId: 'E2', valor: '10.500', horario }];
  assert.deepEqual(await listPayments(), [['E2', 1050]]);
});

const INSTANTS = [
  '2026-11-16T15:00:00.123Z',
  '2026-11-16T15:00:00.123',
  '2026-11-16 15:00:00.123',
  '2026-11-16 12:00:00.123456-0300',
  '2026-11-16T12:00:00,123-03',
  '2026-11-16t15:00:00.123z',
];
for (const horario of INSTANTS) {
  test(`an instant is parsed in the form ${horario}`, () => {
    const payment = parsePix({ endToEndId: 'E1', valor: '1.00', horario });
    assert.equal(payment?.paidAt.toISOString(), '2026-11-16T15:00:00.123Z');
  });
}

test('a code is built from a location of 77 characters', async () => {
  const location = `pix.example.com/${'a'.repeat(61)}`;
  assert.equal(location.length, 77);
  const psp = await openScriptedPsp(({ path }, response) =>
    sendJson(response, 201, buildChargeAt(path, { location: `https://${location}`, loc: undefined })),
  );
  const { client } = openTestClient({ url: psp.url });
  const decoded = decodeBrCode((await client.putCob(newTxid(), buildTerms())).charge.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location });
});
