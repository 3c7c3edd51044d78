import type { Translations } from '#platform/http/portuguese.ts';

export const sandboxPortuguese: Translations = {
  'The sandbox was reset meanwhile.': 'O sandbox foi reiniciado enquanto isso.',
};
