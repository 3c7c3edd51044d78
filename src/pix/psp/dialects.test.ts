import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { decodeBrCode } from '#core/br-code.ts';
import { cents } from '#core/money.ts';
import {
  json,
  newTxid,
  openClient,
  openScript,
  PIX_KEY,
  type PspCall,
  SECRET,
  terms,
} from '../../../test/support/psp.ts';
import { PspRefused } from './failures.ts';
import { readPix } from './translate.ts';

/** A charge as PSPs write it, with more fields than we know. */
const charge = (txid: string, more: Record<string, unknown> = {}) => ({
  calendario: { criacao: '2026-11-16T15:00:00.000Z', expiracao: 3600 },
  txid,
  revisao: 0,
  loc: { id: 1, location: 'pix.example.com/qr/v2/abc', tipoCob: 'cob', criacao: '2026-11-16T15:00:00Z' },
  location: 'pix.example.com/qr/v2/abc',
  status: 'ATIVA',
  valor: { original: '52.30' },
  chave: PIX_KEY,
  somethingNew: { deep: [1] },
  ...more,
});

/** Efí: no replay of a txid that exists, its own shape of errors. */
function efi() {
  const made = new Map<string, Record<string, unknown>>();
  return ({ method, path, body }: PspCall, response: ServerResponse) => {
    const txid = path.split('/').at(-1)!;
    if (method === 'GET') {
      const found = made.get(txid);
      if (found) json(response, 200, found);
      else json(response, 404, { nome: 'cobranca_nao_encontrada', mensagem: 'Nenhuma cobrança encontrada' });
      return;
    }
    if (made.has(txid)) {
      json(response, 409, { nome: 'txid_duplicado', mensagem: `O campo txid já foi utilizado: ${body}` });
      return;
    }
    const { valor } = JSON.parse(body);
    if (valor.original === '0.01') {
      const erros = [{ chave: 'pattern', caminho: '.body.valor.original', mensagem: 'é inválido' }];
      json(response, 400, {
        nome: 'json_invalido',
        mensagem: `CPF 123.456.789-09 ou chave ${PIX_KEY} inválidos`,
        erros,
      });
      return;
    }
    made.set(txid, charge(txid, { valor }));
    json(response, 201, made.get(txid));
  };
}

test('Efí: 409 for a txid that exists is looked up, not an error', async () => {
  const psp = await openScript(efi());
  const { client } = openClient({ url: psp.url });
  const txid = newTxid();
  assert.equal((await client.putCob(txid, terms())).kind, 'made');
  assert.equal((await client.putCob(txid, terms())).kind, 'made');
  assert.equal((await client.putCob(txid, terms({ amountCents: cents(100) }))).kind, 'taken');
  assert.deepEqual(
    psp.calls().map(({ method }) => method),
    ['PUT', 'PUT', 'GET', 'PUT', 'GET'],
  );
  assert.deepEqual(await client.getCob(newTxid()), { kind: 'not_found' });
});

test('Efí: its refusals are read too, and cleaned of the payer', async () => {
  const psp = await openScript(efi());
  const { client, logged } = openClient({ url: psp.url });
  const refused = client.putCob(newTxid(), terms({ amountCents: cents(1) }));
  await assert.rejects(refused, (error: unknown) => {
    assert.ok(error instanceof PspRefused);
    assert.equal(error.type, 'json_invalido');
    assert.equal(error.detail, 'CPF … ou chave … inválidos');
    assert.deepEqual(error.violations, [{ property: '.body.valor.original', reason: 'é inválido' }]);
    assert.doesNotMatch(error.message, /123|7d9f/);
    return true;
  });
  assert.doesNotMatch(logged(), /7d9f0335|456\.789/);
});

test('without a code of the PSP one is built from the location, whose scheme some PSPs write', async () => {
  const psp = await openScript(({ path }, response) => {
    const txid = path.split('/').at(-1)!;
    json(response, 201, charge(txid, { location: 'https://pix.example.com/qr/v2/abc', loc: undefined }));
  });
  const { client } = openClient({ url: psp.url });
  const { charge: made } = await client.putCob(newTxid(), terms());
  const decoded = decodeBrCode(made.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: 'pix.example.com/qr/v2/abc' });
  assert.deepEqual([decoded.code.merchantName, decoded.code.merchantCity], ['Credito Semana', 'Sao Paulo']);
});

test('the code the PSP gives is used as it is, unless no scanner could read it', async () => {
  const upper =
    '00020101021226700014BR.GOV.BCB.PIX2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304';
  const { crc16 } = await import('#core/crc16.ts');
  let pixCopiaECola = upper + crc16(upper);
  const psp = await openScript(({ path }, response) =>
    json(response, 200, charge(path.split('/').at(-1)!, { pixCopiaECola })),
  );
  const { client } = openClient({ url: psp.url });
  const given = await client.getCob(newTxid());
  assert.ok(given.kind === 'found');
  assert.equal(given.charge.brCode, pixCopiaECola);
  pixCopiaECola = `${upper}0000`;
  const broken = await client.getCob(newTxid());
  assert.ok(broken.kind === 'found');
  assert.notEqual(broken.charge.brCode, pixCopiaECola);
  assert.ok(decodeBrCode(broken.charge.brCode!).ok);
});

test('words nobody knows yet are kept, numbers as text and text as numbers are read', async () => {
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
  const psp = await openScript(({ path }, response) =>
    json(
      response,
      200,
      charge(path.split('/').at(-1)!, { status: 'EM_ANALISE', revisao: '4', calendario, pix }),
    ),
  );
  const { client } = openClient({ url: psp.url });
  const found = await client.getCob(newTxid());
  assert.ok(found.kind === 'found');
  const { status, expirationSeconds, payments, unreadable } = found.charge;
  assert.deepEqual([status, expirationSeconds], ['EM_ANALISE', 3600]);
  assert.deepEqual(unreadable, [{ endToEndId: 'E2', txid: null }]);
  assert.deepEqual(
    payments.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]),
    [['E1', 5230]],
  );
  assert.equal(payments[0]!.paidAt.toISOString(), '2026-11-16T15:00:00.123Z');
  assert.deepEqual(
    payments[0]!.refunds.map(({ status: word, nature }) => [word, nature]),
    [['A_CAMINHO', 'MED_NOVO']],
  );
  assert.equal((await client.removeCob(newTxid())).kind, 'unclear');
});

test('a PSP that leaves the expiry out and writes the key in capitals still has our charge', async () => {
  const psp = await openScript(({ path }, response) =>
    json(
      response,
      201,
      charge(path.split('/').at(-1)!, {
        calendario: { criacao: '2026-11-16T15:00:00Z' },
        chave: PIX_KEY.toUpperCase(),
      }),
    ),
  );
  const { client } = openClient({ url: psp.url });
  const { kind, charge: made } = await client.putCob(newTxid(), terms());
  assert.deepEqual([kind, made.expirationSeconds], ['made', null]);
});

test('a 201 for another amount is not taken for ours', async () => {
  const psp = await openScript(({ path }, response) =>
    json(response, 201, charge(path.split('/').at(-1)!, { valor: { original: '5.23' } })),
  );
  const { client } = openClient({ url: psp.url });
  assert.equal((await client.putCob(newTxid(), terms())).kind, 'taken');
});

test('addresses of other PSPs: what comes before and after is theirs to choose', async () => {
  const psp = await openScript(({ path }, response) => json(response, 200, charge(path.split('/').at(-1)!)));
  const { client } = openClient({ url: psp.url, baseUrl: `${psp.url}/pix/v2/` });
  const txid = newTxid();
  await client.getCob(txid);
  assert.equal(psp.calls()[0]!.path, `/pix/v2/cob/${txid}`);
  assert.equal(
    psp.tokens()[0]!.headers.authorization,
    `Basic ${Buffer.from(`sandbox-psp-client:${SECRET}`).toString('base64')}`,
  );
});

test('a key is escaped in the address', async () => {
  const psp = await openScript((_asked, response) =>
    json(response, 200, { webhookUrl: 'https://a.example' }),
  );
  const { client } = openClient({ url: psp.url });
  await client.getWebhook('+5511987654321');
  await client.getWebhook('a/b?c@example.com');
  assert.deepEqual(
    psp.calls().map(({ path }) => path),
    ['/v2/webhook/%2B5511987654321', '/v2/webhook/a%2Fb%3Fc%40example.com'],
  );
});

test('amounts without decimals, a single payment as an object, and a payment of nothing beside a real one are read', async () => {
  const horario = '2026-11-16 12:00:00';
  let pix: unknown = { endToEndId: 'E1', valor: '10', horario };
  const psp = await openScript(({ path }, response) =>
    json(response, 200, charge(path.split('/').at(-1)!, { valor: { original: '10.0' }, pix })),
  );
  const { client } = openClient({ url: psp.url });
  const read = async () => {
    const found = await client.getCob(newTxid());
    assert.ok(found.kind === 'found');
    assert.equal(found.charge.amountCents, 1000);
    return found.charge.payments.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]);
  };
  assert.deepEqual(await read(), [['E1', 1000]]);
  pix = [{ endToEndId: 'E0', valor: '0.00', horario }, null, { endToEndId: 'E2', valor: '10.500', horario }];
  assert.deepEqual(await read(), [['E2', 1050]]);
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
  test(`horario is read however it is written: ${horario}`, () => {
    const read = readPix({ endToEndId: 'E1', valor: '1.00', horario });
    assert.equal(read?.paidAt.toISOString(), '2026-11-16T15:00:00.123Z');
  });
}

test('a location of 77 characters becomes a code', async () => {
  const location = `pix.example.com/${'a'.repeat(61)}`;
  assert.equal(location.length, 77);
  const psp = await openScript(({ path }, response) =>
    json(response, 201, charge(path.split('/').at(-1)!, { location: `https://${location}`, loc: undefined })),
  );
  const { client } = openClient({ url: psp.url });
  const decoded = decodeBrCode((await client.putCob(newTxid(), terms())).charge.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location });
});
