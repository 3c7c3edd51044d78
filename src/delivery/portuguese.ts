import type { Translations } from '#platform/http/portuguese.ts';

export const deliveryPortuguese: Translations = {
  'Events after this cursor are no longer kept, or it is not one of yours.':
    'Os eventos depois deste cursor não são mais guardados, ou ele não é seu.',
  'Leave out `after` to begin with the oldest.': 'Deixe `after` de fora para começar do mais antigo.',
  'Too many streams of events are open.': 'Há fluxos de eventos demais abertos.',
  'One of the types is not known.': 'Um dos tipos não é conhecido.',
  "'{}' is not a type of event": "'{}' não é um tipo de evento",
};
