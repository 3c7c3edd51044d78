import { after } from 'node:test';
import { setEnvironmentData } from 'node:worker_threads';
import { TEST_COST_KEY } from '#platform/passwords/argon2.ts';

/** The lowest that Argon2id has: at the product's cost, hashing takes longer than most tests. */
const LOWEST = { memoryKib: 8, passes: 1, lanes: 1 };
setEnvironmentData(TEST_COST_KEY, LOWEST);

/** Call before `openService`: the whole file then hashes at the product's cost. Passwords of demo data keep the lowest. */
export function useRealPasswordCost(): void {
  setEnvironmentData(TEST_COST_KEY, undefined);
  after(() => setEnvironmentData(TEST_COST_KEY, LOWEST));
}
