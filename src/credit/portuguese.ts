import type { Translations } from '#platform/http/portuguese.ts';

export const creditPortuguese: Translations = {
  'You have no purchase with this hash.': 'Você não tem compra com este hash.',
  'You have no sale with this hash.': 'Você não tem venda com este hash.',
  'You have no offer with this id.': 'Você não tem oferta com este id.',
  'You were made no offer with this id.': 'Não há oferta para você com este id.',
  'Nothing is owed on this installment.': 'Não há nada a pagar nesta parcela.',
  'The terms break consumer law.': 'As condições ferem o direito do consumidor.',
  'The terms of the merchant’s plan break consumer law.':
    'As condições do plano da loja ferem o direito do consumidor.',
  'The customer is locked.': 'O cliente está bloqueado.',
  'The customer has an overdue installment.': 'O cliente tem uma parcela vencida.',
  'The purchase comes to {} in all, and {} are available.':
    'A compra soma {R$} ao todo, e há {R$} disponíveis.',
  'This merchant sells for {} to {}.': 'Esta loja vende de {R$} a {R$}.',
  'At most {} installments are possible here.': 'Aqui são possíveis no máximo {} parcelas.',
  'a purchase has 1 to {} installments.': 'Uma compra tem de 1 a {} parcelas.',
  'a purchase costs from {} to {}.': 'Uma compra custa de {R$} a {R$}.',
  'the amount is too small for {} installments of at least {}.':
    'O valor é pequeno demais para {} parcelas de pelo menos {R$}.',
  '{} is at most {} % a week, as MAX_WEEKLY_RATE says (CDC art. 51 IV)':
    '{} é no máximo {} % por semana, como diz MAX_WEEKLY_RATE (CDC art. 51 IV)',
  'All of this purchase was returned already.': 'Esta compra já foi devolvida por inteiro.',
  'From {} to {} can be returned.': 'Podem ser devolvidos de {R$} a {R$}.',
  'You have made too many offers to this phone today.': 'Você já fez ofertas demais a este telefone hoje.',
  'This phone was made too many offers today.': 'Este telefone já recebeu ofertas demais hoje.',
  '{} offers to this phone wait for an answer.': 'Há {} ofertas a este telefone esperando resposta.',
  'The merchant of this key is not listed.': 'A loja desta chave não está ativa.',
  'Offers are sent to mobile numbers only, of the countries the operator has chosen.':
    'Só enviamos ofertas a celulares, dos países que a operadora escolheu.',
  "There is another offer with the reference '{}'.": "Já existe outra oferta com a referência '{}'.",
  'It was to be accepted by {}.': 'Era para aceitar até {}.',
  'The offer was {} already.': 'A oferta já foi respondida ({}).',
};
