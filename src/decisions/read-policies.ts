import type { Static } from 'typebox';
import type { Policy } from '#core/finance/decision.ts';
import type { Queryable } from '#platform/database/db.ts';
import { computeEtag } from '#platform/http/etag.ts';
import { type Policies, readPolicies } from './policy.ts';
import { renderPolicy } from './render.ts';
import type { PolicyResponse } from './schemas.ts';
import { renderPolicies } from './set-policy.ts';
import { computeShadowFigures } from './try-policy.ts';

/** Reads the policies for staff. The ETag covers the policies only, because every decision changes the figures of the shadow policy. */
export async function readPoliciesView(
  db: Queryable,
  builtIn: Policy,
  now: Date,
): Promise<{ etag: string; body: Static<typeof PolicyResponse> }> {
  return addShadowFigures(db, await readPolicies(db, builtIn), now);
}

export async function addShadowFigures(db: Queryable, policies: Policies, now: Date) {
  const { inForce, shadow } = policies;
  return {
    etag: computeEtag(renderPolicies(policies)),
    body: {
      ...renderPolicy(inForce),
      shadow: shadow && {
        ...renderPolicy(shadow),
        figures: await computeShadowFigures(db, shadow.version, now),
      },
    },
  };
}
