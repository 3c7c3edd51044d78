import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildTerms,
  newTxid,
  openScriptedPsp,
  openTestClient,
  PIX_KEY,
  sendJson,
} from '../../../test/support/psp.ts';
import { PspUnavailable } from './failures.ts';

const buildCharge = (txid: string) => ({
  calendario: { criacao: '2026-11-16T15:00:00.000Z', expiracao: 3600 },
  txid,
  status: 'ATIVA',
  valor: { original: '52.30' },
  chave: PIX_KEY,
});

for (const [name, body] of [
  ['half a document', '{"txid":'],
  ['an HTML page', '<html>'],
  ['an empty body', ''],
  ['null', 'null'],
  ['a list', '[]'],
] as const) {
  test(`after a response of ${name}, the charge is looked up`, async () => {
    const txid = newTxid();
    const psp = await openScriptedPsp(({ method }, response) => {
      if (method === 'GET') sendJson(response, 200, buildCharge(txid));
      else response.writeHead(201).end(body);
    });
    const { client } = openTestClient({ url: psp.url });
    assert.equal((await client.putCob(txid, buildTerms())).kind, 'created');
    assert.deepEqual(
      psp.listCalls().map(({ method }) => method),
      ['PUT', 'GET'],
    );
  });
}

test('malformed responses to all calls are reported as unavailable', async () => {
  const psp = await openScriptedPsp((_request, response) => response.writeHead(200).end('{'));
  const { client } = openTestClient({ url: psp.url });
  const isGarbled = (error: unknown) => error instanceof PspUnavailable && error.reason === 'garbled';
  await assert.rejects(client.getCob(newTxid()), isGarbled);
  await assert.rejects(client.getPix(`E${'0'.repeat(31)}`), isGarbled);
  const window = { from: new Date(), to: new Date() };
  await assert.rejects(Array.fromAsync(client.listPix(window)), isGarbled);
  await assert.rejects(
    client.putCob(newTxid(), buildTerms()),
    (error) => error instanceof PspUnavailable && error.effect === 'unknown',
  );
});

test('a write with an unknown outcome is never reported as refused, even if its lookup is refused', async () => {
  const psp = await openScriptedPsp(({ method }, response) => {
    if (method === 'GET') sendJson(response, 403, { title: 'Acesso Negado' });
    else response.writeHead(502).end('bad gateway');
  });
  const { client } = openTestClient({ url: psp.url });
  await assert.rejects(
    client.putCob(newTxid(), buildTerms()),
    (error) => error instanceof PspUnavailable && error.reason === 'in_doubt' && error.effect === 'unknown',
  );
});

test('after a 429 the client waits as requested and retries, unless the wait is too long', async () => {
  let retryAfter = '0';
  const psp = await openScriptedPsp(({ path }, response) => {
    const isFirstAttempt = psp.listCalls().length % 2 === 1;
    if (isFirstAttempt) sendJson(response, 429, {}, { 'retry-after': retryAfter });
    else sendJson(response, 200, buildCharge(path.split('/').at(-1)!));
  });
  const { client } = openTestClient({ url: psp.url });
  assert.ok(await client.getCob(newTxid()));
  retryAfter = '600';
  const callCountBefore = psp.listCalls().length;
  await assert.rejects(client.getCob(newTxid()), (error) => {
    assert.ok(error instanceof PspUnavailable);
    assert.deepEqual([error.reason, error.effect, error.retryAfterMs], ['overloaded', 'none', 600_000]);
    return true;
  });
  assert.equal(psp.listCalls().length, callCountBefore + 1, 'called once, without a retry');
});

test('a redirect is not followed, so that the token is not sent elsewhere', async () => {
  const otherServer = await openScriptedPsp((_request, response) => sendJson(response, 200, {}));
  const psp = await openScriptedPsp((_request, response) =>
    response.writeHead(307, { location: otherServer.url }).end(),
  );
  const { client } = openTestClient({ url: psp.url });
  await assert.rejects(client.getCob(newTxid()), PspUnavailable);
  assert.equal(otherServer.requests.length, 0);
});

test('a slow response is aborted by the timeout, an endless one by the size limit', async () => {
  const psp = await openScriptedPsp(({ path }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path.includes('pix')) {
      const writeWithoutEnd = () =>
        response.write('x'.repeat(1024 * 1024), (error) => {
          if (!error) writeWithoutEnd();
        });
      writeWithoutEnd();
    } else {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    }
  });
  const { client } = openTestClient({ url: psp.url, attempts: 1 });
  const { client: impatientClient } = openTestClient({ url: psp.url, timeoutMs: 400, attempts: 1 });
  await assert.rejects(
    impatientClient.getCob(newTxid()),
    (error) => error instanceof PspUnavailable && error.reason === 'timeout',
  );
  await assert.rejects(
    client.getPix(`E${'0'.repeat(31)}`),
    (error) => error instanceof PspUnavailable && /too large/.test(error.message),
  );
});

const buildPix = (number: number) => ({
  endToEndId: `E${number}`,
  valor: '1.00',
  horario: '2026-11-16T15:00:00Z',
});

/** Lists the payments of a PSP that returns these pages for GET /pix, and then empty ones, all with these fields. */
async function listPages(pages: unknown[], commonFields: Record<string, unknown> = {}) {
  const psp = await openScriptedPsp(({ path }, response) => {
    const page = Number(new URL(path, psp.url).searchParams.get('paginacao.paginaAtual'));
    sendJson(response, 200, { pix: pages[page] ?? [], ...commonFields });
  });
  const { client } = openTestClient({ url: psp.url });
  const window = { from: new Date(), to: new Date(), pageSize: 100 };
  const readPages = await Array.fromAsync(client.listPix(window));
  const ids = readPages.flatMap(({ payments }) => payments.map(({ endToEndId }) => endToEndId));
  const unreadablePix = readPages.flatMap((page) => page.unreadablePix);
  return { ids, unreadablePix, callCount: psp.listCalls().length };
}

test('a list without counts is read until an empty page; unreadable payments hide no others', async () => {
  const invalidPix = { endToEndId: 'E9', txid: 'T', valor: 'ten' };
  const { ids, unreadablePix, callCount } = await listPages([
    [buildPix(1), buildPix(2)],
    [invalidPix, buildPix(3)],
    buildPix(4), // a page with one payment, which is not in a list
  ]);
  assert.deepEqual([ids, callCount], [['E1', 'E2', 'E3', 'E4'], 4]);
  assert.deepEqual(unreadablePix, [{ endToEndId: 'E9', txid: 'T' }]);
});

test('a list with item or page counts is read exactly to its end', async () => {
  const pages = [[buildPix(1), buildPix(2)], [buildPix(3)]];
  for (const paginacao of [
    { quantidadeTotalDeItens: 3 },
    { quantidadeDePaginas: 2 },
    { quantidadeTotalDeItens: '3', quantidadeDePaginas: 1 },
  ])
    assert.deepEqual(await listPages(pages, { parametros: { paginacao } }), {
      ids: ['E1', 'E2', 'E3'],
      unreadablePix: [],
      callCount: 2,
    });
});

test('a PSP without pagination, or one that refuses a page past the end, does not cause an endless loop', async () => {
  const repeatedPages = await listPages(Array(50).fill([buildPix(1), buildPix(2)]));
  assert.deepEqual([repeatedPages.ids, repeatedPages.callCount], [['E1', 'E2'], 2]);
  const psp = await openScriptedPsp(({ path }, response) => {
    if (path.includes('paginaAtual=0')) sendJson(response, 200, { pix: [buildPix(1)] });
    else sendJson(response, 400, { title: 'Página inexistente' });
  });
  const { client } = openTestClient({ url: psp.url });
  const pages = await Array.fromAsync(client.listPix({ from: new Date(), to: new Date() }));
  assert.equal(pages.length, 1);
});
