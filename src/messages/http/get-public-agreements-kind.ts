import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { findAgreement } from '../agreements/publish.ts';
import { Agreement, agreementKind } from '../agreements/schemas.ts';
import type { Outbound } from '../messages.ts';

export const getPublicAgreementsKind = ({ db }: Outbound) =>
  endpoint('GET /public/agreements/:kind', {
    access: { scope: 'public' },
    id: 'getAgreement',
    summary: 'Show the terms of use, or the privacy notice',
    description: 'The version in force: what whoever signs up agrees to (`terms`).',
    params: Type.Object({ kind: agreementKind }),
    notFound: { en: 'There is no such text.', pt: 'Não há esse texto.' },
    answers: { 200: { description: 'The text.', schema: Agreement, etag: true } },
    async handler(request) {
      const { kind, version, sections } = await findAgreement(db, request.params.kind);
      return { kind, version, sections };
    },
  });
