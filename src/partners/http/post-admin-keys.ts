import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addKey } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { KeyForm, NewKeyShown } from '../schemas.ts';

export const postAdminKeys = ({ db, clock, mode, findMerchant }: Partners) =>
  endpoint('POST /admin/keys', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createKey',
    summary: 'Issue an API key',
    description: 'The key is shown once. What is lost is rotated, not found again.',
    headers: idempotency.header,
    body: KeyForm,
    answers: { 201: { description: 'The key.', schema: NewKeyShown, headers: idempotency.replayed } },
    problems: idempotency.problems,
    async handler(request, reply) {
      const now = clock.now();
      const change = changeBy(request, now);
      return createOnce(db, { request, reply, now }, (tx) =>
        addKey(tx, request.body, { change, mode, findMerchant }),
      );
    },
  });
