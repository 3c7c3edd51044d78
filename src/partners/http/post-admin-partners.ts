import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addPartner, nameTaken } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { PartnerForm, PartnerShown } from '../schemas.ts';

export const postAdminPartners = ({ db, clock }: Partners) =>
  endpoint('POST /admin/partners', {
    access: { scope: 'operator', role: 'admin' },
    id: 'createPartner',
    summary: 'Register a partner application',
    headers: idempotency.header,
    body: PartnerForm,
    answers: { 201: { description: 'The partner. It needs a key next.', schema: PartnerShown } },
    problems: [...idempotency.problems, nameTaken],
    async handler(request, reply) {
      const now = clock.now();
      const change = changeBy(request, now);
      return createOnce(db, { request, reply, now }, (tx) => addPartner(tx, request.body.name, change));
    },
  });
