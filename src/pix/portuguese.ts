import type { Translations } from '#platform/http/portuguese.ts';

export const pixPortuguese: Translations = {
  'You have no installment with this id.': 'Você não tem parcela com este id.',
  'You have no PIX with this id.': 'Você não tem PIX com este id.',
  'The charge could not be made just now.': 'Não foi possível gerar a cobrança agora.',
  'Another amount was asked for meanwhile.': 'Outro valor foi pedido nesse meio-tempo.',
  'The PSP made no charge that can be paid.': 'O PSP não gerou uma cobrança que se possa pagar.',
  'The PSP cannot make a charge just now.': 'O PSP não consegue gerar uma cobrança agora.',
  '{} were made for this installment today.': 'Já foram geradas {} para esta parcela hoje.',
  'The installment is overdue: settle_with_penalty settles it.':
    'A parcela está vencida: settle_with_penalty a quita.',
  'The installment was extended as often as it can be.': 'A parcela já foi prorrogada o máximo de vezes.',
  'The fee of an extension comes to nothing here.': 'A tarifa de prorrogação aqui é zero.',
  'It costs {} now.': 'Agora custa {R$}.',
};
