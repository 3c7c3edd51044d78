import fc from 'fast-check';

/**
 * Loaded before the tests in a worker (`--import`). Property tests draw the same values in every run, so that a commit that passed passes
 * again. `TEST_SEED=random` explores other values, as `npm run test:slow` does; a failure prints its seed.
 */
const seed = process.env.TEST_SEED ?? '1';

fc.configureGlobal({ seed: seed === 'random' ? Date.now() | 0 : Number(seed) });
