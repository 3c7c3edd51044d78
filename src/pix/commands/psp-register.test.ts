import assert from 'node:assert/strict';
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { commandLine } from '../../../test/commands.ts';
import { newDatabase } from '../../../test/processes.ts';
import { makeCertificates } from '../../../test/support/certificates.ts';
import { json } from '../../../test/support/psp.ts';
import { openBank } from '../../../test/support/psp-simulator.ts';

// The command in live mode, against the simulator behind mTLS as a real PSP would be.
const certificates = makeCertificates();
const skip = certificates.missing;
const { path, file } = certificates;

const KEY = 'pix@semana.example';
const CALLBACK_SECRET = 'callback-secret-of-the-test';
const DATABASE_URL = await newDatabase();
const bank = await openBank({ keys: [KEY] });

/** Overrides the simulator's answers, except for the token. */
let script: ((response: ServerResponse) => void) | undefined;
const callers = new Set<string>();
const url = skip === false ? await openFront() : '';

async function openFront(): Promise<string> {
  const tls = { cert: file('server.pem'), key: file('server.key'), ca: file('bank-ca.pem') };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (asked, response) => {
    callers.add((asked.socket as TLSSocket).getPeerCertificate().subject.CN as string);
    if (script && asked.url !== '/oauth/token') script(response);
    else pass(asked, response);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as { port: number }).port}`;
}

function pass(asked: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = asked;
  const passed = forward(bank.simulator.url() + asked.url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  asked.pipe(passed);
}

const LIVE = {
  SEMANA_MODE: 'live',
  DATABASE_URL,
  PUBLIC_URL: 'https://api.semana.example',
  DATA_KEYS: `1:${Buffer.alloc(32, 'd').toString('base64')}`,
  REFERRAL_LINK: 'https://semana.example/convite/{code}',
  PAY_LINK: 'https://semana.example/pagar/{token}',
  OFFER_LINK: 'https://semana.example/carteira/ofertas/{id}',
  WALLET_LINK: 'https://semana.example/carteira/{page}',
  CREDITOR_NAME: 'Semana Crédito Ltda.',
  CREDITOR_CNPJ: '11.222.333/0001-81',
  CREDITOR_ADDRESS: 'Rua da Aurora, 100, Recife, PE, 50050-000',
  CREDITOR_EMAIL: 'contato@semana.example',
  LOOKUP_KEY: Buffer.alloc(32, 'l').toString('base64'),
  SMS_SENDER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC0',
  TWILIO_AUTH_TOKEN: 'x',
  TWILIO_FROM: '+15005550006',
  PSP_URL: `${url}/v2`,
  PSP_TOKEN_URL: `${url}/oauth/token`,
  PSP_CA: path('bank-ca.pem'),
  PSP_CLIENT_ID: 'sandbox-psp-client',
  PSP_CLIENT_SECRET: 'sandbox-psp-secret',
  PSP_CERT: path('client.pem'),
  PSP_KEY: path('client.key'),
  PSP_CALLBACK_SECRET: CALLBACK_SECRET,
  PIX_KEY: KEY,
  PIX_RECEIVER_NAME: 'Semana',
  PIX_RECEIVER_CITY: 'Recife',
};
if (skip === false) assert.equal((await commandLine(['migrate'], LIVE)).code, 0);

const run = (words: string[], env: Record<string, string> = {}) =>
  commandLine(['psp', 'register', ...words], { ...LIVE, ...env });

/** Standard error of a run that must fail with a message and nothing else. */
async function fault(words: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(words, env);
  assert.equal(code, 1, stdout + stderr);
  assert.equal(stdout, '');
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  for (const secret of [CALLBACK_SECRET, 'sandbox-psp-secret', KEY, 'hunter2'])
    assert.ok(!stderr.includes(secret), stderr);
  return stderr.replace(/^Asking the PSP.*\n/, '');
}

async function scripted(answer: (response: ServerResponse) => void, work: () => Promise<void>) {
  script = answer;
  try {
    await work();
  } finally {
    script = undefined;
  }
}

const registered = async () => (await bank.call('GET', `/v2/webhook/${KEY}`)).body.webhookUrl;

test('registers the address, and shows that it is; by PEM files and by a .p12', { skip }, async () => {
  assert.equal(
    await fault(['--show']),
    "No address is registered at the PSP. 'semana psp register' has it call this service.\n",
  );
  const { PSP_CERT: _, PSP_KEY: __, ...others } = LIVE;
  const pfx = { PSP_PFX: path('locked.p12'), PSP_PFX_PASSPHRASE: 'hunter2' };
  for (const env of [LIVE, { ...others, ...pfx }]) {
    await bank.call('DELETE', `/v2/webhook/${KEY}`);
    const { code, stdout, stderr } = await commandLine(['psp', 'register'], env);
    assert.deepEqual([code, stdout], [0, 'The PSP calls this service.\n'], stderr);
    assert.equal(await registered(), `https://api.semana.example/psp/callback/${CALLBACK_SECRET}`);
    const shown = await commandLine(['psp', 'register', '--show'], env);
    assert.deepEqual([shown.code, shown.stdout, shown.stderr], [0, 'The PSP calls this service.\n', '']);
  }
  assert.deepEqual([...callers], ['client'], 'our certificate was shown with every call');
});

test('--show tells of another address, not of its secret, and changes nothing', { skip }, async () => {
  await bank.call('PUT', `/v2/webhook/${KEY}`, {
    webhookUrl: 'https://old.semana.example/psp/callback/hush',
  });
  assert.equal(
    await fault(['--show']),
    "The PSP calls another address, at https://old.semana.example. 'semana psp register' has it call this service.\n",
  );
  assert.match(await registered(), /^https:\/\/old\./);
});

test('wrong credentials: says which settings to look at', { skip }, async () => {
  assert.equal(
    await fault([], { PSP_CLIENT_SECRET: 'another' }),
    'The PSP does not accept our credentials (token, status 401). ' +
      'Look at PSP_CLIENT_ID, PSP_CLIENT_SECRET, PSP_TOKEN_STYLE and PSP_SCOPES.\n',
  );
});

test('certificates that one side does not accept: says so', { skip }, async () => {
  const advice = /^The PSP cannot be reached \(token, \w+\)\. Look at our certificate \(PSP_CERT and PSP_KEY/;
  assert.match(await fault([], { PSP_CERT: path('stranger.pem'), PSP_KEY: path('stranger.key') }), advice);
  assert.match(await fault([], { PSP_CA: path('other-ca.pem') }), advice);
});

test('files without a certificate are reported before the PSP is called, as every wrong setting is', {
  skip,
}, async () => {
  const { PSP_CERT: _, PSP_KEY: __, ...others } = LIVE;
  const pfx = { ...others, PSP_PFX: path('locked.p12'), PSP_PFX_PASSPHRASE: 'wrong' };
  const cases: Array<[Record<string, string>, RegExp]> = [
    [pfx, /- PSP_PFX cannot be opened: .*PSP_PFX_PASSPHRASE/],
    [{ ...LIVE, PSP_KEY: path('stranger.key') }, /- PSP_CERT and PSP_KEY are no PEM files/],
    [{ ...LIVE, PSP_CA: path('names') }, /- PSP_CA is no PEM file/],
  ];
  for (const [env, told] of cases) {
    const { code, stderr } = await commandLine(['psp', 'register'], env);
    assert.equal(code, 2, stderr);
    assert.match(stderr, told);
    assert.doesNotMatch(stderr, /\n {4}at |wrong/);
  }
});

test('refused in the standard’s shape: its type, its reasons, and what to look at', { skip }, async () => {
  const told = await fault([], { PIX_KEY: 'other@semana.example' });
  assert.match(told, /^The PSP refused: \w+ \(40\d\), .+ Look at PIX_KEY/);
  assert.ok(!told.includes('other@'), told);
  const body = {
    type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
    title: 'Acesso Negado',
    status: 403,
  };
  await scripted(
    (response) => json(response, 403, body),
    async () =>
      assert.equal(
        await fault([]),
        'The PSP refused: AcessoNegado (403), Acesso Negado. ' +
          'Ask the PSP to let this client use webhook.write and webhook.read.\n',
      ),
  );
});

test('refused in Efí’s shape: the same', { skip }, async () => {
  const body = {
    nome: 'webhook_invalido',
    mensagem: 'A requisição à URL informada respondeu com o código 403.',
  };
  await scripted(
    (response) => json(response, 400, body),
    async () =>
      assert.equal(
        await fault([]),
        'The PSP refused: webhook_invalido (400), A requisição à URL informada respondeu com o código 403. ' +
          'Look at PIX_KEY; the PSP may also have called PUBLIC_URL: see that the service runs and can be reached there.\n',
      ),
  );
});

test('a PSP that fails, says nothing, says nonsense or is not there: says so, and what to do', {
  skip,
}, async () => {
  const quick = { PSP_TIMEOUT_MS: '300' };
  await scripted(
    (response) => response.writeHead(503).end('<html>'),
    async () =>
      assert.match(await fault([], quick), /^The PSP failed at its side .* Try again in a few minutes/),
  );
  await scripted(
    () => undefined,
    async () =>
      assert.match(await fault(['--show'], quick), /^The PSP did not answer in time .* try again\.\n$/),
  );
  await scripted(
    (response) => response.writeHead(200).end('<html>'),
    async () => assert.match(await fault(['--show'], quick), /^The answer of the PSP .* Look at PSP_URL/),
  );
  const nobody = { PSP_URL: 'https://localhost:9/v2', PSP_TOKEN_URL: 'https://localhost:9/oauth/token' };
  assert.match(
    await fault([], nobody),
    /^The PSP cannot be reached \(token, ECONNREFUSED\)\. Look at PSP_URL/,
  );
});
