import type { Deps } from '#module';
import type { Bureau } from './bureau.ts';
import type { DecisionsSettings } from './settings.ts';

export type DecisionsDeps = Deps<DecisionsSettings> & {
  readonly bureau: Bureau | null;
};
