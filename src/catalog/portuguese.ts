import type { Translations } from '#platform/http/portuguese.ts';

export const catalogPortuguese: Translations = {
  'No merchant has this slug.': 'Nenhuma loja tem este slug.',
  'No published post has this slug.': 'Nenhum artigo publicado tem este slug.',
  'There is no such picture.': 'Não há tal imagem.',
  'Too many forms came from this address.': 'Vieram formulários demais deste endereço.',
};
