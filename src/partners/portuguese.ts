import type { Translations } from '#platform/http/portuguese.ts';

export const partnersPortuguese: Translations = {
  'Send your API key in the header x-api-key.': 'Envie sua chave de API no cabeçalho x-api-key.',
  'The key in x-api-key is not known.': 'A chave em x-api-key não é conhecida.',
  'The key in x-api-key has expired.': 'A chave em x-api-key expirou.',
  'This needs a key with the scope {}; yours has {}.': 'É preciso uma chave com o escopo {}; a sua tem {}.',
  'This key may make {} requests a minute.': 'Esta chave pode fazer {} requisições por minuto.',
  'The next minute begins in {} s.': 'O próximo minuto começa em {} s.',
  'This key may not be used by pages of this origin.': 'Páginas desta origem não podem usar esta chave.',
  'The header x-client-ip is wrong.': 'O cabeçalho x-client-ip está errado.',
  'must be one IPv4 or IPv6 address': 'deve ser um endereço IPv4 ou IPv6',
  "This needs the role '{}'; yours is '{}'.": "É preciso o papel '{}'; o seu é '{}'.",
};
