import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { revokeKey } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { KeyShown, ofKey } from '../schemas.ts';

export const postAdminKeysIdRevoke = ({ db, clock }: Partners) =>
  endpoint('POST /admin/keys/:id/revoke', {
    access: { scope: 'operator', role: 'admin' },
    id: 'revokeKey',
    summary: 'End a key, on every node, within a second',
    ...ofKey,
    answers: { 200: { description: 'The key.', schema: KeyShown } },
    async handler(request) {
      const change = changeBy(request, clock.now());
      return db.transaction((tx) => revokeKey(tx, request.params.id, change));
    },
  });
