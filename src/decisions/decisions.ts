import type { Deps } from '#module';
import type { DecisionsSettings } from './settings.ts';

/** The dependencies of this module's verbs and endpoints. */
export type Decisions = Deps<DecisionsSettings>;
