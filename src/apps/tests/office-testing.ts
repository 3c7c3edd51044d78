import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createLog } from '#platform/observability/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { type OfficeOptions, startOffice } from '../start.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';

export type OfficeSite = { service: Service; officeUrl: string; readLog(): string };

/** Starts the service, and the back office that calls it over real HTTP. */
export async function openOfficeSite(
  optionOverrides: Partial<OfficeOptions> = {},
  env: Record<string, string> = {},
): Promise<OfficeSite> {
  const service = await openService({ env });
  const logLines: string[] = [];
  const office = await startOffice({
    port: 0,
    host: '127.0.0.1',
    url: null,
    trustProxy: false,
    staffUrl: service.staffUrl,
    publicSiteUrl: 'https://semana.example',
    secret: Buffer.alloc(32, 9),
    isSandbox: true,
    // A slow machine must not fail these tests.
    apiTimeoutMs: 60_000,
    log: createLog('warn', { write: (line: string) => void logLines.push(line) }),
    ...optionOverrides,
  });
  after(() => office.close());
  return { service, officeUrl: office.url, readLog: () => logLines.join('') };
}

/** Creates a function that signs in a staff user of a role, by a role button of the sandbox. */
export const createSignIn =
  (officeUrl: string) =>
  async (role: string): Promise<CookieJar> => {
    const jar = new CookieJar(officeUrl);
    const response = await jar.post('/entrar/papel', { role, chave: crypto.randomUUID() });
    assert.equal(response.status, 303);
    return jar;
  };

// Fields of forms: `chave` is the idempotency key, `versao` the ETag of the record that the form was rendered from.

/** Reads the values of a page's hidden inputs with this name. */
export const readHiddenValues = (page: string, name: string) =>
  Array.from(
    page.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`, 'g')),
    ([, value]) => value!.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  );

/** Posts fields of which several may have the same name. */
export const postFields = (jar: CookieJar, path: string, fields: string[][]) =>
  jar.send(path, { method: 'POST', body: new URLSearchParams(fields) });

/** Submits the form of a page with these fields, and returns the page that it redirects to. */
export async function submitForm(jar: CookieJar, path: string, fields: Record<string, string> = {}) {
  const [version = ''] = readHiddenValues(await jar.text(path), 'versao');
  const response = await jar.post(path, { versao: version, chave: crypto.randomUUID(), ...fields });
  assert.equal(response.status, 303, `${path}: ${await response.text()}`);
  return jar.text(readLocation(response)!);
}
