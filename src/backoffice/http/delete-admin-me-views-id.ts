import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Backoffice } from '../backoffice.ts';
import { ViewParams } from '../schemas.ts';
import { removeView } from '../views.ts';

export const deleteAdminMeViewsId = ({ db, clock }: Backoffice) =>
  endpoint('DELETE /admin/me/views/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'removeSavedView',
    summary: 'Remove one of one’s own saved views',
    params: ViewParams,
    notFound: { en: 'You have no view with this id.', pt: 'Você não tem visão com este id.' },
    answers: { 204: { description: 'It is gone.' } },
    async handler(request) {
      const { personId } = request.caller;
      const change = changeBy(request, clock.now());
      const isGone = await db.transaction((tx) => removeView(tx, personId, request.params.id, change));
      if (!isGone) throw request.notFound();
    },
  });
