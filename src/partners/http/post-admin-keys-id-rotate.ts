import { Type } from 'typebox';
import { HOUR_MS } from '#core/duration.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { keyEnded, rotateKeyRecorded } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { NewKeyShown, ofKey } from '../schemas.ts';

export const postAdminKeysIdRotate = ({ db, clock, mode }: Partners) =>
  endpoint('POST /admin/keys/:id/rotate', {
    access: { scope: 'operator', role: 'admin' },
    id: 'rotateKey',
    summary: 'Issue a successor; the old key works on for a while',
    ...ofKey,
    bodyOptional: true,
    body: Form({
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 720,
          description: 'How long both work, 24 unless set.',
          examples: [24],
        }),
      ),
    }),
    answers: { 201: { description: 'The successor.', schema: NewKeyShown } },
    problems: [keyEnded],
    async handler(request) {
      const overlapMs = (request.body.overlap_hours ?? 24) * HOUR_MS;
      const change = changeBy(request, clock.now());
      const rotated = await db.transaction((tx) =>
        rotateKeyRecorded(tx, request.params.id, overlapMs, { change, mode }),
      );
      if (!rotated) throw request.notFound();
      return rotated.shown;
    },
  });
