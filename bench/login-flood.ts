import { randomInt } from 'node:crypto';

/** Enough to keep all hashing threads busy, with few refusals. */
const CONCURRENT_LOGINS = 32;

export type Flood = { stop(): Promise<{ answered: Record<number, number>; perSecond: number }> };

/** Logins without a pause: half of them valid, each of another customer, half of them of unknown phones. */
export function startLoginFlood(
  url: string,
  headers: Record<string, string>,
  customers: Array<{ phone: string; password: string }>,
): Flood {
  const answered: Record<number, number> = {};
  const beganAtMs = performance.now();
  let stopped = false;
  const loops = Array.from({ length: CONCURRENT_LOGINS }, async (_, i) => {
    while (!stopped) {
      const customer = i % 2 === 0 ? customers[i % customers.length]! : stranger();
      const { status } = await fetch(`${url}/wallet/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': anywhere(), ...headers },
        body: JSON.stringify(customer),
      });
      answered[status] = (answered[status] ?? 0) + 1;
    }
  });
  return {
    async stop() {
      stopped = true;
      const seconds = (performance.now() - beganAtMs) / 1000;
      const total = Object.values(answered).reduce((sum, n) => sum + n, 0);
      await Promise.all(loops);
      return { answered, perSecond: total / seconds };
    },
  };
}

/** Failures are limited per address, so every login comes from another one. */
const anywhere = () => `198.18.${randomInt(256)}.${randomInt(256)}`;

const stranger = () => ({
  phone: `+551198${String(randomInt(10_000_000)).padStart(7, '0')}`,
  password: 'not the password',
});
