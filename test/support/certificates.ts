import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export type Certificates = {
  /** The reason to skip the tests that use the certificates, or false if these exist. */
  skipReason: string | false;
  /** Returns the path of a file of `createCertificates`; `file` returns its content. */
  path(name: string): string;
  file(name: string): Buffer;
};

const KEY_OPTIONS = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Creates two certificate authorities: bank-ca, which issues the certificates `server` and `client`, and other-ca, which issues `stranger`.
 * Each has the files NAME.pem and NAME.key. The certificate of the client is also in empty.p12 (no password) and locked.p12 (hunter2).
 */
export function createCertificates(): Certificates {
  const directory = mkdtempSync(join(tmpdir(), 'semana-tls-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  const path = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  let skipReason: Certificates['skipReason'] = false;
  try {
    openssl('version');
    issueCertificates(openssl, path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    skipReason = 'openssl is not installed, and certificates are created with it';
  }
  return { skipReason, path, file: (name) => readFileSync(path(name)) };
}

function issueCertificates(openssl: (...args: string[]) => void, path: Certificates['path']): void {
  for (const ca of ['bank-ca', 'other-ca']) {
    const outputOptions = ['-keyout', `${ca}.key`, '-out', `${ca}.pem`, '-subj', `/CN=${ca}`];
    openssl('req', '-x509', ...KEY_OPTIONS, '-days', '2', ...outputOptions);
  }
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  for (const [name, ca] of [
    ['server', 'bank-ca'],
    ['client', 'bank-ca'],
    ['stranger', 'other-ca'],
  ] as const) {
    openssl('req', ...KEY_OPTIONS, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const issuerOptions = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...issuerOptions, '-days', '2', '-out', `${name}.pem`);
  }
  const contentOptions = ['-inkey', 'client.key', '-in', 'client.pem'];
  openssl('pkcs12', '-export', ...contentOptions, '-out', 'empty.p12', '-passout', 'pass:');
  openssl('pkcs12', '-export', ...contentOptions, '-out', 'locked.p12', '-passout', 'pass:hunter2');
}
