import { defineProblem } from '#platform/problem.ts';

/** The maximum number of saved views of a staff user. */
export const MAX_VIEWS = 50;

export const tooManyViews = defineProblem({
  code: 'too_many_views',
  status: 409,
  title: { en: 'Too many saved views', pt: 'Visões guardadas demais' },
  cause: `A staff user has at most ${MAX_VIEWS} saved views.`,
  remedy: 'Delete a view, or save under an existing name.',
});

export const viewNamesPerson = defineProblem({
  code: 'view_names_person',
  status: 422,
  title: { en: 'The filter names a person', pt: 'O filtro indica uma pessoa' },
  cause:
    'The filter contains a name, phone, CPF or e-mail address. An erasure of that person would not delete it.',
  remedy: 'Save the view without this field. Use the id of the customer instead.',
  detail: (field: string) => ({
    en: `A view cannot contain '${field}', because it names a person.`,
    pt: `Uma visão não é guardada com '${field}', que indica uma pessoa.`,
  }),
});
