import { defineProblem } from '#platform/problem.ts';

export const MEMBER_NOT_FOUND = {
  en: 'The merchant has no member with this id.',
  pt: 'A loja não tem ninguém com este id.',
};

export const lastOwner = defineProblem({
  code: 'last_owner',
  status: 409,
  title: { en: 'The member is the last owner', pt: 'Esta é a última pessoa responsável pela loja' },
  cause: 'A merchant with members needs an owner, so the last owner cannot be removed or lose the role.',
  remedy: 'Make another member an owner first.',
});

export const memberExists = defineProblem({
  code: 'member_exists',
  status: 409,
  title: { en: 'A member with this phone already exists', pt: 'Este telefone já faz parte da loja' },
  cause: 'The merchant has a member with this phone.',
  remedy: 'Change that member, or remove it and add a new one.',
});
