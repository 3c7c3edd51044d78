import { randomInt } from 'node:crypto';

/** Enough to keep all hashing threads busy, while few logins are rejected. */
const CONCURRENT_LOGINS = 32;

export type Flood = { stop(): Promise<{ countsByStatus: Record<number, number>; loginsPerSecond: number }> };

/** Sends logins without a pause. Half of them are valid, each of a different customer; the others are of unknown phones. */
export function startLoginFlood(
  url: string,
  headers: Record<string, string>,
  customers: Array<{ phone: string; password: string }>,
): Flood {
  const countsByStatus: Record<number, number> = {};
  const startedAtMs = performance.now();
  let isStopped = false;
  const loops = Array.from({ length: CONCURRENT_LOGINS }, async (_, i) => {
    while (!isStopped) {
      const credentials = i % 2 === 0 ? customers[i % customers.length]! : generateUnknownCredentials();
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
      const total = Object.values(countsByStatus).reduce((sum, count) => sum + count, 0);
      await Promise.all(loops);
      return { countsByStatus, loginsPerSecond: total / seconds };
    },
  };
}

/** Generates a random IP address for each login, because failed logins are limited per IP address. */
const generateIpAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`;

const generateUnknownCredentials = () => ({
  phone: `+551198${String(randomInt(10_000_000)).padStart(7, '0')}`,
  password: 'not the password',
});
