import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text, Timestamp } from '#platform/http/schemas.ts';
import { listedTrail } from '#platform/privacy/trail.ts';
import { renderTrail } from '../render-trail.ts';
import { TrailEntry } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const getAdminAuditTrail = ({ db, listMembers }: Staff) =>
  endpoint('GET /admin/audit-trail', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listAuditTrail',
    summary: 'Who changed what, when, from where and why',
    description: 'Nothing is ever taken out of it.',
    query: Type.Object({
      ...listParameters(),
      actor: Type.Optional(Text(120, { description: 'Id of a person, or as the trail has it.' })),
      subject: Type.Optional(
        Text(200, {
          description:
            'What was changed: a kind, a kind and an id, or an id like that of a customer by itself.',
          examples: ['merchant:otica-lume'],
        }),
      ),
      since: Type.Optional(Timestamp({ description: 'From this instant on.' })),
      ...dayParameters('Changed'),
    }),
    answers: listAnswer('A page of changes.', TrailEntry),
    handler(request, reply) {
      const { actor, subject, since, from, to } = request.query;
      const filter = { actor, subject, from, to, since: since === undefined ? undefined : new Date(since) };
      return answerList(db, { request, reply }, listedTrail(filter), {
        item: TrailEntry,
        render: (rows) => renderTrail(db, rows, listMembers),
      });
    },
  });
