import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Backoffice } from '../backoffice.ts';
import { MOST_VIEWS, tooManyViews, viewNamesPerson } from '../problems.ts';
import { SavedView, ViewForm } from '../schemas.ts';
import { saveView } from '../views.ts';

export const postAdminMeViews = ({ db, clock }: Backoffice) =>
  endpoint('POST /admin/me/views', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'saveView',
    summary: 'Keep a list with its filter under a name',
    description: `At most ${MOST_VIEWS} for a person. Under a name that is there already for this list, it replaces that one.`,
    body: ViewForm,
    answers: { 201: { description: 'The view.', schema: SavedView } },
    problems: [tooManyViews, viewNamesPerson],
    handler: (request) =>
      db.transaction((tx) =>
        saveView(tx, request.caller.personId, request.body, changeBy(request, clock.now())),
      ),
  });
