import type { Static } from 'typebox';
import type { Policy } from '#core/decision.ts';
import type { Queryable } from '#platform/database/db.ts';
import { etagOf } from '#platform/http/etag.ts';
import { type Policies, readPolicies } from './policy.ts';
import { renderPolicy } from './render.ts';
import type { PolicyAnswer } from './schemas.ts';
import { shownPolicies } from './set-policy.ts';
import { shadowFigures } from './try-policy.ts';

/** The policies as staff see them. The ETag covers the policies only, because every decision changes the figures of the shadow. */
export async function showPolicies(
  db: Queryable,
  builtIn: Policy,
  now: Date,
): Promise<{ etag: string; answer: Static<typeof PolicyAnswer> }> {
  return withFigures(db, await readPolicies(db, builtIn), now);
}

export async function withFigures(db: Queryable, policies: Policies, now: Date) {
  const { force, shadow } = policies;
  return {
    etag: etagOf(shownPolicies(policies)),
    answer: {
      ...renderPolicy(force),
      shadow: shadow && { ...renderPolicy(shadow), figures: await shadowFigures(db, shadow.version, now) },
    },
  };
}
