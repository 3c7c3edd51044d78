import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createLog } from '#platform/observability/log.ts';
import { openService, type Service } from '../../../test/harness.ts';
import { type OfficeOptions, startOffice } from '../start.ts';
import { CookieJar } from './cookie-jar.ts';

export type OfficeSite = { service: Service; officeUrl: string; readLog(): string };

/** The whole service, and the back office on it over real HTTP. */
export async function openOfficeSite(
  changes: Partial<OfficeOptions> = {},
  env: Record<string, string> = {},
): Promise<OfficeSite> {
  const service = await openService({ env });
  const lines: string[] = [];
  const office = await startOffice({
    port: 0,
    host: '127.0.0.1',
    url: null,
    trustProxy: false,
    staffUrl: service.staffUrl,
    publicSiteUrl: 'https://semana.example',
    secret: Buffer.alloc(32, 9),
    isSandbox: true,
    // A busy machine is not what these tests are about.
    timeoutMs: 60_000,
    log: createLog('warn', { write: (line: string) => void lines.push(line) }),
    ...changes,
  });
  after(() => office.close());
  return { service, officeUrl: office.url, readLog: () => lines.join('') };
}

/** Somebody with this role, signed in at the sandbox's door. */
export const createSignIn =
  (officeUrl: string) =>
  async (role: string): Promise<CookieJar> => {
    const jar = new CookieJar(officeUrl);
    const response = await jar.post('/entrar/papel', { role, chave: crypto.randomUUID() });
    assert.equal(response.status, 303);
    return jar;
  };
