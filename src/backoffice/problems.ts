import { defineProblem } from '#platform/problem.ts';

/** Saved views of one person. */
export const MOST_VIEWS = 50;

export const tooManyViews = defineProblem({
  code: 'too_many_views',
  status: 409,
  title: { en: 'Too many saved views', pt: 'Visões guardadas demais' },
  cause: `A person keeps at most ${MOST_VIEWS} views.`,
  remedy: 'Remove one that is not needed any more, or save under a name that is there already.',
  detail: {
    en: `You have ${MOST_VIEWS} views already. Remove one first.`,
    pt: `Você já tem ${MOST_VIEWS} visões. Remova uma antes.`,
  },
});

export const viewNamesPerson = defineProblem({
  code: 'view_names_person',
  status: 422,
  title: { en: 'The filter names a person', pt: 'O filtro indica uma pessoa' },
  cause: 'The filter has a name, phone, CPF or e-mail in it. An erasure of that person would not reach it.',
  remedy: 'Save the view without that field. A customer can be in it by id.',
  detail: (field: string) => ({
    en: `A view is not kept with '${field}': it names a person.`,
    pt: `Uma visão não é guardada com '${field}', que indica uma pessoa.`,
  }),
});
