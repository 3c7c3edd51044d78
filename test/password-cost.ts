import { after } from 'node:test';
import { setEnvironmentData } from 'node:worker_threads';
import { TEST_COST_KEY } from '#platform/passwords/argon2.ts';

/** The lowest cost of Argon2id. At the product's cost, hashing takes longer than most tests. */
const LOWEST_COST = { memoryKib: 8, passes: 1, lanes: 1 };
setEnvironmentData(TEST_COST_KEY, LOWEST_COST);

/** Makes the whole file hash at the product's cost, except passwords of demo data. Call it before `openService`. */
export function useRealPasswordCost(): void {
  setEnvironmentData(TEST_COST_KEY, undefined);
  after(() => setEnvironmentData(TEST_COST_KEY, LOWEST_COST));
}
