import type { Deps } from '#module';
import type { Bureau } from './bureau.ts';
import type { DecisionsSettings } from './settings.ts';

/** The dependencies of this module's endpoints and functions. */
export type DecisionsDeps = Deps<DecisionsSettings> & {
  /** Null if no credit bureau is configured. */
  readonly bureau: Bureau | null;
};
