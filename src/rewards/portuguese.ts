import type { Translations } from '#platform/http/portuguese.ts';

export const rewardsPortuguese: Translations = {
  "Nobody has the referral code '{}'.": "Ninguém tem o código de indicação '{}'.",
  'You have no cashback to spend.': 'Você não tem cashback para usar.',
  'From {} to {} can be paid.': 'Pode ser pago de {R$} a {R$}.',
};
