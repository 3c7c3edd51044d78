import { randomInt } from 'node:crypto';
import { generateIpAddress } from './callers.ts';

/** Enough to keep all threads busy that hash passwords, while few logins get 503. */
const CONCURRENT_LOGINS = 32;

export type Flood = {
  /** Returns the number of responses by status, and the rate of logins until the call. */
  stop(): Promise<{ countsByStatus: Record<number, number>; loginsPerSecond: number }>;
};

/** Sends logins without a pause. Half of them are valid, each of a different customer; the others have unknown phones. */
export function startLoginFlood(
  url: string,
  headers: Record<string, string>,
  customers: Array<{ phone: string; password: string }>,
): Flood {
  const countsByStatus: Record<number, number> = {};
  const startedAtMs = performance.now();
  let isStopped = false;
  const loops = Array.from({ length: CONCURRENT_LOGINS }, async (_, i) => {
    const hasValidLogins = i % 2 === 0;
    while (!isStopped) {
      const credentials = hasValidLogins ? customers[i % customers.length]! : generateUnknownCredentials();
      const { status } = await fetch(`${url}/wallet/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': generateIpAddress(), ...headers },
        body: JSON.stringify(credentials),
      });
      countsByStatus[status] = (countsByStatus[status] ?? 0) + 1;
    }
  });
  return {
    async stop() {
      isStopped = true;
      const seconds = (performance.now() - startedAtMs) / 1000;
      const loginCount = Object.values(countsByStatus).reduce((sum, count) => sum + count, 0);
      await Promise.all(loops);
      return { countsByStatus, loginsPerSecond: loginCount / seconds };
    },
  };
}

/** Generates an IP address. Each login has its own, because failed logins are limited per IP address. */
const generateUnknownCredentials = () => ({
  phone: `+551198${String(randomInt(10_000_000)).padStart(7, '0')}`,
  password: 'not the password',
});
