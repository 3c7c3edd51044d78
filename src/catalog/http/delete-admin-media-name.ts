import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Content } from '../admin/content.ts';
import { EXAMPLE_NAME, NAME, removeMedia } from '../media/media.ts';
import { stillUsed } from '../problems.ts';

export const deleteAdminMediaName = ({ db, clock }: Content) =>
  endpoint('DELETE /admin/media/:name', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeMedia',
    summary: 'Delete a picture that nothing shows',
    params: Type.Object({ name: Type.String({ pattern: NAME, examples: [EXAMPLE_NAME] }) }),
    notFound: { en: 'No picture has this name.', pt: 'Nenhuma imagem tem este nome.' },
    answers: { 204: { description: 'It is gone.' } },
    problems: [stillUsed],
    async handler(request) {
      const change = changeBy(request, clock.now());
      const removed = await db.transaction((tx) => removeMedia(tx, request.params.name, change));
      if (!removed) throw request.notFound();
    },
  });
