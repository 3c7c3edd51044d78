import type { Deps } from '#module';
import type { Bureau } from './bureau.ts';
import type { DecisionsSettings } from './settings.ts';

export type DecisionsDeps = Deps<DecisionsSettings> & {
  /** Null if no credit bureau is connected. Then no reports are requested. */
  readonly bureau: Bureau | null;
};
