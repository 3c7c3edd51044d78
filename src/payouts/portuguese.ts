import type { Translations } from '#platform/http/portuguese.ts';

export const payoutsPortuguese: Translations = {
  'You have no payout with this id.': 'Você não tem repasse com este id.',
};
