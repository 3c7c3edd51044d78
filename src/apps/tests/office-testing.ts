import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createLog } from '#platform/observability/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { type OfficeOptions, startOffice } from '../start.ts';
import { CookieJar } from './cookie-jar.ts';

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
    timeoutMs: 60_000,
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
