import { defineProblem } from '#platform/problem.ts';

export const NO_MEMBER = {
  en: 'The merchant has no member with this id.',
  pt: 'A loja não tem ninguém com este id.',
};

export const NO_MERCHANT = { en: 'No merchant has this slug.', pt: 'Nenhuma loja tem este slug.' };

export const lastOwner = defineProblem({
  code: 'last_owner',
  status: 409,
  title: { en: 'This is the last owner', pt: 'Esta é a última pessoa responsável pela loja' },
  cause: 'A merchant that has members has an owner: the last one keeps the role, and cannot be removed.',
  remedy: 'Make somebody else an owner first.',
  detail: {
    en: 'The merchant would have no owner any more.',
    pt: 'A loja ficaria sem nenhum responsável.',
  },
});

export const memberExists = defineProblem({
  code: 'member_exists',
  status: 409,
  title: { en: 'This phone is a member already', pt: 'Este telefone já faz parte da loja' },
  cause: 'Somebody with this phone is a member of the merchant.',
  remedy: 'Change that member, or remove it and add it anew.',
  detail: {
    en: 'Somebody with this phone is a member of the merchant already.',
    pt: 'Alguém com este telefone já faz parte da loja.',
  },
});
