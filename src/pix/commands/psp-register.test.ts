import assert from 'node:assert/strict';
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { omit } from '#platform/omit.ts';
import { runCli } from '../../../test/commands.ts';
import { createUnmigratedDatabase } from '../../../test/processes.ts';
import { createCertificates } from '../../../test/support/certificates.ts';
import { sendJson } from '../../../test/support/psp.ts';
import { openTestSimulator } from '../../../test/support/psp-simulator.ts';

// Runs the command in live mode against the simulator behind an mTLS proxy, like a real PSP.
const certificates = createCertificates();
const skip = certificates.skipReason;
const { path: getPath, file: readFile } = certificates;

const PIX_KEY = 'pix@semana.example';
const CALLBACK_SECRET = 'callback-secret-of-the-test';
const DATABASE_URL = await createUnmigratedDatabase();
const simulatorHost = await openTestSimulator({ keys: [PIX_KEY] });

/** Overrides the simulator's responses, except for the token. */
let scriptedResponse: ((response: ServerResponse) => void) | undefined;
/** The common names of the client certificates of all requests. */
const callerNames = new Set<string>();
const url = skip === false ? await openProxy() : '';

async function openProxy(): Promise<string> {
  const tls = { cert: readFile('server.pem'), key: readFile('server.key'), ca: readFile('bank-ca.pem') };
  const server = createServer(
    { ...tls, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      callerNames.add((request.socket as TLSSocket).getPeerCertificate().subject.CN as string);
      if (scriptedResponse && request.url !== '/oauth/token') scriptedResponse(response);
      else forwardToSimulator(request, response);
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as { port: number }).port}`;
}

function forwardToSimulator(request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const simulatorRequest = forward(
    simulatorHost.simulator.url() + request.url,
    { method, headers },
    (simulatorResponse) => {
      response.writeHead(simulatorResponse.statusCode!, simulatorResponse.headers);
      simulatorResponse.pipe(response);
    },
  );
  request.pipe(simulatorRequest);
}

const LIVE_SETTINGS = {
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
  PSP_CA: getPath('bank-ca.pem'),
  PSP_CLIENT_ID: 'sandbox-psp-client',
  PSP_CLIENT_SECRET: 'sandbox-psp-secret',
  PSP_CERT: getPath('client.pem'),
  PSP_KEY: getPath('client.key'),
  PSP_CALLBACK_SECRET: CALLBACK_SECRET,
  PIX_KEY,
  PIX_RECEIVER_NAME: 'Semana',
  PIX_RECEIVER_CITY: 'Recife',
};
if (skip === false) assert.equal((await runCli(['migrate'], LIVE_SETTINGS)).code, 0);

const runCommand = (args: string[], env: Record<string, string> = {}) =>
  runCli(['psp', 'register', ...args], { ...LIVE_SETTINGS, ...env });

/** Returns the standard error of a run that must fail with a message only. */
async function runFailing(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  assert.equal(code, 1, stdout + stderr);
  assert.equal(stdout, '');
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  for (const secret of [CALLBACK_SECRET, 'sandbox-psp-secret', PIX_KEY, 'hunter2'])
    assert.ok(!stderr.includes(secret), stderr);
  return stderr.replace(/^Calling the PSP.*\n/, '');
}

async function withScriptedResponse(respond: (response: ServerResponse) => void, work: () => Promise<void>) {
  scriptedResponse = respond;
  try {
    await work();
  } finally {
    scriptedResponse = undefined;
  }
}

const findRegisteredUrl = async () =>
  (await simulatorHost.call('GET', `/v2/webhook/${PIX_KEY}`)).body.webhookUrl;

test('registers the URL and shows it, with PEM files and with a .p12', { skip }, async () => {
  assert.equal(
    await runFailing(['--show']),
    "No URL is registered at the PSP. Run 'semana psp register' to register this service.\n",
  );
  const settingsWithoutPem = omit(LIVE_SETTINGS, 'PSP_CERT', 'PSP_KEY');
  const pfx = { PSP_PFX: getPath('locked.p12'), PSP_PFX_PASSPHRASE: 'hunter2' };
  for (const env of [LIVE_SETTINGS, { ...settingsWithoutPem, ...pfx }]) {
    await simulatorHost.call('DELETE', `/v2/webhook/${PIX_KEY}`);
    const { code, stdout, stderr } = await runCli(['psp', 'register'], env);
    assert.deepEqual([code, stdout], [0, 'The PSP calls this service.\n'], stderr);
    assert.equal(await findRegisteredUrl(), `https://api.semana.example/psp/callback/${CALLBACK_SECRET}`);
    const showOutcome = await runCli(['psp', 'register', '--show'], env);
    assert.deepEqual(
      [showOutcome.code, showOutcome.stdout, showOutcome.stderr],
      [0, 'The PSP calls this service.\n', ''],
    );
  }
  assert.deepEqual([...callerNames], ['client'], 'every call used our certificate');
});

test('--show reports another URL without its secret, and changes nothing', { skip }, async () => {
  await simulatorHost.call('PUT', `/v2/webhook/${PIX_KEY}`, {
    webhookUrl: 'https://old.semana.example/psp/callback/hush',
  });
  assert.equal(
    await runFailing(['--show']),
    "The PSP calls another URL, at https://old.semana.example. Run 'semana psp register' to register this service.\n",
  );
  assert.match(await findRegisteredUrl(), /^https:\/\/old\./);
});

test('if the credentials are wrong, the message names the settings to check', { skip }, async () => {
  assert.equal(
    await runFailing([], { PSP_CLIENT_SECRET: 'another' }),
    'The PSP does not accept our credentials (token, status 401). ' +
      'Check PSP_CLIENT_ID, PSP_CLIENT_SECRET, PSP_TOKEN_STYLE and PSP_SCOPES.\n',
  );
});

test('a certificate that one side does not accept is reported', { skip }, async () => {
  const advice = /^The PSP cannot be reached \(token, \w+\)\. Check our certificate \(PSP_CERT and PSP_KEY/;
  assert.match(
    await runFailing([], { PSP_CERT: getPath('stranger.pem'), PSP_KEY: getPath('stranger.key') }),
    advice,
  );
  assert.match(await runFailing([], { PSP_CA: getPath('other-ca.pem') }), advice);
});

test('invalid certificate files are reported before the PSP is called, like every invalid setting', {
  skip,
}, async () => {
  const settingsWithoutPem = omit(LIVE_SETTINGS, 'PSP_CERT', 'PSP_KEY');
  const pfx = { ...settingsWithoutPem, PSP_PFX: getPath('locked.p12'), PSP_PFX_PASSPHRASE: 'wrong' };
  const cases: Array<[settings: Record<string, string>, expectedError: RegExp]> = [
    [pfx, /- PSP_PFX cannot be opened: .*PSP_PFX_PASSPHRASE/],
    [{ ...LIVE_SETTINGS, PSP_KEY: getPath('stranger.key') }, /- PSP_CERT and PSP_KEY are not PEM files/],
    // `names` is a text file with the host names of the server's certificate.
    [{ ...LIVE_SETTINGS, PSP_CA: getPath('names') }, /- PSP_CA is not a PEM file/],
  ];
  for (const [env, expectedError] of cases) {
    const { code, stderr } = await runCli(['psp', 'register'], env);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expectedError);
    assert.doesNotMatch(stderr, /\n {4}at |wrong/);
  }
});

test('a refusal in the standard’s format is reported with its type, its reasons, and what to check', {
  skip,
}, async () => {
  const message = await runFailing([], { PIX_KEY: 'other@semana.example' });
  assert.match(message, /^The PSP refused: \w+ \(40\d\), .+ Check PIX_KEY/);
  assert.ok(!message.includes('other@'), message);
  const body = {
    type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
    title: 'Acesso Negado',
    status: 403,
  };
  await withScriptedResponse(
    (response) => sendJson(response, 403, body),
    async () =>
      assert.equal(
        await runFailing([]),
        'The PSP refused: AcessoNegado (403), Acesso Negado. ' +
          'Ask the PSP to grant this client the scopes webhook.write and webhook.read.\n',
      ),
  );
});

test('a refusal in Efí’s format is reported in the same way', { skip }, async () => {
  const body = {
    nome: 'webhook_invalido',
    mensagem: 'A requisição à URL informada respondeu com o código 403.',
  };
  await withScriptedResponse(
    (response) => sendJson(response, 400, body),
    async () =>
      assert.equal(
        await runFailing([]),
        'The PSP refused: webhook_invalido (400), A requisição à URL informada respondeu com o código 403. ' +
          'Check PIX_KEY; the PSP may also have called PUBLIC_URL: check that the service runs and is reachable there.\n',
      ),
  );
});

test('a PSP error, a timeout, a malformed response and an unreachable PSP are reported with what to do', {
  skip,
}, async () => {
  const shortTimeout = { PSP_TIMEOUT_MS: '300' };
  await withScriptedResponse(
    (response) => response.writeHead(503).end('<html>'),
    async () =>
      assert.match(
        await runFailing([], shortTimeout),
        /^The PSP returned an error .* Try again in a few minutes/,
      ),
  );
  await withScriptedResponse(
    () => undefined,
    async () =>
      assert.match(
        await runFailing(['--show'], shortTimeout),
        /^The PSP did not respond in time .* try again\.\n$/,
      ),
  );
  await withScriptedResponse(
    (response) => response.writeHead(200).end('<html>'),
    async () =>
      assert.match(await runFailing(['--show'], shortTimeout), /^The response of the PSP .* Check PSP_URL/),
  );
  const unreachablePsp = {
    PSP_URL: 'https://localhost:9/v2',
    PSP_TOKEN_URL: 'https://localhost:9/oauth/token',
  };
  assert.match(
    await runFailing([], unreachablePsp),
    /^The PSP cannot be reached \(token, ECONNREFUSED\)\. Check PSP_URL/,
  );
});
