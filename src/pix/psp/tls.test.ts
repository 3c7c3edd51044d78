import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createCertificates } from '../../../test/support/certificates.ts';
import { newTxid, openTestClient, sendJson } from '../../../test/support/psp.ts';
import { PspUnavailable } from './failures.ts';
import type { ClientCertificate } from './transport.ts';

const certificates = createCertificates();
const { file: readFile, skipReason: skip } = certificates;

/** Opens a PSP that requires a client certificate. `callerNames`: the common names of the certificates of its requests. */
async function openPspWithTls() {
  const callerNames: string[] = [];
  const server = createServer(
    {
      cert: readFile('server.pem'),
      key: readFile('server.key'),
      ca: readFile('bank-ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      callerNames.push((request.socket as TLSSocket).getPeerCertificate().subject.CN as string);
      if (request.url === '/oauth/token') sendJson(response, 200, { access_token: 't', expires_in: 60 });
      else sendJson(response, 404, {});
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://localhost:${(server.address() as { port: number }).port}`, callerNames };
}

const psp = skip === false ? await openPspWithTls() : { url: '', callerNames: [] };

const ACCEPTED_CERTIFICATES: Array<[name: string, readCertificate: () => ClientCertificate]> = [
  ['PEM', () => ({ cert: readFile('client.pem'), key: readFile('client.key'), ca: readFile('bank-ca.pem') })],
  [
    'a .p12 with an empty password, as Efí issues',
    () => ({ pfx: readFile('empty.p12'), passphrase: '', ca: readFile('bank-ca.pem') }),
  ],
  [
    'a .p12 with a password',
    () => ({ pfx: readFile('locked.p12'), passphrase: 'hunter2', ca: readFile('bank-ca.pem') }),
  ],
];
for (const [name, readCertificate] of ACCEPTED_CERTIFICATES) {
  test(`mTLS with ${name}: every call uses the certificate, also the token request`, { skip }, async () => {
    psp.callerNames.length = 0;
    const { client } = openTestClient({ url: psp.url, tls: readCertificate() });
    assert.deepEqual(await client.getCob(newTxid()), null);
    assert.deepEqual(psp.callerNames, ['client', 'client']);
  });
}

const REJECTED_CERTIFICATES: Array<[name: string, readCertificate: () => ClientCertificate]> = [
  [
    'an unknown client certificate',
    () => ({ cert: readFile('stranger.pem'), key: readFile('stranger.key'), ca: readFile('bank-ca.pem') }),
  ],
  [
    'an untrusted certificate of the PSP',
    () => ({ cert: readFile('client.pem'), key: readFile('client.key') }),
  ],
];
for (const [name, readCertificate] of REJECTED_CERTIFICATES) {
  test(`with ${name} the PSP is unreachable, and no request is sent`, { skip }, async () => {
    psp.callerNames.length = 0;
    const { client } = openTestClient({ url: psp.url, tls: readCertificate() });
    await assert.rejects(client.getCob(newTxid()), (error) => {
      assert.ok(error instanceof PspUnavailable);
      assert.deepEqual([error.reason, error.effect], ['unreachable', 'none']);
      return true;
    });
    assert.deepEqual(psp.callerNames, []);
  });
}

test('a wrong password of the .p12 is reported when the client is opened', { skip }, () => {
  assert.throws(() =>
    openTestClient({ url: psp.url, tls: { pfx: readFile('locked.p12'), passphrase: 'wrong' } }),
  );
});
