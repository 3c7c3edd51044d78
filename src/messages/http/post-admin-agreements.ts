import { endpoint } from '#platform/http/endpoint.ts';
import { shown } from '#platform/http/shown.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { publishAgreement } from '../agreements/publish.ts';
import { AgreementForm, StaffAgreement } from '../agreements/schemas.ts';
import type { Outbound } from '../messages.ts';
import { versionTaken } from '../problems.ts';

export const postAdminAgreements = ({ db, clock }: Outbound) =>
  endpoint('POST /admin/agreements', {
    access: { scope: 'operator', role: 'admin' },
    id: 'publishAgreement',
    summary: 'Publish a version of terms or privacy notice',
    description:
      'It is in force at once: the site shows it, and whoever signs up from then on agrees to it. What is published never changes.',
    body: AgreementForm,
    answers: { 201: { description: 'What is in force now.', schema: StaffAgreement } },
    problems: [versionTaken],
    async handler(request) {
      const change = changeBy(request, clock.now());
      const row = await db.transaction((tx) => publishAgreement(tx, request.body, change));
      return shown(StaffAgreement, row);
    },
  });
