import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import { changeKey } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { KeyChange, KeyShown, ofKey } from '../schemas.ts';

export const patchAdminKeysId = ({ db, clock, mode }: Partners) =>
  endpoint('PATCH /admin/keys/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'changeKey',
    summary: 'Change where offers of a key may lead back to',
    description: 'Takes effect on every node within a second, for offers that are made from then on.',
    ...ofKey,
    headers: ifMatchHeader,
    body: KeyChange,
    answers: { 200: { description: 'The key.', schema: KeyShown, etag: true } },
    problems: changeProblems,
    async handler(request) {
      const change = changeBy(request, clock.now());
      const wanted = { ...request.body, id: request.params.id, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) => changeKey(tx, wanted, { change, mode }));
    },
  });
