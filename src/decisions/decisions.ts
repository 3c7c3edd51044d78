import type { Deps } from '#module';
import type { Bureau } from './bureau.ts';
import type { DecisionsSettings } from './settings.ts';

/** The dependencies of this module's verbs and endpoints. */
export type Decisions = Deps<DecisionsSettings> & {
  /** Null: none is connected. */
  readonly bureau: Bureau | null;
};
