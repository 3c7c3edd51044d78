import { defineProblem } from '#platform/problem.ts';

export const NO_QUESTION = { en: 'No question has this id.', pt: 'Nenhuma pergunta tem este id.' };

export const NO_POST = { en: 'No post has this slug.', pt: 'Nenhum artigo tem este slug.' };

export const NO_MERCHANT = { en: 'No merchant has this slug.', pt: 'Nenhuma loja tem este slug.' };

export const NO_CATEGORY = { en: 'No category has this slug.', pt: 'Nenhuma categoria tem este slug.' };

export const alreadyExists = defineProblem({
  code: 'already_exists',
  status: 409,
  title: { en: 'There is one already', pt: 'Já existe' },
  cause: 'Something else has this slug or id.',
  remedy: 'Choose another one, or change the one that is there.',
  detail: (key: string) => ({ en: `'${key}' is there already.`, pt: `'${key}' já existe.` }),
});

export const leadClosed = defineProblem({
  code: 'lead_closed',
  status: 409,
  title: { en: 'No merchant can be made of this form', pt: 'Este formulário não pode virar uma loja' },
  cause: 'It is not the form of a partner, or it was handled already.',
  remedy: 'Look at the form. One that was handled by mistake is set to `new` first.',
  detail: (why: 'kind' | 'handled') =>
    why === 'kind'
      ? { en: 'It is not the form of a partner.', pt: 'Não é um formulário de parceiro.' }
      : { en: 'The form was handled already.', pt: 'O formulário já foi tratado.' },
});

export const stillUsed = defineProblem({
  code: 'still_used',
  status: 409,
  title: { en: 'Something still needs it', pt: 'Ainda está em uso' },
  cause: 'Other things in the catalog belong to it.',
  remedy: 'Move or remove those first.',
});
