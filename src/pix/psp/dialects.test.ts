import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { decodeBrCode } from '#core/br-code.ts';
import { parseCpf } from '#core/cpf.ts';
import { cents } from '#core/money.ts';
import { PspRefused } from './failures.ts';
import { type Asked, json, newTxid, openClient, openScript, PIX_KEY, SECRET, terms } from './testing.ts';

/** A charge as PSPs write it, with more than we know. */
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
  return ({ method, path, body }: Asked, response: ServerResponse) => {
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
        mensagem: 'CPF 123.456.789-09 de Ana Lima inválido',
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
  const payer = { cpf: parseCpf('12345678909')!, name: 'Ana Lima' };
  const refused = client.putCob(newTxid(), terms({ amountCents: cents(1), payer }));
  await assert.rejects(refused, (error: unknown) => {
    assert.ok(error instanceof PspRefused);
    assert.equal(error.type, 'json_invalido');
    assert.equal(error.detail, 'CPF … de … inválido');
    assert.deepEqual(error.violations, [{ property: '.body.valor.original', reason: 'é inválido' }]);
    assert.doesNotMatch(error.message, /Ana|123/);
    return true;
  });
  assert.doesNotMatch(logged(), /Ana Lima|456\.789/);
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
  const { status, revision, createdAt, expirationSeconds, payments } = found.charge;
  assert.deepEqual([status, revision, expirationSeconds], ['EM_ANALISE', 4, 3600]);
  assert.equal(createdAt.toISOString(), '2026-11-16T15:00:00.000Z');
  assert.deepEqual(
    payments.map(({ endToEndId, amountCents }) => [endToEndId, amountCents]),
    [['E1', 5230]],
  );
  assert.equal(payments[0]!.paidAt.toISOString(), '2026-11-16T15:00:00.123Z');
  assert.deepEqual(
    payments[0]!.refunds.map(({ status: word, forced }) => [word, forced]),
    [['A_CAMINHO', true]],
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
  assert.equal(made.expiresAt.toISOString(), '2026-11-17T15:00:00.000Z');
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
