import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form } from '#platform/http/schemas.ts';
import { validationFailed } from '#platform/problem.ts';
import { renderBody, TAKES_TOO_LONG } from '../import/store.ts';

export const postAdminPostTextTry = () =>
  endpoint('POST /admin/post-text/try', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'previewPost',
    summary: 'Show the text of a post as the site will',
    description: 'Writes nothing.',
    body: Form(
      { body: Type.String({ maxLength: 200_000, description: 'Markdown.' }) },
      { examples: [{ body: 'O *CET* diz tudo.' }] },
    ),
    bodyLimitBytes: 1024 * 1024,
    answers: {
      200: {
        description: 'The text as HTML, made harmless.',
        schema: Type.Object(
          { body_html: Type.String() },
          { examples: [{ body_html: '<p>O <em>CET</em> diz tudo.</p>' }] },
        ),
      },
    },
    async handler(request) {
      const body_html = await renderBody(request.body.body);
      if (body_html === undefined)
        throw validationFailed([{ pointer: '/body', message: TAKES_TOO_LONG.message }]);
      return { body_html };
    },
  });
