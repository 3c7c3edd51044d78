import { defineProblem } from '#platform/problem.ts';

export const FAQ_ENTRY_NOT_FOUND = { en: 'No FAQ entry has this id.', pt: 'Nenhuma pergunta tem este id.' };

export const POST_NOT_FOUND = { en: 'No post has this slug.', pt: 'Nenhum artigo tem este slug.' };

export const MERCHANT_NOT_FOUND = { en: 'No merchant has this slug.', pt: 'Nenhuma loja tem este slug.' };

export const CATEGORY_NOT_FOUND = {
  en: 'No category has this slug.',
  pt: 'Nenhuma categoria tem este slug.',
};

export const alreadyExists = defineProblem({
  code: 'already_exists',
  status: 409,
  title: { en: 'The slug or id is taken', pt: 'Já existe' },
  cause: 'Another record has this slug or id.',
  remedy: 'Choose another slug or id, or update the existing record.',
  detail: (key: string) => ({ en: `'${key}' already exists.`, pt: `'${key}' já existe.` }),
});

export const leadClosed = defineProblem({
  code: 'lead_closed',
  status: 409,
  title: { en: 'No merchant can be created from this lead', pt: 'Este formulário não pode virar uma loja' },
  cause: 'The lead is not of the kind `partner`, or it was already handled.',
  remedy: 'Check the lead. If it was handled by mistake, set its status to `new` first.',
  detail: (reason: 'kind' | 'handled') =>
    reason === 'kind'
      ? { en: 'The lead is not of the kind `partner`.', pt: 'Não é um formulário de parceiro.' }
      : { en: 'The lead was already handled.', pt: 'O formulário já foi tratado.' },
});

export const stillUsed = defineProblem({
  code: 'still_used',
  status: 409,
  title: { en: 'The record is still in use', pt: 'Ainda está em uso' },
  cause: 'Other records in the catalog refer to it.',
  remedy: 'Move or delete those records first.',
});
