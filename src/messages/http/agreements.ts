import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { project } from '#platform/http/project.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { invalidField } from '#platform/problem.ts';
import {
  Agreement,
  AgreementForm,
  agreementKindSchema,
  agreementList,
  findCurrentAgreement,
  parseSections,
  publishAgreement,
  StaffAgreement,
} from '../agreements.ts';
import type { MessagingDeps } from '../messages.ts';
import { versionTaken } from '../problems.ts';

const NO_SECTIONS = {
  en: 'must consist of sections, each with a line `## Title` and a text below it',
  pt: 'deve ter seções, cada uma com uma linha `## Título` e um texto abaixo',
};

export const getAdminAgreements = (deps: MessagingDeps) =>
  listEndpoint('GET /admin/agreements', deps, agreementList, {
    id: 'listAgreements',
    summary: 'List agreements',
    description:
      'Lists the published versions of the terms of use and the privacy notice. The newest version of each kind is in force.',
    page: 'A page of versions.',
    item: StaffAgreement,
    render: (rows) => rows.map((row) => project(StaffAgreement, row)),
  });

export const postAdminAgreements = ({ db, clock }: MessagingDeps) =>
  endpoint('POST /admin/agreements', {
    access: { scope: 'operator', role: 'admin' },
    id: 'publishAgreement',
    summary: 'Publish an agreement',
    description:
      'The version is in force immediately: the site shows it, and new customers agree to it. A published version cannot change.',
    body: AgreementForm,
    cli: {
      done: '{kind} {version} is in force.',
      examples: ['semana agreements create --kind terms --version 2027-01 --text @termos.md'],
    },
    responses: { 201: { description: 'The version that is now in force.', schema: StaffAgreement } },
    problems: [versionTaken],
    async handler(request) {
      const { kind, version, sections: sentSections, text } = request.body;
      const sections = sentSections ?? parseSections(text ?? '');
      if (!sections) throw invalidField('/text', NO_SECTIONS);
      const auditContext = createAuditContext(request, clock.now());
      const row = await db.transaction((tx) =>
        publishAgreement(tx, { kind, version, sections }, auditContext),
      );
      return project(StaffAgreement, row);
    },
  });

export const getPublicAgreementsKind = ({ db }: MessagingDeps) =>
  endpoint('GET /public/agreements/:kind', {
    access: { scope: 'public' },
    id: 'getAgreement',
    summary: 'Get the terms of use or the privacy notice',
    description: 'The version in force. New customers agree to `terms` when they sign up.',
    params: Type.Object({ kind: agreementKindSchema }),
    notFound: { en: 'There is no such agreement.', pt: 'Não há esse texto.' },
    responses: { 200: { description: 'The text.', schema: Agreement, etag: true } },
    async handler(request) {
      const { kind, version, sections } = await findCurrentAgreement(db, request.params.kind);
      return { kind, version, sections };
    },
  });
